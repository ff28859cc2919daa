import type { FastifyReply } from 'fastify'
import { plural } from '../../../core/text.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import { pageHeaders } from '../../../http/html/layout.ts'
import type * as schema from '../../../instruments/api/schema.ts'
import { exchangeHref } from '../../exchanges/paths.ts'
import { whyOf } from '../../explain/why.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { emptyState, facts, tag } from '../../shared/elements.ts'
import { day, dayAndTime, dayOf, figure, words, zoneName } from '../../shared/format.ts'
import { renderMessage } from '../../shared/messages.ts'
import { Remembered } from '../../shared/remembered.ts'
import { instrumentTabs } from '../pages/instrument.ts'
import { instrumentHref, nameOf, pageHead, scheduleHref } from '../pages/names.ts'
import { tradableTag } from '../pages/trading.ts'
import { expiryBar } from './expiry-bar.ts'
import { type LadderView, ladder, ladderRows } from './ladder.ts'
import * as chain from './option-chain-series.ts'
import { expiryOverview } from './strike-map.ts'

/** Larger chains are drawn only on request. */
const maxContractsDrawn = 4_000

export async function showChain(ctx: PageContext): Promise<FastifyReply> {
  const path = `/ref/v1/instruments/contractoptionspaces/${encodeURIComponent(ctx.param('OptionRootId'))}`
  const expiry = chain.parseDay(ctx.query('expiry'))
  // The response lists every expiry, but options only of the requested ones.
  const OptionSpaceSegment = expiry === undefined ? 'DefaultDates' : 'SpecificDates'
  const call = withQuery(path, { OptionSpaceSegment, ExpiryDates: expiry })
  const root = await ctx.api.getShared<schema.OptionSpace>(call)
  const shown = chain.chosenSeries(root.OptionSpace, expiry)
  if (!shown) return renderEmptyChain(ctx, root, await whyOf(ctx, path))
  // An expired or unknown expiry redirects to the next one.
  if (expiry !== undefined && chain.expiryOf(shown) !== expiry)
    return ctx.redirect(chain.chainPath(root, chain.expiryOf(shown)))
  // A header, so that every URL is that of a whole page.
  const part = ctx.request.headers['x-part']
  const view = await readChain(ctx, path, root, shown, part === undefined)
  const send = (body: string) => ctx.reply.headers(pageHeaders({ scripts: true })).send(body)
  if (part === 'rows') return send(JSON.stringify(ladderRows(ladderView(view))))
  if (part === 'chain') return send(chainSection(view).toString())
  return ctx.render({
    ...pageHead(root),
    aside: html`${tradableTag(root)}${tag(root.CurrencyCode)}`,
    scripts: ['chain.js'],
    body: chainPage(view),
  })
}

function renderEmptyChain(ctx: PageContext, root: schema.OptionSpace, why: Html | undefined): FastifyReply {
  const text = 'All options of this chain have expired, and no new ones are listed yet.'
  return renderMessage(ctx, 200, nameOf(root), text, ['Search instruments', '/console/instruments'], why)
}

type ChainView = Awaited<ReturnType<typeof readChain>>

const numberIn = (text: string | undefined): number | undefined => {
  const number = Number(text?.trim() || Number.NaN)
  return Number.isFinite(number) ? number : undefined
}

async function readChain(
  ctx: PageContext,
  path: string,
  root: schema.OptionSpace,
  shown: schema.ContractOptionEntry,
  isWholePage: boolean,
) {
  const all = chain.ladderOf(shown.SpecificOptions ?? [])
  const range = { from: numberIn(ctx.query('from')), to: numberIn(ctx.query('to')) }
  const rungs = all.filter((rung) => chain.isWithin(range, rung))
  const { underlying, tabs, price } = await readUnderlying(ctx, root, shown)
  const moneyAt = price === undefined ? undefined : chain.moneyOf(root, price)
  const monthly = chain.monthliesOf(root.OptionSpace)
  const isSmall = all.length * 2 * root.OptionSpace.length <= maxContractsDrawn
  const isDrawn = isWholePage && (isSmall || ctx.query('overview') === 'all')
  const whole = isDrawn ? await ctx.api.getShared<schema.OptionSpace>(`${path}?OptionSpaceSegment=AllDates`) : undefined
  const request = withQuery(path, { OptionSpaceSegment: 'SpecificDates', ExpiryDates: chain.expiryOf(shown) })
  return {
    why: all.length === 0 ? await whyOf(ctx, request) : undefined,
    ...{ root, shown, monthly, rungs, range, underlying, tabs, zone: ctx.zone },
    allStrikes: all.length,
    row: numberIn(ctx.query('row')),
    /** The reference price of the underlying in the currency of the strikes. */
    price,
    /** The same in the unit of the strikes, and the nearest strike. */
    moneyAt,
    money: moneyAt === undefined ? undefined : chain.moneyStrike(rungs, moneyAt),
    overview: isWholePage ? expiryOverview(root, whole, { shown, monthly, moneyAt }) : html``,
  }
}

async function readUnderlying({ api }: PageContext, root: schema.OptionSpace, shown: schema.ContractOptionEntry) {
  const uics = chain.underlyingUics(root, shown)
  const [own] = uics
  if (own === undefined || root.UnderlyingAssetType === undefined)
    return { underlying: undefined, tabs: undefined, price: undefined }
  const [details, prices] = await Promise.all([
    api.findShared<schema.InstrumentDetails>(`/ref/v1/instruments/details/${own}/${root.UnderlyingAssetType}`),
    chain.readPrices(api, uics),
  ])
  const underlying = details && { Uic: own, AssetType: details.AssetType, name: nameOf(details) }
  const continuousUic = details?.DisplayHint === 'Continuous' ? own : undefined
  const tabs = details && instrumentTabs({ details, continuousUic }, 'Option chain')
  return { underlying, tabs, price: chain.priceAmong(uics, prices, chain.strikeCurrency(root)) }
}

export function chainPage(view: ChainView): Html {
  return html`${view.tabs}${keptSection(view)}
<section class="flow"><h2>All expiries</h2>${view.overview}</section>`
}

const sections = new Remembered<Html>()

/** Why it is empty depends on more. */
function keptSection(view: ChainView): Html {
  const { root, shown, range, row, price, moneyAt, underlying, zone, why } = view
  if (why) return chainSection(view)
  const inputs = [chain.expiryOf(shown), range.from, range.to, row, price, moneyAt, zone]
  const named = [underlying?.Uic, underlying?.AssetType, underlying?.name]
  return sections.get(root, [...inputs, ...named], () => chainSection(view))
}

/** What changes with the expiry. The script replaces it in place. */
function chainSection(view: ChainView): Html {
  const { underlying } = view
  return html`<section id="chain">
${expiryBar(view)}
<div class="chain-side">
<div>
${chainToolbar(view)}
${view.rungs.length === 0 ? noStrikes(view) : ladder(ladderView(view))}
</div>
<section class="card"><h2>Terms</h2>${terms(view)}${underlying && html`<p class="small terms-more"><a href="${scheduleHref(underlying.Uic, underlying.AssetType)}">Trading hours and holidays of the underlying</a></p>`}</section>
</div>
</section>`
}

const ladderView = ({ root, shown, ...view }: ChainView): LadderView => ({
  ...{ root, ...view, expiry: chain.expiryOf(shown) },
  caption: `Calls and puts of ${nameOf(root)} that expire on ${day(dayOf(shown.Expiry))}, by strike`,
})

/** The day at the exchange decides how many days are left. */
function chainToolbar(view: ChainView): Html {
  const { root, shown, range, rungs, allStrikes } = view
  const days = shown.DisplayDaysToExpiry
  const left = days === 0 ? 'expires today' : `${plural(days, 'day')} left`
  const input = (name: 'from' | 'to', label: string) =>
    html`<label>${label} <input name="${name}" inputmode="decimal" size="7" autocomplete="off" value="${range[name] ?? ''}"></label>`
  const count =
    rungs.length === allStrikes ? plural(allStrikes, 'strike') : `${rungs.length} of ${plural(allStrikes, 'strike')}`
  return html`<div class="chain-bar"><h2>${day(dayOf(shown.Expiry))} <span class="quiet small">${left}, by the date at <bdi>${root.Exchange.Name}</bdi></span></h2>
<form class="strike-filter" action="/console/options/${root.OptionRootId}"><input type="hidden" name="expiry" value="${chain.expiryOf(shown)}">${input('from', 'Strikes from')}${input('to', 'to')}<button class="button plain">Filter</button> <span class="small quiet">${count}</span></form></div>
${underlyingLine(view)}`
}

function underlyingLine(view: ChainView): Html | undefined {
  const { underlying } = view
  if (!underlying) return undefined
  return html`<p class="small underlying">Options on <a href="${instrumentHref(underlying.Uic, underlying.AssetType)}"><bdi>${underlying.name}</bdi></a>, ${priceWords(view)}.</p>`
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

function noStrikes({ why, allStrikes, root, shown }: ChainView): Html {
  if (allStrikes === 0)
    return html`${emptyState('No visible options have this expiry.', 'Choose another expiry above.')}${why}`
  const all = ['Show all strikes', chain.chainPath(root, chain.expiryOf(shown))] as const
  return emptyState('No strikes are in this range.', `This expiry has ${plural(allStrikes, 'strike')}.`, all)
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
