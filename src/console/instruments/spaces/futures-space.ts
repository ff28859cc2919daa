import { type Html, html } from '../../../http/html/html.ts'
import type { FuturesSpace, InstrumentDetails } from '../../../instruments/api/schema.ts'
import { emptyState, facts, table } from '../../shared/elements.ts'
import { day, figure, words } from '../../shared/format.ts'
import { instrumentHref, nameOf, scheduleHref } from '../pages/names.ts'
import { chainLink, type Neighbours, namedChains } from '../pages/related.ts'
import { futuresCurve } from './futures-curve.ts'
import { daysText, fixedFigure } from './option-chain.ts'

export type FuturesView = Readonly<{
  space: FuturesSpace
  details: InstrumentDetails
  /** What the chains on it are called. */
  chains: Neighbours['chains']
  /** Reference prices by uic, of the continuous future too. */
  prices: ReadonlyMap<number, number>
  now: Temporal.Instant
}>

type Element = FuturesSpace['Elements'][number]

export function futuresPage(view: FuturesView): Html {
  const { space } = view
  return html`${opening(view)}
${space.Elements.length === 0 ? noFutures() : html`<section class="flow"><h2>The curve</h2><div class="card">${curve(view)}</div></section>`}
<section class="flow"><h2>Its futures</h2><div class="chain-side">
<div>${space.Elements.length > 0 && elements(view)}</div>
<section class="card"><h2>Terms</h2>${terms(view)}</section>
</div></section>`
}

function opening({ space, details }: FuturesView): Html | undefined {
  const [first] = space.Elements
  if (!first) return undefined
  return html`<p>The next to expire is <a href="${instrumentHref(first.Uic, 'ContractFutures')}"><bdi>${first.Symbol}</bdi></a> on ${day(first.ExpiryDate)}, ${first.DaysToExpiry === 0 ? 'today' : `in ${daysText(first.DaysToExpiry)}`}. The continuous future stands for all that <bdi>${details.Exchange.Name}</bdi> lists, one after the other.</p>`
}

function noFutures(): Html {
  return emptyState(
    'No future of this space is listed now.',
    'All have expired, or you may not see them. The continuous one remains for their history.',
    { href: '/console/instruments?AssetTypes=ContractFutures', name: 'Search for other futures' },
  )
}

function curve({ space, prices, details, now }: FuturesView): Html {
  const points = space.Elements.map(({ Symbol: symbol, ExpiryDate: expiry, DaysToExpiry: days, Uic }) => ({
    symbol,
    expiry,
    days,
    price: prices.get(Uic),
  }))
  const priced = points.filter(({ price }) => price !== undefined).length
  const caption = `${points.length} expiries of ${nameOf(details)} on a line of time${priced > 1 ? ', with their reference prices' : ''}; the table below says the same`
  return html`${futuresCurve(caption, points, now)}
<p class="small quiet">${priced > 1 ? `Reference prices in ${details.PriceCurrency ?? details.CurrencyCode}: figures of some past day, not quotes.` : 'No reference prices are known, so only the dates are drawn.'}</p>`
}

function elements({ space, prices, details }: FuturesView): Html {
  const hasPrices = space.Elements.some(({ Uic }) => prices.has(Uic))
  return table<Element>(
    `Futures of ${nameOf(details)} by expiry`,
    [
      {
        head: 'Symbol',
        cell: ({ Uic, Symbol: symbol }) =>
          html`<a class="num" href="${instrumentHref(Uic, 'ContractFutures')}"><bdi>${symbol}</bdi></a>`,
        isRowHead: true,
      },
      { head: 'Expiry', cell: ({ ExpiryDate }) => day(ExpiryDate), isFigure: true },
      { head: 'Days', cell: ({ DaysToExpiry }) => figure(DaysToExpiry), isFigure: true },
      ...(hasPrices
        ? [
            {
              head: `Reference price, ${details.PriceCurrency ?? details.CurrencyCode}`,
              cell: ({ Uic }: Element) => priceText(prices.get(Uic), details.Format?.Decimals),
              isFigure: true,
            },
          ]
        : []),
      { head: 'Uic', cell: ({ Uic }) => html`<span class="num">${Uic}</span>`, isFigure: true },
    ],
    space.Elements,
  )
}

function priceText(price: number | undefined, decimals = 2): string {
  return price === undefined ? '–' : fixedFigure(price, Math.min(decimals, 4))
}

function terms({ space, details, chains, prices }: FuturesView): Html {
  const price = prices.get(details.Uic)
  return facts([
    ['Base', html`<bdi class="num">${space.BaseIdentifier}</bdi>`],
    ['Contract size', details.ContractSize && figure(details.ContractSize)],
    ['Tick size', details.TickSize],
    ['Settlement', details.SettlementStyle && words(details.SettlementStyle)],
    ['Reference price', price !== undefined && `${figure(price)} ${details.PriceCurrency ?? details.CurrencyCode}`],
    ['Exchange', html`<bdi>${details.Exchange.Name}</bdi>`],
    ['Option chains', chainLinks(details, chains)],
    ['Hours', html`<a href="${scheduleHref(details.Uic, 'ContractFutures')}">Trading week and holidays</a>`],
    ['Details', html`<a href="${instrumentHref(details.Uic, 'ContractFutures')}">All fields</a>`],
  ])
}

/** The chains that were looked up by name; all of them stand among the fields of the future. */
function chainLinks(details: InstrumentDetails, chains: Neighbours['chains']): Html | undefined {
  const ids = namedChains(details)
  const more = (details.RelatedOptionRootsEnhanced ?? []).length - ids.length
  if (ids.length === 0) return undefined
  return html`<ul class="plain">${ids.map((id) => html`<li>${chainLink(chains, id)}</li>`)}${
    more > 0 && html`<li><a href="${instrumentHref(details.Uic, 'ContractFutures')}#related">${more} more</a></li>`
  }</ul>`
}
