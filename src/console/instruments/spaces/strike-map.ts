import { type Html, html } from '../../../http/html/html.ts'
import type { ContractOptionEntry, OptionSpace } from '../../../instruments/api/schema.ts'
import { table, tag } from '../../shared/elements.ts'
import { day, dayIn, dayOf, figure } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'
import { nameOf } from '../pages/names.ts'
import { chainPath, expiryOf, strikeText } from './option-chain-series.ts'

type StrikeRow = Readonly<{ label: string; strikes: readonly number[]; isShown: boolean; isMonthly: boolean }>
type Money = Readonly<{ price: number; label: string }>

type Size = (typeof sizes)[number]

/** Drawn twice, for wide and for narrow screens; the stylesheet shows one. Strikes closer than `minGap` become a line. */
const sizes = [
  { name: 'roomy', width: 900, left: 116, right: 840, maxTicks: 8, minGap: 5 },
  { name: 'compact', width: 330, left: 94, right: 298, maxTicks: 4, minGap: 3 },
]

const top = 44
const rowHeight = 20

type Scale = (strike: number) => number

function rangeOf(rows: readonly StrikeRow[], money: Money | undefined): [low: number, high: number] {
  let [low, high] = money ? [money.price, money.price] : [Infinity, -Infinity]
  for (const { strikes } of rows)
    for (const strike of strikes) {
      low = Math.min(low, strike)
      high = Math.max(high, strike)
    }
  return low <= high ? [low, high] : [0, 0]
}

/** Round numbers between two values, at most about `max`. */
export function roundSteps(low: number, high: number, max: number): number[] {
  const rough = (high - low) / max
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

export function strikePath(strikes: readonly number[], x: Scale, y: number, minGap: number): string {
  const runs: [from: number, to: number][] = []
  for (const position of strikes.map(x).sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && position - last[1] < minGap) last[1] = position
    else runs.push([position, position])
  }
  return runs.map(([from, to]) => `M${from} ${y}H${to}`).join('')
}

export function strikeMap(caption: string, rows: readonly StrikeRow[], money: Money | undefined): Html {
  return html`<div class="chart sized">${sizes.map((size) => drawn(size, caption, rows, money))}</div>`
}

function drawn(size: Size, caption: string, rows: readonly StrikeRow[], money: Money | undefined): Html {
  const [low, high] = rangeOf(rows, money)
  const { width, left, right } = size
  const x: Scale = (strike) => Math.round((left + ((strike - low) / (high - low || 1)) * (right - left)) * 10) / 10
  const bottom = top + rows.length * rowHeight
  return html`<svg class="${size.name}" viewBox="0 0 ${width} ${bottom + 24}" role="img" aria-label="${caption}">
${roundSteps(low, high, size.maxTicks).map((tick) => html`<line class="grid-line" x1="${x(tick)}" x2="${x(tick)}" y1="${top - 6}" y2="${bottom}"/><text x="${x(tick)}" y="${bottom + 16}" text-anchor="middle">${figure(tick)}</text>`)}
<text x="${width - 4}" y="${top - 12}" text-anchor="end">strikes</text>
${rows.map((row, index) => rowOf(row, top + index * rowHeight, size, x))}
${money && moneyLine(money, x(money.price), width, bottom)}
</svg>`
}

function rowOf({ label, strikes, isShown, isMonthly }: StrikeRow, y: number, { width, minGap }: Size, x: Scale): Html {
  const name = isShown || isMonthly ? html` class="strong"` : undefined
  return html`${isShown && html`<rect class="shown" x="0" y="${y}" width="${width}" height="${rowHeight}" rx="4"/>`}
<text x="6" y="${y + 14}"${name}>${label}</text><path class="strike-dots" d="${strikePath(strikes, x, y + rowHeight / 2, minGap)}"/>
<text x="${width - 4}" y="${y + 14}" text-anchor="end"${name}>${strikes.length}</text>`
}

function moneyLine({ label }: Money, x: number, width: number, bottom: number): Html {
  const anchor = x < 70 ? 'start' : x > width - 70 ? 'end' : 'middle'
  return html`<line class="money-line" x1="${x}" x2="${x}" y1="${top - 18}" y2="${bottom}"/>
<text class="strong" x="${x}" y="${top - 24}" text-anchor="${anchor}">${label}</text>`
}

type Shown = Readonly<{ shown: ContractOptionEntry; monthly: ReadonlySet<string>; moneyAt: number | undefined }>

const overviews = new Remembered<Html>()

/** `whole` is the chain with all its options; without it only the table is shown. */
export function expiryOverview(root: OptionSpace, whole: OptionSpace | undefined, view: Shown): Html {
  return overviews.get(root, [whole, expiryOf(view.shown), view.moneyAt], () => overviewOf(root, whole, view))
}

function overviewOf(root: OptionSpace, whole: OptionSpace | undefined, view: Shown): Html {
  const { shown, moneyAt } = view
  const rows = expiryRows(root, whole, view)
  if (!whole)
    return html`<p class="small">This chain is large. <a href="/console/options/${root.OptionRootId}?expiry=${expiryOf(shown)}&overview=all">Draw the strikes of all ${rows.length} expiries</a></p>
${expiryTable(root, rows)}`
  const { year } = dayOf(rows[0]?.series.Expiry ?? shown.Expiry)
  const chart = strikeMap(
    `Strikes of ${rows.length} expiries of ${nameOf(root)}; the table below lists the same data`,
    rows.map((row) => ({ ...row, label: dayIn(year, dayOf(row.series.Expiry)), strikes: row.strikes ?? [] })),
    moneyAt === undefined ? undefined : { price: moneyAt, label: `at the money, ${figure(moneyAt)}` },
  )
  return html`<div class="card">${chart}<p class="small quiet">Each dot is a strike; a line is many strikes close together. Monthly expiries are bold.</p></div>
${expiryTable(root, rows)}`
}

const expiryRows = (root: OptionSpace, whole: OptionSpace | undefined, { shown, monthly }: Shown) =>
  (whole ?? root).OptionSpace.map((series) => ({
    series,
    isMonthly: monthly.has(expiryOf(series)),
    isShown: expiryOf(series) === expiryOf(shown),
    strikes: whole && [...new Set((series.SpecificOptions ?? []).map(({ StrikePrice }) => StrikePrice))],
  }))

const maxExpiriesUnframed = 40

type ExpiryRow = ReturnType<typeof expiryRows>[number]

function expiryTable(root: OptionSpace, rows: readonly ExpiryRow[]): Html {
  const hasStrikes = rows.some(({ strikes }) => strikes !== undefined)
  const extreme = (pick: (...values: number[]) => number) => (row: ExpiryRow) =>
    row.strikes && row.strikes.length > 0 ? strikeText(root, pick(...row.strikes)) : '–'
  const nameCell = ({ series }: ExpiryRow) =>
    html`<a href="${chainPath(root, expiryOf(series))}">${day(dayOf(series.Expiry))}</a>`
  const all = table<ExpiryRow>(
    'Expiries of this chain',
    [
      ['Expiry', nameCell, 'name'],
      ['Kind', (row) => html`${row.isMonthly && 'monthly'} ${row.isShown && tag('shown above', 'accent')}`],
      ['Days', ({ series }) => series.DisplayDaysToExpiry, 'figure'],
      hasStrikes && ['Lowest strike', extreme(Math.min), 'figure'],
      hasStrikes && ['Highest strike', extreme(Math.max), 'figure'],
      hasStrikes && ['Strikes', ({ strikes }) => strikes?.length ?? '–', 'figure'],
      hasStrikes && ['Contracts', ({ series }) => series.SpecificOptions?.length ?? '–', 'figure'],
    ],
    rows,
  )
  return rows.length > maxExpiriesUnframed ? html`<div class="long">${all}</div>` : all
}
