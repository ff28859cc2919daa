import { plural } from '../../../core/text.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import type { ContractOptionEntry, OptionSpace, SpecificOption } from '../../../instruments/api/schema.ts'
import { emptyState, facts, type Tone, table, tabs, tag } from '../../shared/elements.ts'
import { day, dayAndTime, dayIn, dayOf, figure, words, zoneName } from '../../shared/format.ts'
import { instrumentHref, nameOf, scheduleHref } from '../pages/names.ts'
import { expiryOf, maxRungs, type Rung, rungsToShow, strikeCurrency } from './option-chain-series.ts'

export type Underlying = Readonly<{ Uic: number; AssetType: string; name: string }>

export type ChainView = Readonly<{
  root: OptionSpace
  shown: ContractOptionEntry
  monthly: ReadonlySet<string>
  rungs: readonly Rung[]
  underlying: Underlying | undefined
  /** The reference price of the underlying in the currency of the strikes. */
  price: number | undefined
  /** The same in the unit of the strikes, and the nearest strike. */
  moneyAt: number | undefined
  money: number | undefined
  wantsAllStrikes: boolean
  overview: Html
  zone: string
}>

/** A link to one expiry of a chain; the browser scrolls to the money. */
export function chainPath(root: OptionSpace, expiry: string, more = ''): string {
  return `/console/options/${root.OptionRootId}?expiry=${expiry}${more}#money`
}

const formats = Array.from(
  { length: 9 },
  (_, decimals) => new Intl.NumberFormat('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: 8 }),
)

/** A number with a minimum of decimals, so that the points of a column align. */
export function fixedFigure(value: number, decimals: number): string {
  return formats[Math.min(Math.max(decimals, 0), 8)]?.format(value) ?? String(value)
}

export const strikeText = ({ Format }: OptionSpace, strike: number): string =>
  fixedFigure(strike, Format?.StrikeDecimals ?? 0)

export function chainPage(view: ChainView): Html {
  const { shown, underlying, money } = view
  return html`${underlyingLine(view)}
<section class="flow">
${expiryTabs(view)}
<div class="chain-side">
<div class="flow">
<div class="row between"><h2>${day(dayOf(shown.Expiry))}, ${shown.DisplayDaysToExpiry === 0 ? 'today' : plural(shown.DisplayDaysToExpiry, 'day')}</h2>
<p class="small quiet">${money !== undefined && html`<a href="#money">Go to at the money</a> · `}${plural(view.rungs.length, 'strike')}</p></div>
${view.rungs.length === 0 ? noStrikes() : html`${uicHint}${windowLine(view)}${ladder(view)}`}
</div>
<section class="card"><h2>Terms</h2>${terms(view)}${underlying && html`<p class="small terms-more"><a href="${scheduleHref(underlying.Uic, underlying.AssetType)}">Trading hours and holidays of the underlying</a></p>`}</section>
</div>
</section>
<section class="flow"><h2>All expiries</h2>${view.overview}</section>`
}

function underlyingLine(view: ChainView): Html | undefined {
  const { underlying } = view
  if (!underlying) return undefined
  return html`<p>Options on <a href="${instrumentHref(underlying.Uic, underlying.AssetType)}"><bdi>${underlying.name}</bdi></a>, ${priceWords(view)}.</p>`
}

function priceWords({ root, price, moneyAt }: ChainView): HtmlValue {
  if (price === undefined)
    return 'which has no reference price in the currency of the strikes, so no strike is marked as at the money'
  const priceText = html`reference price <strong>${figure(price)} ${strikeCurrency(root)}</strong>`
  if (moneyAt === undefined)
    return html`${priceText}, which cannot be compared with these strikes, so none is marked as at the money`
  if (moneyAt === price) return priceText
  const { ContractSize = 1, PriceToContractFactor = 1 } = root
  return html`${priceText}. A contract delivers ${figure(ContractSize)} units but its strikes are multiplied by ${figure(PriceToContractFactor)}, so at the money is <strong>${figure(moneyAt)}</strong>`
}

function expiryTabs({ root, shown, monthly }: ChainView): Html {
  const { year } = dayOf(root.OptionSpace[0]?.Expiry ?? shown.Expiry)
  const all = tabs(
    'Expiries',
    root.OptionSpace.map((series) => {
      const isMonthly = monthly.has(expiryOf(series))
      return {
        href: chainPath(root, expiryOf(series)),
        name: dayIn(year, dayOf(series.Expiry)),
        note: html`${series.DisplayDaysToExpiry} d${isMonthly && html` · monthly`}`,
        current: series === shown,
      }
    }),
  )
  return html`<div class="expiries">${all}</div>`
}

const noStrikes = (): Html => emptyState('No visible options have this expiry.', 'Choose another expiry above.')

const uicHint = html`<p class="small quiet">Numbers are Uics, which identify options in API calls. Options are tradable unless marked otherwise.</p>`

function windowLine({ root, shown, rungs, money, wantsAllStrikes }: ChainView): Html | undefined {
  if (rungs.length <= maxRungs) return undefined
  const expiry = expiryOf(shown)
  if (wantsAllStrikes)
    return html`<p class="small">All ${rungs.length} strikes. <a href="${chainPath(root, expiry)}">Show only those nearest the money</a></p>`
  const count = rungsToShow(rungs, money, false).length
  const where = money === undefined ? 'in the middle' : 'nearest the money'
  return html`<p class="small">Showing the ${count} strikes ${where}. <a href="${chainPath(root, expiry, '&strikes=all')}">Show all ${rungs.length} strikes</a></p>`
}

const statusTones: Partial<Record<SpecificOption['TradingStatus'], Tone>> = {
  ReduceOnly: 'warn',
  NonTradable: 'bad',
}

function ladder(view: ChainView): Html {
  const { root, shown, rungs, money } = view
  const caption = `Calls and puts of ${nameOf(root)} that expire on ${day(dayOf(shown.Expiry))}, by strike`
  const half = (option: SpecificOption | undefined, side: 'c' | 'p'): HtmlValue =>
    option
      ? html`<td class="${side}"><a class="num" href="${instrumentHref(option.Uic, root.AssetType)}">${option.Uic}</a>${option.TradingStatus !== 'Tradable' && html` ${tag(words(option.TradingStatus), statusTones[option.TradingStatus])}`}</td>`
      : html`<td class="${side} quiet">none</td>`
  let isFirst = true
  const line = ({ strike, call, put }: Rung): Html => {
    const isMoney = strike === money
    const mark = isMoney && html`${isFirst && html` id="money"`} class="money"`
    if (isMoney) isFirst = false
    return html`<tr${mark}>${half(call, 'c')}<th scope="row" class="k">${strikeText(root, strike)}${isMoney && html`<small>at the money</small>`}</th>${half(put, 'p')}</tr>`
  }
  return html`<div class="scroll ladder" role="region" aria-label="${caption}" tabindex="0"><table class="chain">
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Call</th><th scope="col" class="k">Strike</th><th scope="col">Put</th></tr></thead>
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
    ['Exchange', html`<bdi>${root.Exchange.Name}</bdi>`],
    ['Tick size', tickText(view)],
    [
      'Last trading time',
      shown.LastTradeDate &&
        html`${dayAndTime(shown.LastTradeDate, zone)} <span class="quiet">${zoneName(zone)}</span>`,
    ],
    ['Expiries', root.OptionSpace.length],
    ['Option root ID', html`<span class="num">${root.OptionRootId}</span>`],
  ])
}

const maxExpiriesUnframed = 40

type ExpiryRow = Readonly<{
  series: ContractOptionEntry
  isMonthly: boolean
  isShown: boolean
  strikes?: readonly number[]
}>

export function expiryTable(root: OptionSpace, rows: readonly ExpiryRow[]): Html {
  const hasStrikes = rows.some(({ strikes }) => strikes !== undefined)
  const extreme = (pick: (...values: number[]) => number) => (row: ExpiryRow) =>
    row.strikes && row.strikes.length > 0 ? strikeText(root, pick(...row.strikes)) : '–'
  const all = table<ExpiryRow>(
    'Expiries of this chain',
    [
      [
        'Expiry',
        ({ series }) => html`<a href="${chainPath(root, expiryOf(series))}">${day(dayOf(series.Expiry))}</a>`,
        'name',
      ],
      [
        'Kind',
        ({ isMonthly, isShown }) => html`${isMonthly ? 'monthly' : ''} ${isShown && tag('shown above', 'accent')}`,
      ],
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
