import { notFound } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { operation } from '../../http/operation.ts'
import { mainRowOf } from '../catalogue/facts/doc-facts.ts'
import { bucketFlags, namesOfRow } from '../catalogue/segment.ts'
import type { SegmentReader } from '../catalogue/segment-reader.ts'
import type { RequestView, Snapshot } from '../catalogue/snapshot.ts'
import { optionSpaceText } from '../catalogue/write/option-space-writer.ts'
import { RowWriter } from '../catalogue/write/row-writer.ts'
import { futuresElements, requireContinuous } from '../rules/futures-space.ts'
import { type OptionSpaceQuery as OptionSelection, supportsMultiLeg, withSegment } from '../rules/option-space.ts'
import { FuturesSpaceParams, MomentQuery, OptionSpaceParams, OptionSpaceQuery } from './fields/parameters.ts'
import { type HandlerOf, readInstruments, sendTagged, withView } from './request-view.ts'
import { FuturesSpace, OptionSpace } from './schema.ts'

export const getOptionSpace = operation({
  ...readInstruments,
  path: '/ref/v1/instruments/contractoptionspaces/:OptionRootId',
  operationId: 'getOptionSpace',
  summary: 'Get an option space',
  description:
    'Returns an option chain: an option root and its unexpired series. OptionSpaceSegment selects the series that ' +
    'include their options, because there are many.',
  params: OptionSpaceParams,
  query: OptionSpaceQuery,
  responses: { 200: OptionSpace },
  errors: ['NoResultFound', 'ExpiryDatesMustBeSet', 'MomentExpired', 'UnderlyingUICMustBeSet'],
})

export const getFuturesSpace = operation({
  ...readInstruments,
  path: '/ref/v1/instruments/futuresspaces/:ContinuousFuturesUic',
  operationId: 'getFuturesSpace',
  summary: 'Get a futures space',
  description:
    'Returns the unexpired futures of a continuous future, nearest expiry first. The continuous future itself cannot be traded.',
  params: FuturesSpaceParams,
  query: MomentQuery,
  responses: { 200: FuturesSpace },
  errors: ['NoResultFound', 'InvalidContinuousFuturesUic', 'MomentExpired'],
})

export const handleGetOptionSpace: HandlerOf<typeof getOptionSpace> = (deps, request, reply) => {
  const { params } = request
  const query = withSegment(request.query, deps.profile.defaultOptionSpaceSegment)
  return withView(deps, request, { ClientKey: query.ClientKey, AsOf: query.AsOf }, (view) => {
    const onEmpty = () => deps.addHelp(request, reply)
    const makeBody = optionSpaceBody(view, params.OptionRootId, query, deps.profile.daySuffix, onEmpty)
    if (!makeBody) throw notFound(`Option root ${params.OptionRootId}`)
    return sendTagged(deps, request, reply, view, makeBody)
  })
}

export const handleGetFuturesSpace: HandlerOf<typeof getFuturesSpace> = (deps, request, reply) =>
  withView(deps, request, request.query, (view) => {
    const space = futuresSpace(view, request.params.ContinuousFuturesUic, deps.profile.datedFutureError)
    if (!space) throw notFound(`Futures space ${request.params.ContinuousFuturesUic}`)
    return sendTagged(deps, request, reply, view, () => {
      if (space.Elements.length === 0) deps.addHelp(request, reply)
      return Buffer.from(JSON.stringify(space))
    })
  })

export type OptionSpaceRequest = OptionSelection & { CanParticipateInMultiLegOrder?: boolean | undefined }

/** Undefined if the root is unknown, invisible, or fails the multi-leg filter. Checks the query immediately: a wrong one is
 *  an error even if the caller sends a matching entity tag. */
export function optionSpaceBody(
  view: RequestView,
  optionRootId: number,
  query: OptionSpaceRequest,
  daySuffix: string,
  onEmpty?: () => void,
): (() => Buffer) | undefined {
  const found = findOptionRoot(view, optionRootId)
  if (!found || !supportsMultiLeg(found.isMultiLeg, query.CanParticipateInMultiLegOrder)) return undefined
  return optionSpaceText(view, found, query, daySuffix, onEmpty)
}

/** Undefined if the root is unknown or invisible. */
export function findOptionRoot(view: RequestView, optionRootId: number) {
  const found = view.snapshot.findRoot(optionRootId)
  if (!found) return undefined
  const { reader, index } = found
  const bucket = reader.bucketOf(reader.rowOfRoot(index))
  if (!reader.rightsOf(view.access).visible[bucket]) return undefined
  const flags = reader.segment.bucketFlags[bucket] as number
  return { reader, index, isMultiLeg: Boolean(flags & bucketFlags.joinsMultiLeg) }
}

/** Undefined if the instrument is unknown or invisible. */
export function futuresSpace(
  view: RequestView,
  uic: number,
  datedFutureError: WireProfile['datedFutureError'],
): FuturesSpace | undefined {
  const space = visibleFutures(view, uic, datedFutureError)
  return space && { BaseIdentifier: space.BaseIdentifier, Elements: futuresElements(space.futures, space.today) }
}

/** The futures of a continuous future that the caller may see, expired ones too. */
export function visibleFutures(view: RequestView, uic: number, datedFutureError: WireProfile['datedFutureError']) {
  const writer = new RowWriter(view)
  const found = rowsOfUic(view.snapshot, uic)
  const rows = found?.rows.filter((each) => writer.isVisible(found.reader, each)) ?? []
  const [row] = rows
  if (!found || row === undefined) return undefined
  const { reader } = found
  requireContinuous(uic, continuousKind(reader, rows), datedFutureError)
  const futures = view.snapshot.readers.flatMap((each) =>
    each.futuresOf(uic).flatMap((doc) => {
      const main = mainRowOf(each.segment, doc)
      if (!writer.isVisible(each, main)) return []
      const { Symbol } = namesOfRow(each.segment, main)
      return [{ Uic: each.segment.docIds[doc] as number, Symbol, expiry: each.segment.rowExpiries[main] as number }]
    }),
  )
  const BaseIdentifier =
    reader.segment.baseIdentifiers.get(uic) ?? namesOfRow(reader.segment, row).Symbol.split(':')[0] ?? ''
  return { BaseIdentifier, futures, today: writer.todayAt(reader.exchangeOf(row)) }
}

/** The rows of an instrument, or the root's row of an option contract. */
function rowsOfUic(snapshot: Snapshot, uic: number): { reader: SegmentReader; rows: number[] } | undefined {
  const instrument = snapshot.findInstrument(uic)
  if (instrument) return { reader: instrument.reader, rows: instrument.reader.rowsOf(instrument.index) }
  const contract = snapshot.findContract(uic)
  if (!contract) return undefined
  const { reader, index } = contract
  return { reader, rows: [reader.rowOfRoot(reader.segment.options.roots[index] as number)] }
}

/** The continuous one among the asset types of an instrument, or its first. */
function continuousKind(reader: SegmentReader, rows: readonly number[]): { AssetType: string; DisplayHint?: string } {
  const kinds = rows.map((row) => reader.kindOf(row))
  return kinds.find(({ DisplayHint }) => DisplayHint === 'Continuous') ?? kinds[0] ?? { AssetType: '' }
}
