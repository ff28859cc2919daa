import { ownTurn } from '../../core/async/own-turn.ts'
import type { ExplainedRow, ExplanationStep } from '../../core/explain/schema.ts'
import { maxNamed, plainStep } from '../../core/explain/step-tally.ts'
import { plural, shareOf } from '../../core/text.ts'
import type { Explained } from '../../http/explain/explainer.ts'
import {
  type DetailCriteria,
  type DetailPage,
  type DetailRow,
  type DetailsCursor,
  findDetails,
} from '../catalogue/search/find-details.ts'
import type { VisibleRow } from '../catalogue/search/visible.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { writeDetails } from '../catalogue/write/contract-writer.ts'
import { JsonBuffer } from '../catalogue/write/json-buffer.ts'
import { RowWriter } from '../catalogue/write/row-writer.ts'
import { rightsStep } from './rights.ts'
import { pageStep } from './search.ts'

type Details = Readonly<{
  Uic: number
  AssetType: string
  Symbol: string
  Description: string
  DisplayHint?: string
  IsTradable: boolean
  NonTradableReason: string
  TradableOn: string[]
}>

const noGroups = new Set<never>()

/** With every member, whatever the wire profile. */
export function detailsOf(view: RequestView, row: VisibleRow): Details {
  const writer = new RowWriter({ ...view, limitsMembers: false })
  return JSON.parse(writeDetails(new JsonBuffer(), writer, row, noGroups).finish().toString())
}

export function detailsRow({ Uic, AssetType, Symbol, Description }: Details, reason: string): ExplainedRow {
  return { Id: `${Uic}/${AssetType}`, Name: `${Symbol} ${Description}`, Reason: reason }
}

const rowsAtOnce = 500

async function* rowsOf(view: RequestView, criteria: DetailCriteria): AsyncGenerator<DetailRow> {
  let after: DetailsCursor | undefined
  do {
    const { rows, next } = findDetails(view, criteria, { top: rowsAtOnce, skip: 0, after })
    yield* rows
    after = next
    await ownTurn()
  } while (after)
}

const isSame = (one: DetailRow | undefined, other: DetailRow): boolean =>
  one?.cursor.uic === other.cursor.uic && one.cursor.type === other.cursor.type

async function firstRemoved(view: RequestView, wide: DetailCriteria, narrow: DetailCriteria, max: number) {
  const removed: DetailRow[] = []
  if (max === 0) return removed
  const kept = rowsOf(view, narrow)
  let next = await kept.next()
  for await (const row of rowsOf(view, wide)) {
    if (!next.done && isSame(next.value, row)) next = await kept.next()
    else if (removed.push(row) === max) break
  }
  await kept.return(undefined)
  return removed
}

type Filter = Readonly<{ title: string; text: string; criteria: DetailCriteria; reason(details: Details): string }>

function filtersOf({ assetTypes, displayHint, uics }: DetailCriteria): Filter[] {
  const filters: Filter[] = []
  let criteria: DetailCriteria = {}
  const add = (title: string, text: string, change: DetailCriteria, reason: Filter['reason']) => {
    criteria = { ...criteria, ...change }
    filters.push({ title, text, criteria, reason })
  }
  if (assetTypes)
    add('AssetTypes', `Asset type ${assetTypes.join(', ')}.`, { assetTypes }, (row) => `It is ${row.AssetType}.`)
  if (displayHint !== undefined)
    add('Tags', `Display hint ${displayHint}.`, { displayHint }, (row) => {
      return `Its display hint is ${row.DisplayHint ?? 'None'}.`
    })
  if (uics) add('Uics', `One of ${plural(uics.length, 'Uic')}.`, { uics }, (row) => `Its Uic is ${row.Uic}.`)
  return filters
}

/** Runs operation 2 with one criterion after the other and says what each removes. */
export async function explainDetails(
  view: RequestView,
  criteria: DetailCriteria,
  page: DetailPage,
): Promise<Explained> {
  const countOf = (each: DetailCriteria) => findDetails(view, each, { top: 0, skip: 0 }).count
  const visible = countOf({})
  const steps: ExplanationStep[] = [rightsStep(view.access, visible)]
  let [wide, count]: [DetailCriteria, number] = [{}, visible]
  for (const filter of filtersOf(criteria)) {
    const left = countOf(filter.criteria)
    const removed = await firstRemoved(view, wide, filter.criteria, Math.min(maxNamed, count - left))
    const rows = removed.map((row) => detailsOf(view, row))
    steps.push({
      ...plainStep({ section: '§6.2', title: filter.title, text: filter.text }),
      ...{ RowsIn: count, RowsOut: left, Removed: rows.map((row) => detailsRow(row, filter.reason(row))) },
    })
    wide = filter.criteria
    count = left
  }
  const { rows, count: total } = findDetails(view, criteria, page)
  steps.push(plainStep({ section: '§2.3', title: 'Order', text: 'By Uic, then AssetType.' }))
  steps.push(pageStep(page, total, rows.length))
  const named = rows.slice(0, maxNamed).map((row) => detailsRow(detailsOf(view, row), `Its Uic is ${row.cursor.uic}.`))
  const summary = `${shareOf(total, visible, 'row')} you may see ${total === 1 ? 'matches' : 'match'}.`
  return { summary, steps, count: total, rows: named }
}
