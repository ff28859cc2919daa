import type { AccessView } from '../../access/rules/visibility.ts'
import { Problem } from '../../core/problem.ts'
import {
  type DetailCriteria,
  type DetailPage,
  type DetailRow,
  type DetailsCursor,
  findDetails,
} from '../catalogue/search/find-details.ts'
import { type Criteria, findRows, hasKeywords, isMatch, type Page } from '../catalogue/search/find-rows.ts'
import { findVisible, isRootVisible, type VisibleRow } from '../catalogue/search/visible.ts'
import type { SearchCursor } from '../catalogue/search/walk-rows.ts'
import type { SegmentReader } from '../catalogue/segment-reader.ts'
import type { Snapshot } from '../catalogue/snapshot.ts'
import { namesOfRow, writeContract } from '../catalogue/write/contract-writer.ts'
import { JsonBuffer } from '../catalogue/write/json-buffer.ts'
import {
  findOptionSpace,
  isRootAsked,
  optionSpaceKey,
  writeOptionSpace,
} from '../catalogue/write/option-space-writer.ts'
import { type Groups, RowWriter } from '../catalogue/write/row-writer.ts'
import { futuresElements, requireContinuous } from '../rules/futures-space.ts'
import type { OptionSpaceQuery } from '../rules/option-space.ts'

/** One caller at one moment, before one snapshot: what all answers of a request are made from. */
export type RequestView = Readonly<{ snapshot: Snapshot; view: AccessView; now: Temporal.Instant }>

type Feed<P> = Readonly<{ nextLink: (cursor: P) => string; maxRows?: number }>

const writerOf = ({ snapshot, view, now }: RequestView): RowWriter => new RowWriter(snapshot, view, now)

function openFeed<P>(out: JsonBuffer, { nextLink, maxRows }: Feed<P>, count: number | undefined, next: P | undefined) {
  out.ascii('{')
  if (count !== undefined) out.ascii(`"__count":${count},`)
  if (next !== undefined) out.text(`"__next":${JSON.stringify(nextLink(next))},`)
  if (maxRows !== undefined) out.ascii(`"MaxRows":${maxRows},`)
  return out.ascii('"Data":[')
}

/** Operation 1. */
export function searchAnswer(
  requestView: RequestView,
  criteria: Criteria,
  page: Page,
  feed: Feed<SearchCursor>,
): Buffer {
  const { rows, next, count } = findRows(requestView.snapshot, requestView.view, requestView.now, criteria, page)
  const writer = writerOf(requestView)
  const isKeywordSearch = hasKeywords(criteria)
  const out = openFeed(new JsonBuffer(), feed, count, next)
  for (const [index, found] of rows.entries()) {
    if (index > 0) out.ascii(',')
    writer.summary(out, found.reader, found.row, isMatch(found, isKeywordSearch))
  }
  return out.ascii(']}').finish()
}

/** An answer that passes so many bytes ends there, and goes on with its next page: rows may name thousands of accounts. */
const mostBytes = 8 * 1024 * 1024

/** Operation 2. */
export function detailsListAnswer(
  requestView: RequestView,
  criteria: DetailCriteria,
  page: DetailPage,
  groups: Groups,
  feed: Feed<DetailsCursor>,
): Buffer {
  const { rows, next, count } = findDetails(requestView.snapshot, requestView.view, criteria, page)
  const writer = writerOf(requestView)
  const data = new JsonBuffer()
  let written = 0
  while (written < rows.length && data.length < mostBytes) {
    const found = rows[written++] as DetailRow
    if (written > 1) data.ascii(',')
    if (found.contract === undefined) writer.details(data, found.reader, found.row, groups)
    else writeContract(data, writer, found.reader, found.contract, groups)
  }
  const cursor = written < rows.length ? rows[written - 1]?.cursor : next
  const out = openFeed(new JsonBuffer(data.length + 1_024), feed, count, cursor)
  return out.bytes(data.finish()).ascii(']}').finish()
}

/** The same for what does not exist and for what the caller may not see. */
function unknownInstrument(uic: number, assetType: string): Problem {
  return new Problem('IllegalInstrumentId', `There is no instrument ${uic} as ${assetType}, or you may not see it.`)
}

function requireVisible({ snapshot, view }: RequestView, uic: number, assetType: string): VisibleRow {
  const found = findVisible(snapshot, view, uic, assetType)
  if (!found) throw unknownInstrument(uic, assetType)
  return found
}

/** Operation 3. Looked up at once: what is not there is refused whatever version of it the caller claims to have. */
export function detailsAnswer(requestView: RequestView, uic: number, assetType: string, groups: Groups): () => Buffer {
  const { reader, row, contract } = requireVisible(requestView, uic, assetType)
  return () => {
    const out = new JsonBuffer(2_048)
    if (contract === undefined) writerOf(requestView).details(out, reader, row, groups)
    else writeContract(out, writerOf(requestView), reader, contract, groups)
    return out.finish()
  }
}

/** Operation 6. */
export function scheduleAnswer(requestView: RequestView, uic: number, assetType: string): Buffer {
  const { reader, row } = requireVisible(requestView, uic, assetType)
  return reader.scheduleOf(reader.segment.rowDocs[row] as number, row, requestView.now)
}

/** Operation 4; undefined for a root that is not there, not visible, or not of the kind that was asked for. */
export function optionSpaceAnswer(
  requestView: RequestView,
  optionRootId: number,
  query: OptionSpaceQuery & { CanParticipateInMultiLegOrder?: boolean | undefined },
  daySuffix: string,
): Buffer | undefined {
  const found = requestView.snapshot.findRoot(optionRootId)
  if (!found || !isRootVisible(requestView.snapshot, requestView.view, optionRootId)) return undefined
  if (!isRootAsked(found.reader, found.root, query.CanParticipateInMultiLegOrder)) return undefined
  const { reader, root } = found
  const writer = writerOf(requestView)
  const today = writer.todayAt(reader.exchangeOf(reader.rowOfRoot(root)))
  const space = findOptionSpace(reader, root, today, query, daySuffix)
  const key = `${requestView.view.signature} ${optionSpaceKey(space)}`
  return requestView.snapshot.answers.get(key, () => writeOptionSpace(writer, space))
}

export type FuturesSpace = Readonly<{ BaseIdentifier: string; Elements: ReturnType<typeof futuresElements> }>

/** Operation 5; undefined for an instrument that is not there or not visible. */
export function futuresSpaceAnswer(requestView: RequestView, uic: number): FuturesSpace | undefined {
  const writer = writerOf(requestView)
  const found = rowsNamed(requestView.snapshot, uic)
  const rows = found?.rows.filter((each) => writer.isVisible(found.reader, each)) ?? []
  const [row] = rows
  if (!found || row === undefined) return undefined
  const { reader } = found
  requireContinuous(uic, factsOf(reader, rows))
  const today = writer.todayAt(reader.exchangeOf(row))
  const futures = requestView.snapshot.readers.flatMap((each) =>
    each.futuresOf(uic).flatMap((doc) => {
      const main = each.mainRow(doc)
      if (!writer.isVisible(each, main)) return []
      const names = namesOfRow(each, main)
      const expiry = each.segment.rowExpiries[main] as number
      return [{ Uic: each.segment.docIds[doc] as number, Symbol: names.Symbol, expiry }]
    }),
  )
  const BaseIdentifier = reader.segment.baseIdentifiers.get(uic) ?? namesOfRow(reader, row).Symbol.split(':')[0] ?? ''
  return { BaseIdentifier, Elements: futuresElements(futures, today) }
}

/** The rows of an instrument, or the root's row of an option contract. */
function rowsNamed(snapshot: Snapshot, uic: number): { reader: SegmentReader; rows: number[] } | undefined {
  const instrument = snapshot.findInstrument(uic)
  if (instrument) return { reader: instrument.reader, rows: instrument.reader.rowsOf(instrument.doc) }
  const option = snapshot.findContract(uic)
  if (!option) return undefined
  const { reader, contract } = option
  return { reader, rows: [reader.rowOfRoot(reader.segment.options.roots[contract] as number)] }
}

/** Of the asset types of an instrument the one that has a space, if any. */
function factsOf(reader: SegmentReader, rows: readonly number[]): { AssetType: string; DisplayHint?: string } {
  const facts = rows.map((row) => reader.kindOf(row))
  return facts.find(({ DisplayHint }) => DisplayHint === 'Continuous') ?? facts[0] ?? { AssetType: '' }
}
