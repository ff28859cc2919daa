import type { FastifyReply } from 'fastify'
import { plural } from '../../../core/text.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import type * as schema from '../../../instruments/api/schema.ts'
import { exchangeHref } from '../../exchanges/paths.ts'
import { whyOf } from '../../explain/why.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { emptyState, facts, type Tone, tabs, tag } from '../../shared/elements.ts'
import { day, dayAndTime, dayIn, dayOf, figure, words, zoneName } from '../../shared/format.ts'
import { renderMessage } from '../../shared/messages.ts'
import { instrumentHref, nameOf, pageHead, scheduleHref } from '../pages/names.ts'
import { tradableTag } from '../pages/trading.ts'
import * as chain from './option-chain-series.ts'
import { expiryOverview } from './strike-map.ts'

/** Larger chains are drawn only on request. */
const maxContractsDrawn = 4_000

export async function showChain(ctx: PageContext): Promise<FastifyReply> {
  const path = `/ref/v1/instruments/contractoptionspaces/${encodeURIComponent(ctx.param('OptionRootId'))}`
  const expiry = chain.parseDay(ctx.query('expiry'))
  // The response lists every expiry, but options only of the requested ones.
  const root = await ctx.api.get<schema.OptionSpace>(path, {
    OptionSpaceSegment: expiry === undefined ? 'DefaultDates' : 'SpecificDates',
    ExpiryDates: expiry,
  })
  const shown = chain.chosenSeries(root.OptionSpace, expiry)
  if (!shown) return renderEmptyChain(ctx, root, await whyOf(ctx, path))
  // An expired or unknown expiry redirects to the next one.
  if (expiry !== undefined && chain.expiryOf(shown) !== expiry)
    return ctx.redirect(chain.chainPath(root, chain.expiryOf(shown)))
  return ctx.render({
    ...pageHead(root),
    aside: html`${tradableTag(root)}${tag(root.CurrencyCode)}`,
    scripts: ['in-view.js'],
    body: chainPage(await readChain(ctx, path, root, shown)),
  })
}

function renderEmptyChain(ctx: PageContext, root: schema.OptionSpace, why: Html | undefined): FastifyReply {
  const text = 'All options of this chain have expired, and no new ones are listed yet.'
  return renderMessage(ctx, 200, nameOf(root), text, ['Search instruments', '/console/instruments'], why)
}

type ChainView = Awaited<ReturnType<typeof readChain>>

async function readChain(ctx: PageContext, path: string, root: schema.OptionSpace, shown: schema.ContractOptionEntry) {
  const rungs = chain.ladderOf(shown.SpecificOptions ?? [])
  const { underlying, price } = await readUnderlying(ctx, root, shown)
  const moneyAt = price === undefined ? undefined : chain.moneyOf(root, price)
  const monthly = chain.monthliesOf(root.OptionSpace)
  const isSmall = (shown.SpecificOptions?.length ?? 0) * root.OptionSpace.length <= maxContractsDrawn
  const isDrawn = isSmall || ctx.query('overview') === 'all'
  const whole = isDrawn ? await ctx.api.get<schema.OptionSpace>(path, { OptionSpaceSegment: 'AllDates' }) : undefined
  const request = withQuery(path, { OptionSpaceSegment: 'SpecificDates', ExpiryDates: chain.expiryOf(shown) })
  return {
    why: rungs.length === 0 ? await whyOf(ctx, request) : undefined,
    ...{ root, shown, monthly, rungs, underlying, zone: ctx.zone },
    /** The reference price of the underlying in the currency of the strikes. */
    price,
    /** The same in the unit of the strikes, and the nearest strike. */
    moneyAt,
    money: moneyAt === undefined ? undefined : chain.moneyStrike(rungs, moneyAt),
    wantsAllStrikes: ctx.query('strikes') === 'all',
    overview: expiryOverview(root, whole, { shown, monthly, moneyAt }),
  }
}

async function readUnderlying({ api }: PageContext, root: schema.OptionSpace, shown: schema.ContractOptionEntry) {
  const uics = chain.underlyingUics(root, shown)
  const [own] = uics
  if (own === undefined || root.UnderlyingAssetType === undefined) return { underlying: undefined, price: undefined }
  const [details, prices] = await Promise.all([
    api.find<schema.InstrumentDetails>(`/ref/v1/instruments/details/${own}/${root.UnderlyingAssetType}`),
    chain.readPrices(api, uics),
  ])
  const underlying = details && { Uic: own, AssetType: details.AssetType, name: nameOf(details) }
  return { underlying, price: chain.priceAmong(uics, prices, chain.strikeCurrency(root)) }
}

export function chainPage(view: ChainView): Html {
  const { shown, underlying, money } = view
  return html`${underlyingLine(view)}
<section class="flow">
${expiryTabs(view)}
<div class="chain-side">
<div class="flow">
<div class="row between"><h2>${day(dayOf(shown.Expiry))}, ${shown.DisplayDaysToExpiry === 0 ? 'today' : plural(shown.DisplayDaysToExpiry, 'day')}</h2>
<p class="small quiet">${money !== undefined && html`<a href="#money">Go to at the money</a> · `}${plural(view.rungs.length, 'strike')}</p></div>
${view.rungs.length === 0 ? noStrikes(view) : html`${uicHint}${windowLine(view)}${ladder(view)}`}
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
  const priceText = html`reference price <strong>${figure(price)} ${chain.strikeCurrency(root)}</strong>`
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
      const isMonthly = monthly.has(chain.expiryOf(series))
      return {
        href: chain.chainPath(root, chain.expiryOf(series)),
        name: dayIn(year, dayOf(series.Expiry)),
        note: html`${series.DisplayDaysToExpiry} d${isMonthly && html` · monthly`}`,
        current: series === shown,
      }
    }),
  )
  return html`<div class="expiries">${all}</div>`
}

const noStrikes = ({ why }: ChainView): Html =>
  html`${emptyState('No visible options have this expiry.', 'Choose another expiry above.')}${why}`

const uicHint = html`<p class="small quiet">Numbers are Uics, which identify options in API calls. Options are tradable unless marked otherwise.</p>`

function windowLine({ root, shown, rungs, money, wantsAllStrikes }: ChainView): Html | undefined {
  if (rungs.length <= chain.maxRungs) return undefined
  const expiry = chain.expiryOf(shown)
  if (wantsAllStrikes)
    return html`<p class="small">All ${rungs.length} strikes. <a href="${chain.chainPath(root, expiry)}">Show only those nearest the money</a></p>`
  const count = chain.rungsToShow(rungs, money, false).length
  const where = money === undefined ? 'in the middle' : 'nearest the money'
  return html`<p class="small">Showing the ${count} strikes ${where}. <a href="${chain.chainPath(root, expiry, '&strikes=all')}">Show all ${rungs.length} strikes</a></p>`
}

const statusTones: Partial<Record<schema.SpecificOption['TradingStatus'], Tone>> = {
  ReduceOnly: 'warn',
  NonTradable: 'bad',
}

function ladder(view: ChainView): Html {
  const { root, shown, rungs, money } = view
  const caption = `Calls and puts of ${nameOf(root)} that expire on ${day(dayOf(shown.Expiry))}, by strike`
  const half = (option: schema.SpecificOption | undefined, side: 'c' | 'p'): HtmlValue =>
    option
      ? html`<td class="${side}"><a class="num" href="${instrumentHref(option.Uic, root.AssetType)}">${option.Uic}</a>${option.TradingStatus !== 'Tradable' && html` ${tag(words(option.TradingStatus), statusTones[option.TradingStatus])}`}</td>`
      : html`<td class="${side} quiet">none</td>`
  let isFirst = true
  const line = ({ strike, call, put }: chain.Rung): Html => {
    const isMoney = strike === money
    const mark = isMoney && html`${isFirst && html` id="money"`} class="money"`
    if (isMoney) isFirst = false
    return html`<tr${mark}>${half(call, 'c')}<th scope="row" class="k">${chain.strikeText(root, strike)}${isMoney && html`<small>at the money</small>`}</th>${half(put, 'p')}</tr>`
  }
  return html`<div class="scroll ladder" role="region" aria-label="${caption}" tabindex="0"><table class="chain">
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Call</th><th scope="col" class="k">Strike</th><th scope="col">Put</th></tr></thead>
<tbody>${chain.rungsToShow(rungs, money, view.wantsAllStrikes).map(line)}</tbody></table></div>`
}

function tickText(view: ChainView): HtmlValue {
  const scheme = view.shown.TickSizeScheme ?? view.root.TickSizeScheme
  const steps = scheme?.Elements ?? []
  if (!scheme || steps.length === 0) return view.root.TickSize
  return `${steps.map(({ TickSize, HighPrice }) => `${TickSize} up to ${figure(HighPrice)}`).join(', ')}, then ${scheme.DefaultTickSize}`
}

function terms(view: ChainView): Html {
  const { root, zone } = view
  const last = view.shown.LastTradeDate
  return facts([
    ['Exercise', root.ExerciseStyle && words(root.ExerciseStyle)],
    ['Settlement', root.SettlementStyle && words(root.SettlementStyle)],
    ['Contract size', root.ContractSize && figure(root.ContractSize)],
    ['Currency', root.CurrencyCode],
    ['Exchange', html`<a href="${exchangeHref(root.Exchange.ExchangeId)}"><bdi>${root.Exchange.Name}</bdi></a>`],
    ['Tick size', tickText(view)],
    ['Last trading time', last && html`${dayAndTime(last, zone)} <span class="quiet">${zoneName(zone)}</span>`],
    ['Expiries', root.OptionSpace.length],
    ['Option root ID', html`<span class="num">${root.OptionRootId}</span>`],
  ])
}
