import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../http/html/html.ts'
import type * as schema from '../../../instruments/api/schema.ts'
import { exchangeHref } from '../../exchanges/paths.ts'
import { marketStatus } from '../../exchanges/rules/market-status.ts'
import { statusDot, statusText, type Zones } from '../../exchanges/status.ts'
import { whyOf } from '../../explain/why.ts'
import { undefinedIf, withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { copyValue, tabs } from '../../shared/elements.ts'
import { zoneName } from '../../shared/format.ts'
import type { PageContent } from '../../shared/frame.ts'
import { renderMessage } from '../../shared/messages.ts'
import { sessionsOf } from '../schedule/state.ts'
import { assetTypeName, headingOf, instrumentHref, instrumentsCrumb, nameOf, scheduleHref } from './names.ts'
import { hasEvents, isMain } from './related.ts'
import { tradableTag } from './trading.ts'

const fieldGroups = ['OrderSetting', 'SupportedOrderTypeSettings', 'TradingSessions']

export const instrumentPath = (ctx: PageContext): string =>
  `${encodeURIComponent(ctx.param('Uic'))}/${encodeURIComponent(ctx.param('AssetType'))}`

export const detailsCall = (ctx: PageContext): string =>
  withQuery(`/ref/v1/instruments/details/${instrumentPath(ctx)}`, { FieldGroups: fieldGroups })

export const findInstrument = <Body>(ctx: PageContext, call: string): Promise<Body | undefined> =>
  ctx.api.findShared<Body>(call).catch(undefinedIf(({ code }) => code === 'InvalidAssetType'))

/** What the header and the tabs of an instrument need. */
export type InstrumentView = Readonly<{
  details: schema.InstrumentDetails
  now: Temporal.Instant
  zones: Zones
  continuousUic: number | undefined
}>

export async function readInstrument(ctx: PageContext): Promise<InstrumentView | undefined> {
  const details = await findInstrument<schema.InstrumentDetails>(ctx, detailsCall(ctx))
  return details && viewOf(ctx, details)
}

export async function viewOf(ctx: PageContext, details: schema.InstrumentDetails): Promise<InstrumentView> {
  const [exchange, continuousUic] = await Promise.all([
    // An empty range: only the time zone is needed.
    ctx.api.findShared<{ TimeZone: string }>(
      `/x/v1/holidays/${encodeURIComponent(details.Exchange.ExchangeId)}?FromDate=1970-01-01&ToDate=1970-01-01`,
    ),
    findContinuous(ctx, details),
  ])
  const zones = { reader: ctx.zone, exchange: exchange?.TimeZone ?? 'UTC' }
  return { details, now: ctx.now, zones, continuousUic }
}

/** The continuous future of a contract. No field names it; the group id may, if its space has the contract. */
export async function findContinuous(ctx: PageContext, details: schema.InstrumentDetails): Promise<number | undefined> {
  const { AssetType, DisplayHint, GroupId = 0, Uic } = details
  if (DisplayHint === 'Continuous') return Uic
  if (AssetType !== 'ContractFutures' || GroupId === 0) return undefined
  const space = await ctx.api.findShared<schema.FuturesSpace>(`/ref/v1/instruments/futuresspaces/${GroupId}`)
  return space?.Elements.some((element) => element.Uic === Uic) ? GroupId : undefined
}

export type TabName = 'Overview' | 'Option chain' | 'Futures' | 'Schedule' | 'Events' | 'Related' | 'History' | 'JSON'

/** The pages of an instrument, those that it has. */
export function instrumentTabs(
  { details, continuousUic }: Pick<InstrumentView, 'details' | 'continuousUic'>,
  current: TabName,
): Html {
  const { Uic, AssetType, OptionRootId, RelatedOptionRootsEnhanced = [], ExpiryDate, Symbol: symbol } = details
  const own = instrumentHref(Uic, AssetType)
  const chain = OptionRootId ?? RelatedOptionRootsEnhanced[0]?.OptionRootId
  const expiry = OptionRootId === undefined || ExpiryDate === undefined ? '' : `?expiry=${ExpiryDate}`
  const all: readonly (readonly [name: TabName, href: string | false])[] = [
    ['Overview', own],
    ['Option chain', chain !== undefined && `/console/options/${chain}${expiry}`],
    ['Futures', continuousUic !== undefined && `/console/futures/${continuousUic}`],
    ['Schedule', scheduleHref(Uic, AssetType)],
    ['Events', hasEvents(details) && symbol !== undefined && `/console/events?Keywords=${encodeURIComponent(symbol)}`],
    ['Related', `${own}/related`],
    // An option is part of its option root.
    ['History', OptionRootId === undefined && `${own}/history`],
    ['JSON', `${own}/json`],
  ]
  const shown = all.flatMap(([name, href]) => (href ? [{ name, href, current: name === current }] : []))
  return html`<div class="page-tabs">${tabs('Pages of this instrument', shown)}</div>`
}

/** The head of every page of an instrument: what it is, where it is traded and whether that is open. */
export function instrumentHead(view: InstrumentView): Omit<PageContent, 'body'> {
  const { details, now, zones } = view
  const { Uic, AssetType, Exchange, CurrencyCode } = details
  const status = marketStatus(sessionsOf(details.TradingSessions ?? { Sessions: [] }), now)
  const type = html`<a href="/console/instruments?AssetTypes=${AssetType}">${assetTypeName(AssetType)}</a>`
  return {
    title: nameOf(details),
    heading: headingOf(details),
    crumbs: [instrumentsCrumb],
    aside: html`<span class="about-line"><span>Uic ${copyValue(Uic, 'Uic')}</span><span>${type}</span>${CurrencyCode && html`<span>${CurrencyCode}</span>`}<span><a href="${exchangeHref(Exchange.ExchangeId)}"><bdi>${Exchange.Name}</bdi></a>${
      status &&
      html` ${statusDot(status)}${statusText(status, now, zones.exchange)} <span class="quiet">${zoneName(zones.exchange)}</span>`
    }</span><a class="plain-link" href="${instrumentHref(Uic, AssetType)}#accounts">${tradableTag(details)}</a></span>`,
  }
}

export async function renderUnknownInstrument(ctx: PageContext): Promise<FastifyReply> {
  const uic = ctx.param('Uic')
  const known = await ctx.api.find<{ Data: schema.InstrumentDetails[] }>('/ref/v1/instruments/details', { Uics: uic })
  const other = known?.Data.find(isMain) ?? known?.Data[0]
  const hint = other ? `It exists as ${assetTypeName(other.AssetType)}.` : 'Search for it by name or symbol.'
  const text = `There is no instrument ${uic} with the asset type ${ctx.param('AssetType')}, or you may not see it. ${hint}`
  const link = other && ([`Open ${other.Description}`, instrumentHref(other.Uic, other.AssetType)] as const)
  const why = await whyOf(ctx, `/ref/v1/instruments/details/${instrumentPath(ctx)}`)
  return renderMessage(
    ctx,
    404,
    'Instrument not found',
    text,
    link ?? ['Search instruments', '/console/instruments'],
    why,
  )
}
