import type { FastifyReply } from 'fastify'
import { plural } from '../../../core/text.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { FuturesSpace, InstrumentDetails } from '../../../instruments/api/schema.ts'
import { exchangeHref } from '../../exchanges/paths.ts'
import { whyOf } from '../../explain/why.ts'
import type { PageContext } from '../../shared/context.ts'
import { copyValue, emptyState, facts, table } from '../../shared/elements.ts'
import { day, figure, words } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'
import { instrumentHead, instrumentTabs, viewOf } from '../pages/instrument.ts'
import { instrumentHref, nameOf, scheduleHref } from '../pages/names.ts'
import { chainLink, chainsOf, namedChains, type RelatedData } from '../pages/related.ts'
import { futuresCurve } from './futures-curve.ts'
import { fixedFigure, readPrices } from './option-chain-series.ts'

const maxPrices = 200

export async function showFutures(ctx: PageContext): Promise<FastifyReply> {
  const view = await readFutures(ctx)
  const { details } = view
  const instrument = await viewOf(ctx, details)
  return ctx.render({
    ...instrumentHead(instrument),
    body: html`${instrumentTabs(instrument, 'Futures')}${futuresPage(view)}`,
  })
}

type FuturesView = Awaited<ReturnType<typeof readFutures>>

async function readFutures(ctx: PageContext) {
  const uic = encodeURIComponent(ctx.param('ContinuousFuturesUic'))
  const call = `/ref/v1/instruments/futuresspaces/${uic}`
  const [space, details] = await Promise.all([
    ctx.api.getShared<FuturesSpace>(call),
    ctx.api.getShared<InstrumentDetails>(
      `/ref/v1/instruments/details/${uic}/ContractFutures?FieldGroups=TradingSessions`,
    ),
  ])
  const uics = [details.Uic, ...space.Elements.map(({ Uic }) => Uic)].slice(0, maxPrices)
  const [found, chains] = await Promise.all([readPrices(ctx.api, uics), chainsOf(ctx, details)])
  /** Reference prices by Uic, including that of the continuous future. */
  const prices = new Map(found.map(({ Uic, ReferencePrice }) => [Uic, ReferencePrice]))
  const why = space.Elements.length === 0 ? await whyOf(ctx, call) : undefined
  return { space, details, chains, found, prices, today: ctx.today, why }
}

type Element = FuturesSpace['Elements'][number]

const drawn = new Remembered<Readonly<{ curve: Html; contracts: Html }>>()

/** The curve and the table of its contracts. */
const drawnOf = (view: FuturesView) =>
  drawn.get(view.space, [view.details, view.found, view.today], () => {
    return { curve: curve(view), contracts: contractTable(view) }
  })

function futuresPage(view: FuturesView): Html {
  const { space } = view
  const isEmpty = space.Elements.length === 0
  return html`${leadLine(view)}
${isEmpty ? html`${noContracts}${view.why}` : html`<section class="flow"><h2>Futures curve</h2><div class="card">${drawnOf(view).curve}</div></section>`}
<section class="flow"><h2>Contracts</h2><div class="chain-side">
<div>${!isEmpty && html`${drawnOf(view).contracts}<p class="small quiet">Days left are counted by the date at <bdi>${view.details.Exchange.Name}</bdi>.</p>`}</div>
<section class="card"><h2>Terms</h2>${terms(view)}</section>
</div></section>`
}

const contractHref = (uic: number): string => instrumentHref(uic, 'ContractFutures')
const currencyOf = ({ PriceCurrency, CurrencyCode }: InstrumentDetails): string | undefined =>
  PriceCurrency ?? CurrencyCode

function leadLine({ space, details }: FuturesView): Html | undefined {
  const [first] = space.Elements
  if (!first) return undefined
  const when = first.DaysToExpiry === 0 ? 'today' : `in ${plural(first.DaysToExpiry, 'day')}`
  return html`<p>The next contract to expire is <a href="${contractHref(first.Uic)}"><bdi>${first.Symbol}</bdi></a>, on ${day(first.ExpiryDate)} (${when}). The continuous future represents all contracts listed on <bdi>${details.Exchange.Name}</bdi>, one after another.</p>`
}

const noContracts = emptyState(
  'No contracts are listed.',
  'All have expired, or you may not see them. The continuous future keeps their history.',
  ['Search futures', '/console/instruments?AssetTypes=ContractFutures'],
)

function curve({ space, prices, details, today }: FuturesView): Html {
  const points = space.Elements.map(({ Symbol: symbol, ExpiryDate: expiry, DaysToExpiry: days, Uic }) => {
    return { symbol, expiry, days, price: prices.get(Uic) }
  })
  const hasPrices = points.filter(({ price }) => price !== undefined).length > 1
  const caption = `${points.length} expiries of ${nameOf(details)}${hasPrices ? ' with their reference prices' : ''}; the table below lists the same data`
  return html`${futuresCurve(caption, points, today)}
<p class="small quiet">${hasPrices ? `Reference prices in ${currencyOf(details)}: past prices, not quotes.` : 'There are no reference prices, so the chart shows only the dates.'}</p>`
}

function contractTable({ space, prices, details }: FuturesView): Html {
  const hasPrices = space.Elements.some(({ Uic }) => prices.has(Uic))
  const priceText = ({ Uic }: Element) => {
    const price = prices.get(Uic)
    return price === undefined ? '–' : fixedFigure(price, Math.min(details.Format?.Decimals ?? 2, 4))
  }
  return table<Element>(
    `Contracts of ${nameOf(details)} by expiry`,
    [
      ['Symbol', (row) => html`<a class="num" href="${contractHref(row.Uic)}"><bdi>${row.Symbol}</bdi></a>`, 'name'],
      ['Expiry', ({ ExpiryDate }) => day(ExpiryDate), 'figure'],
      ['Days left', ({ DaysToExpiry }) => figure(DaysToExpiry), 'figure'],
      hasPrices && [`Reference price, ${currencyOf(details)}`, priceText, 'figure'],
      ['Uic', ({ Uic }) => copyValue(Uic, 'Uic'), 'figure'],
    ],
    space.Elements,
  )
}

function terms({ space, details, chains, prices }: FuturesView): Html {
  const price = prices.get(details.Uic)
  return facts([
    ['Base symbol', html`<bdi class="num">${space.BaseIdentifier}</bdi>`],
    ['Contract size', details.ContractSize && figure(details.ContractSize)],
    ['Tick size', details.TickSize],
    ['Settlement', details.SettlementStyle && words(details.SettlementStyle)],
    ['Reference price', price !== undefined && `${figure(price)} ${currencyOf(details)}`],
    ['Exchange', html`<a href="${exchangeHref(details.Exchange.ExchangeId)}"><bdi>${details.Exchange.Name}</bdi></a>`],
    ['Option chains', chainLinks(details, chains)],
    ['Hours', html`<a href="${scheduleHref(details.Uic, 'ContractFutures')}">Trading hours and holidays</a>`],
    ['Details', html`<a href="${contractHref(details.Uic)}">All fields</a>`],
  ])
}

function chainLinks(details: InstrumentDetails, chains: RelatedData['chains']): Html | undefined {
  const ids = namedChains(details)
  const more = (details.RelatedOptionRootsEnhanced ?? []).length - ids.length
  if (ids.length === 0) return undefined
  return html`<ul class="plain">${ids.map((id) => html`<li>${chainLink(chains, id)}</li>`)}${
    more > 0 && html`<li><a href="${contractHref(details.Uic)}/related">${more} more</a></li>`
  }</ul>`
}
