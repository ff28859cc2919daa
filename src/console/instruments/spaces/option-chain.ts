import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import type { ContractOptionEntry, OptionSpace, SpecificOption } from '../../../instruments/api/schema.ts'
import { emptyState, facts, type Tone, table, tabs, tag } from '../../shared/elements.ts'
import { day, dayAndTime, dayOf, figure, shortDay, words, zoneName } from '../../shared/format.ts'
import { instrumentHref, nameOf, scheduleHref } from '../pages/names.ts'
import { expiryOf, mostRungs, type Rung, rungsToShow, strikeCurrency } from './option-chain-series.ts'

export type Underlying = Readonly<{ Uic: number; AssetType: string; name: string }>

/** An option chain with one series opened. */
export type ChainView = Readonly<{
  root: OptionSpace
  shown: ContractOptionEntry
  monthly: ReadonlySet<string>
  rungs: readonly Rung[]
  underlying: Underlying | undefined
  /** What the underlying cost some past day, in the currency of the strikes. */
  price: number | undefined
  /** The same as the strikes count it, and the strike nearest to it. */
  moneyAt: number | undefined
  money: number | undefined
  wantsAllStrikes: boolean
  /** The chart of all strikes and its table, or the link that asks for them. */
  overview: Html
  zone: string
}>

/** The address of a chain with one expiry; where the money is known the browser goes to it. */
export function chainPath(root: OptionSpace, expiry: string, more = ''): string {
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

export const strikeText = ({ Format }: OptionSpace, strike: number): string =>
  fixedFigure(strike, Format?.StrikeDecimals ?? 0)

export const daysText = (days: number): string => (days === 0 ? 'today' : days === 1 ? '1 day' : `${days} days`)

export function chainPage(view: ChainView): Html {
  const { shown, underlying, money } = view
  return html`${underlyingLine(view)}
<section class="flow">
${expiryTabs(view)}
<div class="chain-side">
<div class="flow">
<div class="row between"><h2>${day(dayOf(shown.Expiry))}, ${daysText(shown.DisplayDaysToExpiry)}</h2>
<p class="small quiet">${money !== undefined && html`<a href="#money">To the money</a> · `}${view.rungs.length} ${view.rungs.length === 1 ? 'strike' : 'strikes'}</p></div>
${view.rungs.length === 0 ? noStrikes() : html`${readingLine()}${windowLine(view)}${ladder(view)}`}
</div>
<section class="card"><h2>Terms</h2>${terms(view)}${underlying && html`<p class="small terms-more"><a href="${scheduleHref(underlying.Uic, underlying.AssetType)}">Trading week and holidays of the underlying</a></p>`}</section>
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
    return 'which has no reference price in the currency of the strikes, so the ladder has no mark at the money'
  const told = html`reference price <strong>${figure(price)} ${strikeCurrency(root)}</strong>`
  if (moneyAt === undefined)
    return html`${told}; how that compares with these strikes is not told, so the ladder has no mark at the money`
  const { ContractSize = 1, PriceToContractFactor = 1 } = root
  return moneyAt === price
    ? told
    : html`${told}; a contract stands for ${figure(ContractSize)} of it and its strikes for ${figure(PriceToContractFactor)}, so the money is at <strong>${figure(moneyAt)}</strong>`
}

function expiryTabs({ root, shown, monthly }: ChainView): Html {
  const year = dayOf(root.OptionSpace[0]?.Expiry ?? shown.Expiry).year
  const all = tabs(
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
  return html`<div class="expiries">${all}</div>`
}

function noStrikes(): Html {
  return emptyState(
    'There is no option with this expiry that you may see.',
    'Choose another expiry above; the table below tells how many strikes each has.',
  )
}

/** Nearly all options are tradable: only where one is not, its status stands beside it. */
function readingLine(): Html {
  return html`<p class="small quiet">Numbers are Uics, which name an option in every call. All are tradable unless told.</p>`
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
      'Last trading',
      shown.LastTradeDate &&
        html`${dayAndTime(shown.LastTradeDate, zone)} <span class="quiet">${zoneName(zone)}</span>`,
    ],
    ['Expiries', root.OptionSpace.length],
    ['Option root id', html`<span class="num">${root.OptionRootId}</span>`],
  ])
}

/** A longer table scrolls in its own frame. */
const mostExpiriesUnframed = 40

/** The expiries as a table, which says in words what the chart shows; strikes only where they were read. */
export function expiryTable(
  root: OptionSpace,
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
