import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { ContractOptionEntry, OptionSpaceAnswer, SpecificOption } from '../../instruments/schema.ts'
import { emptyState, facts, type Tone, table, tabs, tag } from '../elements.ts'
import { day, dayAndTime, dayOf, figure, shortDay, words } from '../format.ts'
import { instrumentHref } from './instrument-names.ts'
import { expiryOf, mostRungs, type Rung, rungsToShow } from './option-chain-series.ts'
import { placeOf } from './schedule-state.ts'

export type Underlying = Readonly<{ Uic: number; AssetType: string; name: string }>

/** An option chain with one series opened. */
export type ChainView = Readonly<{
  root: OptionSpaceAnswer
  shown: ContractOptionEntry
  monthly: ReadonlySet<string>
  rungs: readonly Rung[]
  underlying: Underlying | undefined
  /** What the underlying cost some past day, in the currency of the strikes. */
  price: number | undefined
  money: number | undefined
  wantsAllStrikes: boolean
  /** The chart of all strikes and its table, or the link that asks for them. */
  overview: Html
  zone: string
}>

/** A record need not have a description: then its symbol, and at last its number names it. */
export function nameOf(told: { Description?: string; Symbol?: string; Uic?: number; OptionRootId?: number }): string {
  return told.Description ?? told.Symbol ?? `Instrument ${told.Uic ?? told.OptionRootId}`
}

/** The address of a chain with one expiry; where the money is known the browser goes to it. */
export function chainPath(root: OptionSpaceAnswer, expiry: string, more = ''): string {
  return `/console/options/${root.OptionRootId}?expiry=${expiry}${more}#money`
}

const formats = Array.from(
  { length: 9 },
  (_, least) => new Intl.NumberFormat('en-GB', { minimumFractionDigits: least, maximumFractionDigits: 8 }),
)

/** A figure with at least so many decimals, so that the points of a column stand in line. */
export function fixedFigure(value: number, least: number): string {
  return formats[Math.min(Math.max(least, 0), 8)]?.format(value) ?? String(value)
}

export const strikeText = ({ Format }: OptionSpaceAnswer, strike: number): string =>
  fixedFigure(strike, Format?.StrikeDecimals ?? 0)

export const daysText = (days: number): string => (days === 0 ? 'today' : days === 1 ? '1 day' : `${days} days`)

export function chainPage(view: ChainView): Html {
  const { shown, underlying, price } = view
  return html`${underlyingLine(view)}
<section class="flow">
${expiryTabs(view)}
<div class="chain-side">
<div class="flow">
<div class="row between"><h2>${day(dayOf(shown.Expiry))}, ${daysText(shown.DisplayDaysToExpiry)}</h2>
<p class="small quiet">${price !== undefined && html`<a href="#money">To the money</a> · `}${view.rungs.length} ${view.rungs.length === 1 ? 'strike' : 'strikes'}</p></div>
${view.rungs.length === 0 ? noStrikes() : html`${windowLine(view)}${ladder(view)}`}
</div>
<section class="card"><h2>Terms</h2>${terms(view)}${underlying && html`<p class="small terms-more"><a href="/console/schedule/${underlying.Uic}/${underlying.AssetType}">When the underlying trades</a></p>`}</section>
</div>
</section>
<section class="flow"><h2>All expiries</h2>${view.overview}</section>`
}

function underlyingLine({ root, underlying, price }: ChainView): Html | undefined {
  if (!underlying) return undefined
  const currency = root.PriceCurrency ?? root.CurrencyCode
  const told =
    price === undefined
      ? 'has no reference price here, so the ladder has no mark at the money'
      : html`reference price <strong>${figure(price)} ${currency}</strong>`
  return html`<p>Options on <a href="${instrumentHref(underlying.Uic, underlying.AssetType)}">${underlying.name}</a>, ${told}.</p>`
}

function expiryTabs({ root, shown, monthly }: ChainView): Html {
  const year = dayOf(root.OptionSpace[0]?.Expiry ?? shown.Expiry).year
  return tabs(
    'Expiries',
    root.OptionSpace.map((series) => {
      const date = dayOf(series.Expiry)
      const isMonthly = monthly.has(expiryOf(series))
      return {
        href: chainPath(root, expiryOf(series)),
        name: date.year === year ? shortDay(date) : day(date),
        note: html`${series.DisplayDaysToExpiry} d${isMonthly && html` · monthly`}`,
        current: series === shown,
      }
    }),
  )
}

function noStrikes(): Html {
  return emptyState(
    'There is no option with this expiry that you may see.',
    'Choose another expiry above; the table below tells how many strikes each has.',
  )
}

/** Says that only a part of the ladder is shown, and leads to all of it; or back. */
function windowLine({ root, shown, rungs, money, wantsAllStrikes }: ChainView): Html | undefined {
  if (rungs.length <= mostRungs) return undefined
  const expiry = expiryOf(shown)
  if (wantsAllStrikes)
    return html`<p class="small">All ${rungs.length} strikes. <a href="${chainPath(root, expiry)}">Show those near the money only</a></p>`
  const count = rungsToShow(rungs, money, false).length
  const where = money === undefined ? 'in the middle' : 'nearest the money'
  return html`<p class="small">The ${count} strikes ${where}. <a href="${chainPath(root, expiry, '&strikes=all')}">Show all ${rungs.length} strikes</a></p>`
}

const statusTones: Partial<Record<SpecificOption['TradingStatus'], Tone>> = {
  Tradable: 'good',
  ReduceOnly: 'warn',
  NonTradable: 'bad',
}

function ladder(view: ChainView): Html {
  const { root, shown, rungs, money } = view
  const caption = `Calls and puts of ${nameOf(root)} that expire on ${day(dayOf(shown.Expiry))}, by strike`
  const half = (option: SpecificOption | undefined, side: 'c' | 'p'): HtmlValue =>
    option
      ? html`<td class="${side} num"><a href="${instrumentHref(option.Uic, root.AssetType)}">${option.Uic}</a></td><td class="${side}">${tag(words(option.TradingStatus), statusTones[option.TradingStatus])}</td>`
      : html`<td class="${side} quiet" colspan="2">none</td>`
  let isFirst = true
  const line = ({ strike, call, put }: Rung): Html => {
    const isMoney = strike === money
    const mark = isMoney && html`${isFirst && html` id="money"`} class="money"`
    if (isMoney) isFirst = false
    return html`<tr${mark}>${half(call, 'c')}<th scope="row" class="k">${strikeText(root, strike)}${isMoney && html`<small>at the money</small>`}</th>${half(put, 'p')}</tr>`
  }
  return html`<div class="scroll ladder" role="region" aria-label="${caption}" tabindex="0"><table class="chain">
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Call uic</th><th scope="col">Status</th><th scope="col" class="k">Strike</th><th scope="col">Put uic</th><th scope="col">Status</th></tr></thead>
<tbody>${rungsToShow(rungs, money, view.wantsAllStrikes).map(line)}</tbody></table></div>`
}

function tickText(view: ChainView): HtmlValue {
  const scheme = view.shown.TickSizeScheme ?? view.root.TickSizeScheme
  const steps = scheme?.Elements ?? []
  if (!scheme || steps.length === 0) return view.root.TickSize
  return `${steps.map(({ TickSize, HighPrice }) => `${TickSize} up to ${figure(HighPrice)}`).join(', ')}, then ${scheme.DefaultTickSize}`
}

function terms(view: ChainView): Html {
  const { root, shown, zone } = view
  return facts([
    ['Exercise', root.ExerciseStyle && words(root.ExerciseStyle)],
    ['Settlement', root.SettlementStyle && words(root.SettlementStyle)],
    ['Contract size', root.ContractSize && figure(root.ContractSize)],
    ['Currency', root.CurrencyCode],
    ['Exchange', root.Exchange.Name],
    ['Tick size', tickText(view)],
    [
      'Last traded',
      shown.LastTradeDate && html`${dayAndTime(shown.LastTradeDate, zone)} <span class="quiet">${placeOf(zone)}</span>`,
    ],
    ['Expiries', root.OptionSpace.length],
    ['Option root', html`<span class="num">${root.OptionRootId}</span>`],
  ])
}

/** A longer table scrolls in its own frame. */
const mostExpiriesUnframed = 40

/** The expiries as a table, which says in words what the chart shows; strikes only where they were read. */
export function expiryTable(
  root: OptionSpaceAnswer,
  rows: readonly { series: ContractOptionEntry; isMonthly: boolean; isShown: boolean; strikes?: readonly number[] }[],
): Html {
  const isCounted = rows.some(({ strikes }) => strikes !== undefined)
  type Row = (typeof rows)[number]
  const extreme = (pick: (...values: number[]) => number) => (row: Row) =>
    row.strikes && row.strikes.length > 0 ? strikeText(root, pick(...row.strikes)) : '–'
  const all = table<Row>(
    'Expiries of this chain',
    [
      {
        head: 'Expiry',
        cell: ({ series }) => html`<a href="${chainPath(root, expiryOf(series))}">${day(dayOf(series.Expiry))}</a>`,
        isRowHead: true,
      },
      {
        head: 'Kind',
        cell: ({ isMonthly, isShown }) =>
          html`${isMonthly ? 'monthly' : ''} ${isShown && tag('shown above', 'accent')}`,
      },
      { head: 'Days', cell: ({ series }) => series.DisplayDaysToExpiry, isFigure: true },
      ...(isCounted
        ? [
            { head: 'Lowest strike', cell: extreme(Math.min), isFigure: true },
            { head: 'Highest strike', cell: extreme(Math.max), isFigure: true },
            { head: 'Strikes', cell: ({ strikes }: Row) => strikes?.length ?? '–', isFigure: true },
            {
              head: 'Contracts',
              cell: ({ series }: Row) => series.SpecificOptions?.length ?? '–',
              isFigure: true,
            },
          ]
        : []),
    ],
    rows,
  )
  return rows.length > mostExpiriesUnframed ? html`<div class="long">${all}</div>` : all
}
