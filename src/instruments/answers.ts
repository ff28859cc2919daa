import type { AccessView } from '../access/rules/visibility.ts'
import { Problem } from '../core/problem.ts'
import { AnswerText } from './catalogue/answer-text.ts'
import { dayText, namesOfRow, writeContract } from './catalogue/contract-writer.ts'
import { type Criteria, findRows, hasKeywords, isMatch, type Page } from './catalogue/find.ts'
import { type DetailCriteria, type DetailPage, type DetailPlace, findDetails } from './catalogue/find-details.ts'
import { isRootAsked, optionSpace } from './catalogue/option-space-writer.ts'
import type { Part } from './catalogue/part.ts'
import { type Groups, RowWriter } from './catalogue/row-writer.ts'
import type { Place } from './catalogue/search.ts'
import { typeNames } from './catalogue/segment.ts'
import type { Snapshot } from './catalogue/snapshot.ts'
import { futuresElements, requireContinuous } from './rules/futures-space.ts'
import type { OptionSpaceQuery } from './rules/option-space.ts'
import type { TradingSchedule } from './rules/trading-schedule.ts'

/** One caller at one moment, before one snapshot: what all answers of a request are made from. */
export type Sight = Readonly<{ snapshot: Snapshot; view: AccessView; now: Temporal.Instant }>

type Feed<P> = Readonly<{ nextLink: (place: P) => string; maxRows?: number }>

const writerOf = ({ snapshot, view, now }: Sight): RowWriter => new RowWriter(snapshot, view, now)

function openFeed<P>(out: AnswerText, { nextLink, maxRows }: Feed<P>, count: number | undefined, next: P | undefined) {
  out.ascii('{')
  if (count !== undefined) out.ascii(`"__count":${count},`)
  if (next !== undefined) out.text(`"__next":${JSON.stringify(nextLink(next))},`)
  if (maxRows !== undefined) out.ascii(`"MaxRows":${maxRows},`)
  return out.ascii('"Data":[')
}

/** Operation 1. */
export function searchAnswer(sight: Sight, criteria: Criteria, page: Page, feed: Feed<Place>): Buffer {
  const { rows, next, count } = findRows(sight.snapshot, sight.view, sight.now, criteria, page)
  const writer = writerOf(sight)
  const isKeywordSearch = hasKeywords(criteria)
  const out = openFeed(new AnswerText(), feed, count, next)
  for (const [index, found] of rows.entries()) {
    if (index > 0) out.ascii(',')
    writer.summary(out, found.part, found.row, isMatch(found, isKeywordSearch))
  }
  return out.ascii(']}').finish()
}

/** Operation 2. */
export function detailsListAnswer(
  sight: Sight,
  criteria: DetailCriteria,
  page: DetailPage,
  groups: Groups,
  feed: Feed<DetailPlace>,
): Buffer {
  const { rows, next, count } = findDetails(sight.snapshot, sight.view, criteria, page)
  const writer = writerOf(sight)
  const out = openFeed(new AnswerText(), feed, count, next)
  for (const [index, found] of rows.entries()) {
    if (index > 0) out.ascii(',')
    if ('row' in found) writer.details(out, found.part, found.row, groups)
    else writeContract(out, writer, found.part, found.contract, groups)
  }
  return out.ascii(']}').finish()
}

/** The same for what does not exist and for what the caller may not see. */
function unknownInstrument(uic: number, assetType: string): Problem {
  return new Problem('IllegalInstrumentId', `There is no instrument ${uic} as ${assetType}, or you may not see it.`)
}

type Found = Readonly<{ part: Part; row: number; contract?: number }>

/** The row of an instrument in an asset type, or the root's row of an option contract, if the caller may see it. */
function findVisible(sight: Sight, uic: number, assetType: string): Found {
  const writer = writerOf(sight)
  for (const found of candidatesOf(sight.snapshot, uic)) {
    const { segment } = found.part
    const name = typeNames[segment.profileTypes[found.part.profileOf(found.row)] as number]
    if (name === assetType && writer.isVisible(found.part, found.row)) return found
  }
  throw unknownInstrument(uic, assetType)
}

function candidatesOf(snapshot: Snapshot, uic: number): Found[] {
  const instrument = snapshot.findInstrument(uic)
  if (instrument) {
    const { part, doc } = instrument
    const [from, to] = [part.segment.docRows[doc] as number, part.segment.docRows[doc + 1] as number]
    return Array.from({ length: to - from }, (_, index) => ({ part, row: from + index }))
  }
  const option = snapshot.findContract(uic)
  if (!option) return []
  const { part, contract } = option
  return [{ part, row: part.rowOfRoot(part.segment.options.roots[contract] as number), contract }]
}

/** Operation 3. Looked up at once: what is not there is refused whatever version of it the caller claims to have. */
export function detailsAnswer(sight: Sight, uic: number, assetType: string, groups: Groups): () => Buffer {
  const { part, row, contract } = findVisible(sight, uic, assetType)
  return () => {
    const out = new AnswerText(2_048)
    if (contract === undefined) writerOf(sight).details(out, part, row, groups)
    else writeContract(out, writerOf(sight), part, contract, groups)
    return out.finish()
  }
}

/** Operation 6. */
export function scheduleAnswer(sight: Sight, uic: number, assetType: string): TradingSchedule {
  const { part, row } = findVisible(sight, uic, assetType)
  return part.scheduleOf(part.segment.rowDocs[row] as number, row, sight.now).schedule
}

/** Operation 4; undefined for a root that is not there, not visible, or not of the kind that was asked for. */
export function optionSpaceAnswer(
  sight: Sight,
  optionRootId: number,
  query: OptionSpaceQuery & { CanParticipateInMultiLegOrder?: boolean | undefined },
  daySuffix: string,
): Buffer | undefined {
  const found = sight.snapshot.findRoot(optionRootId)
  const writer = writerOf(sight)
  if (!found || !writer.isVisible(found.part, found.part.rowOfRoot(found.root))) return undefined
  if (!isRootAsked(found.part, found.root, query.CanParticipateInMultiLegOrder)) return undefined
  const { OptionSpaceSegment, ExpiryDates, UnderlyingUic, TradingStatus } = query
  const key = JSON.stringify([
    optionRootId,
    [OptionSpaceSegment, ExpiryDates, UnderlyingUic, TradingStatus, daySuffix],
    writer.todayAt(found.part.exchangeOf(found.part.rowOfRoot(found.root))),
    sight.view.signature,
  ])
  return sight.snapshot.answers.get(key, () => optionSpace(writer, found.part, found.root, query, daySuffix))
}

export type FuturesSpace = Readonly<{ BaseIdentifier: string; Elements: ReturnType<typeof futuresElements> }>

/** Operation 5; undefined for an instrument that is not there or not visible. */
export function futuresSpaceAnswer(sight: Sight, uic: number): FuturesSpace | undefined {
  const writer = writerOf(sight)
  const visible = candidatesOf(sight.snapshot, uic).filter(({ part, row }) => writer.isVisible(part, row))
  const [parent] = visible
  if (!parent) return undefined
  requireContinuous(uic, factsOf(visible))
  const { part, row } = parent
  const today = Temporal.PlainDate.from(dayText(writer.todayAt(part.exchangeOf(row))))
  const futures = sight.snapshot.parts.flatMap((each) =>
    each.futuresOf(uic).flatMap((doc) => {
      const main = each.mainRow(doc)
      if (!writer.isVisible(each, main)) return []
      const names = namesOfRow(each, main)
      const ExpiryDate = dayText(each.segment.rowExpiries[main] as number)
      return [{ Uic: each.segment.docIds[doc] as number, Symbol: names.Symbol, ExpiryDate }]
    }),
  )
  const BaseIdentifier = part.segment.baseIdentifiers.get(uic) ?? namesOfRow(part, row).Symbol.split(':')[0] ?? ''
  return { BaseIdentifier, Elements: futuresElements(futures, today) }
}

/** Of the asset types of an instrument the one that has a space, if any. */
function factsOf(rows: readonly Found[]): { AssetType: string; DisplayHint?: string } {
  const facts = rows.map(({ part, row }) => part.kindOf(row))
  return facts.find(({ DisplayHint }) => DisplayHint === 'Continuous') ?? facts[0] ?? { AssetType: '' }
}
