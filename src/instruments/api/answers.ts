import type { AccessView } from '../../access/rules/visibility.ts'
import { Problem } from '../../core/problem.ts'
import type { Part } from '../catalogue/part.ts'
import { type Criteria, findRows, hasKeywords, isMatch, type Page } from '../catalogue/search/find.ts'
import {
  type DetailCriteria,
  type DetailPage,
  type DetailPlace,
  type DetailRow,
  findDetails,
} from '../catalogue/search/find-details.ts'
import type { Place } from '../catalogue/search/search.ts'
import { findVisible, isRootVisible, type VisibleRow } from '../catalogue/search/visible.ts'
import type { Snapshot } from '../catalogue/snapshot.ts'
import { AnswerText } from '../catalogue/write/answer-text.ts'
import { namesOfRow, writeContract } from '../catalogue/write/contract-writer.ts'
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

/** An answer that passes so many bytes ends there, and goes on with its next page: rows may name thousands of accounts. */
const mostBytes = 8 * 1024 * 1024

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
  const data = new AnswerText()
  let written = 0
  while (written < rows.length && data.length < mostBytes) {
    const found = rows[written++] as DetailRow
    if (written > 1) data.ascii(',')
    if (found.contract === undefined) writer.details(data, found.part, found.row, groups)
    else writeContract(data, writer, found.part, found.contract, groups)
  }
  const place = written < rows.length ? rows[written - 1]?.place : next
  const out = openFeed(new AnswerText(data.length + 1_024), feed, count, place)
  return out.bytes(data.finish()).ascii(']}').finish()
}

/** The same for what does not exist and for what the caller may not see. */
function unknownInstrument(uic: number, assetType: string): Problem {
  return new Problem('IllegalInstrumentId', `There is no instrument ${uic} as ${assetType}, or you may not see it.`)
}

function requireVisible({ snapshot, view }: Sight, uic: number, assetType: string): VisibleRow {
  const found = findVisible(snapshot, view, uic, assetType)
  if (!found) throw unknownInstrument(uic, assetType)
  return found
}

/** Operation 3. Looked up at once: what is not there is refused whatever version of it the caller claims to have. */
export function detailsAnswer(sight: Sight, uic: number, assetType: string, groups: Groups): () => Buffer {
  const { part, row, contract } = requireVisible(sight, uic, assetType)
  return () => {
    const out = new AnswerText(2_048)
    if (contract === undefined) writerOf(sight).details(out, part, row, groups)
    else writeContract(out, writerOf(sight), part, contract, groups)
    return out.finish()
  }
}

/** Operation 6. */
export function scheduleAnswer(sight: Sight, uic: number, assetType: string): Buffer {
  const { part, row } = requireVisible(sight, uic, assetType)
  return part.scheduleOf(part.segment.rowDocs[row] as number, row, sight.now)
}

/** Operation 4; undefined for a root that is not there, not visible, or not of the kind that was asked for. */
export function optionSpaceAnswer(
  sight: Sight,
  optionRootId: number,
  query: OptionSpaceQuery & { CanParticipateInMultiLegOrder?: boolean | undefined },
  daySuffix: string,
): Buffer | undefined {
  const found = sight.snapshot.findRoot(optionRootId)
  if (!found || !isRootVisible(sight.snapshot, sight.view, optionRootId)) return undefined
  if (!isRootAsked(found.part, found.root, query.CanParticipateInMultiLegOrder)) return undefined
  const { part, root } = found
  const writer = writerOf(sight)
  const today = writer.todayAt(part.exchangeOf(part.rowOfRoot(root)))
  const space = findOptionSpace(part, root, today, query, daySuffix)
  const key = `${sight.view.signature} ${optionSpaceKey(space)}`
  return sight.snapshot.answers.get(key, () => writeOptionSpace(writer, space))
}

export type FuturesSpace = Readonly<{ BaseIdentifier: string; Elements: ReturnType<typeof futuresElements> }>

/** Operation 5; undefined for an instrument that is not there or not visible. */
export function futuresSpaceAnswer(sight: Sight, uic: number): FuturesSpace | undefined {
  const writer = writerOf(sight)
  const found = rowsNamed(sight.snapshot, uic)
  const rows = found?.rows.filter((each) => writer.isVisible(found.part, each)) ?? []
  const [row] = rows
  if (!found || row === undefined) return undefined
  const { part } = found
  requireContinuous(uic, factsOf(part, rows))
  const today = writer.todayAt(part.exchangeOf(row))
  const futures = sight.snapshot.parts.flatMap((each) =>
    each.futuresOf(uic).flatMap((doc) => {
      const main = each.mainRow(doc)
      if (!writer.isVisible(each, main)) return []
      const names = namesOfRow(each, main)
      const expiry = each.segment.rowExpiries[main] as number
      return [{ Uic: each.segment.docIds[doc] as number, Symbol: names.Symbol, expiry }]
    }),
  )
  const BaseIdentifier = part.segment.baseIdentifiers.get(uic) ?? namesOfRow(part, row).Symbol.split(':')[0] ?? ''
  return { BaseIdentifier, Elements: futuresElements(futures, today) }
}

/** The rows of an instrument, or the root's row of an option contract. */
function rowsNamed(snapshot: Snapshot, uic: number): { part: Part; rows: number[] } | undefined {
  const instrument = snapshot.findInstrument(uic)
  if (instrument) return { part: instrument.part, rows: instrument.part.rowsOf(instrument.doc) }
  const option = snapshot.findContract(uic)
  if (!option) return undefined
  const { part, contract } = option
  return { part, rows: [part.rowOfRoot(part.segment.options.roots[contract] as number)] }
}

/** Of the asset types of an instrument the one that has a space, if any. */
function factsOf(part: Part, rows: readonly number[]): { AssetType: string; DisplayHint?: string } {
  const facts = rows.map((row) => part.kindOf(row))
  return facts.find(({ DisplayHint }) => DisplayHint === 'Continuous') ?? facts[0] ?? { AssetType: '' }
}
