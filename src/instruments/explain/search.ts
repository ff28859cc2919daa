import { assetTypes } from '../../core/asset-type.ts'
import { ownTurn } from '../../core/async/own-turn.ts'
import type { ExplainedRow, ExplanationStep } from '../../core/explain/schema.ts'
import { maxNamed, plainStep } from '../../core/explain/step-tally.ts'
import { plural, shareOf } from '../../core/text.ts'
import type { Explained } from '../../http/explain/explainer.ts'
import {
  type Criteria,
  countMatches,
  cursorOf,
  type FoundRow,
  findRows,
  type Page,
} from '../catalogue/search/find-rows.ts'
import { groupMember } from '../catalogue/search/group-members.ts'
import type { SearchCursor } from '../catalogue/search/row-taker.ts'
import { bucketFlags, namesOfRow } from '../catalogue/segment.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { JsonBuffer } from '../catalogue/write/json-buffer.ts'
import { RowWriter } from '../catalogue/write/row-writer.ts'
import { valueChangeFigures } from '../rules/search-criteria.ts'
import { matchClass } from '../rules/search-rank.ts'
import { tokenizeQuery } from '../rules/tokenizer.ts'
import { rightsStep } from './rights.ts'
import { wordSentences } from './words.ts'

/** Everything that the caller may see, in every asset type. */
const everything: Criteria = { assetTypes, includeNonTradable: true, bounds: [] }

/** A filter of a search: the criteria with it, and what a row that it removes has instead. */
type Filter = Readonly<{
  title: string
  text: string
  criteria: Criteria
  reason(row: FoundRow, view: RequestView): string
}>

const flagsOf = ({ reader, row }: FoundRow): number => reader.segment.bucketFlags[reader.bucketOf(row)] as number
const typeOf = ({ reader, row }: FoundRow): string => reader.kindOf(row).AssetType
const idOf = ({ reader, doc }: FoundRow): number => reader.segment.docIds[doc] as number

/** The filters in the order in which they are explained, each with all before it. */
function filtersOf(wanted: Criteria): Filter[] {
  const filters: Filter[] = []
  let criteria: Criteria = { ...everything, keywords: wanted.keywords }
  const add = (title: string, text: string, change: Partial<Criteria>, reason: Filter['reason']) => {
    criteria = { ...criteria, ...change }
    filters.push({ title, text, criteria, reason })
  }
  const {
    assetTypes: types,
    exchangeId,
    isComplex,
    displayHint,
    canParticipateInMultiLegOrder: multiLeg,
    uics,
  } = wanted
  if (types)
    add('AssetTypes', `Asset type ${types.join(', ')}.`, { assetTypes: types }, (row) => `It is ${typeOf(row)}.`)
  else
    add('AssetTypes', 'Without AssetTypes, each once, in its main asset type.', { assetTypes: undefined }, (row) => {
      return `${typeOf(row)} is not its main asset type.`
    })
  if (exchangeId !== undefined)
    add('ExchangeId', `Exchange ${exchangeId}.`, { exchangeId }, ({ reader, row }) => {
      return `Its exchange is ${reader.exchangeOf(row).record.ExchangeId}.`
    })
  if (isComplex !== undefined)
    add(
      'Class',
      isComplex ? 'Complex.' : 'NonComplex.',
      { isComplex },
      () => `It is ${isComplex ? 'not ' : ''}complex.`,
    )
  if (displayHint !== undefined)
    add('Tags', `Display hint ${displayHint}.`, { displayHint }, ({ reader, row }) => {
      return `Its display hint is ${reader.kindOf(row).DisplayHint ?? 'None'}.`
    })
  if (multiLeg !== undefined)
    add(
      'CanParticipateInMultiLegOrder',
      `Option roots: ${multiLeg}.`,
      { canParticipateInMultiLegOrder: multiLeg },
      () => {
        return `It can${multiLeg ? 'not' : ''} participate in multi-leg orders.`
      },
    )
  if (uics)
    add('Uics', `One of ${plural(uics.length, 'Uic')}.`, { uics }, (row) =>
      flagsOf(row) & bucketFlags.isRoot ? 'It is an option root, which has no Uic.' : `Its Uic is ${idOf(row)}.`,
    )
  for (const [at, bound] of wanted.bounds.entries()) {
    const name = valueChangeFigures[bound.figure] as string
    const text = `${name} from ${bound.from} to ${bound.to}.`
    add(`${name}s`, text, { bounds: wanted.bounds.slice(0, at + 1) }, (row) => figureReason(row, bound.figure))
  }
  if (!wanted.includeNonTradable)
    add('IncludeNonTradable', 'Only what you can trade today.', { includeNonTradable: false }, nonTradableReason)
  return filters
}

function figureReason({ reader, doc }: FoundRow, figure: number): string {
  const value = reader.segment.changes[figure]?.[doc] as number
  return Number.isNaN(value) ? 'It has no such figure.' : `Its figure is ${value}.`
}

/** The reason that its details have (§5.3). */
function nonTradableReason({ reader, row }: FoundRow, view: RequestView): string {
  const out = new JsonBuffer()
  new RowWriter(view).details(out, reader, row, new Set())
  const { NonTradableReason } = JSON.parse(out.finish().toString()) as { NonTradableReason: string }
  return `You cannot trade it: ${NonTradableReason}.`
}

export const rowOf = (row: FoundRow, reason: string): ExplainedRow => {
  const { Symbol, Description } = namesOfRow(row.reader.segment, row.row)
  return { Id: `${idOf(row)}/${typeOf(row)}`, Name: `${Symbol} ${Description}`, Reason: reason }
}

/** Other requests are served after so many rows. */
const rowsAtOnce = 500

/** The matches of a search in order, without the other members of their groups. */
async function* matchesOf(view: RequestView, criteria: Criteria): AsyncGenerator<FoundRow> {
  let after: SearchCursor | undefined
  do {
    const { rows, next } = findRows(view, criteria, { top: rowsAtOnce, skip: 0, after, isCounted: false })
    for (const row of rows) {
      if (row.class === groupMember) return
      yield row
    }
    after = next
    await ownTurn()
  } while (after)
}

/** The first rows that criteria lack of those that wider ones have, both in the same order. */
async function firstRemoved(view: RequestView, wide: Criteria, narrow: Criteria, max: number): Promise<FoundRow[]> {
  const removed: FoundRow[] = []
  if (max === 0) return removed
  const kept = matchesOf(view, narrow)
  let next = await kept.next()
  for await (const row of matchesOf(view, wide)) {
    if (!next.done && next.value.reader === row.reader && next.value.row === row.row) next = await kept.next()
    else if (removed.push(row) === max) break
  }
  await kept.return(undefined)
  return removed
}

/** Runs operation 1 with one criterion after the other and says what each removes. Also returns the rows of the page. */
export async function explainSearch(
  view: RequestView,
  criteria: Criteria,
  page: Page,
): Promise<{ explained: Explained; rows: readonly FoundRow[] }> {
  const words = criteria.keywords === undefined ? [] : tokenizeQuery(criteria.keywords)
  const visible = countMatches(view, everything)
  const steps: ExplanationStep[] = [rightsStep(view.access, visible)]
  let wide: Criteria = { ...everything, keywords: criteria.keywords }
  let count = visible
  if (words.length > 0) {
    await ownTurn()
    const matches = countMatches(view, wide)
    steps.push(keywordStep(view, criteria.keywords ?? '', visible, matches))
    count = matches
  }
  for (const filter of filtersOf(criteria)) {
    await ownTurn()
    const left = countMatches(view, filter.criteria)
    const removed = await firstRemoved(view, wide, filter.criteria, Math.min(maxNamed, count - left))
    steps.push({
      ...plainStep({ section: '§6.1', title: filter.title, text: filter.text }),
      ...{ RowsIn: count, RowsOut: left },
      Removed: removed.map((row) => rowOf(row, filter.reason(row, view))),
    })
    wide = filter.criteria
    count = left
  }
  await ownTurn()
  const { rows, count: total = 0 } = findRows(view, criteria, { ...page, isCounted: true })
  if (words.length > 0) steps.push(groupStep(count, total))
  steps.push(orderStep(words.length > 0), pageStep(page, total, rows.length))
  const summary = `${shareOf(total, visible, 'row')} you may see ${total === 1 ? 'matches' : 'match'}.`
  const reasonOf = (row: FoundRow) => (words.length > 0 ? (classNames[row.class] ?? '') : rankReason(row))
  return { explained: { summary, steps, count: total, rows: rows.map((row) => rowOf(row, reasonOf(row))) }, rows }
}

function keywordStep(view: RequestView, keywords: string, rows: number, matches: number): ExplanationStep {
  const text = wordSentences(view, keywords).join(' ')
  return { ...plainStep({ section: '§6.1', title: 'Keywords', text }), RowsIn: rows, RowsOut: matches }
}

function groupStep(matches: number, total: number): ExplanationStep {
  const text = 'After the matches come the other members of their groups (GroupId), which must pass all filters.'
  return { ...plainStep({ section: '§6.1', title: 'Groups', text }), RowsIn: matches, RowsOut: total }
}

const classNames: Readonly<Record<number, string>> = {
  [matchClass.exactSymbol]: 'The keywords are its symbol.',
  [matchClass.isin]: 'A keyword is its ISIN.',
  [matchClass.nameStart]: 'Its name begins with the keywords.',
  [matchClass.symbolPrefix]: 'Its symbol begins with a keyword.',
  [matchClass.wholeWords]: 'The keywords are whole words of its name.',
  [matchClass.wordPrefix]: 'Words of its name begin with the keywords.',
  [groupMember]: 'It is in the group of a match.',
}

const rankReason = (row: FoundRow): string => `Its rank is ${cursorOf(row).rank}.`

function orderStep(hasWords: boolean): ExplanationStep {
  const others = 'rank, Identifier, instruments before roots, AssetType'
  const text = hasWords
    ? `Exact symbol, exact ISIN, start of the name, start of a symbol, whole words, starts of words; then ${others}.`
    : `By ${others}.`
  return plainStep({ section: '§6.1', title: 'Order', text })
}

export function pageStep(
  { top, skip, after }: Omit<Page, 'isCounted' | 'after'> & { after?: unknown },
  total: number,
  onPage: number,
) {
  const start = after ? 'from the cursor in $skiptoken on' : `after ${plural(skip, 'row')} ($skip)`
  const text = `At most ${plural(top, 'row')} ($top), ${start}.`
  return { ...plainStep({ section: '§2.3', title: 'Page', text }), RowsIn: total, RowsOut: onPage }
}
