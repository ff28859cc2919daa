import type { FastifyReply } from 'fastify'
import { assetTypes } from '../../core/asset-type.ts'
import { type Html, html } from '../../http/html/html.ts'
import { pageHeaders } from '../../http/html/layout.ts'
import type * as schema from '../../instruments/api/schema.ts'
import { whyOf } from '../explain/why.ts'
import { isApiError, undefinedIf, withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { apiCalls, copyValue, tag } from '../shared/elements.ts'
import { figure } from '../shared/format.ts'
import { renderApiError, renderMessage } from '../shared/messages.ts'
import type { PageRouter } from '../shared/router.ts'
import { cards, fieldCard, meanings, orderTypes } from './pages/fields.ts'
import { assetTypeName, instrumentHref, instrumentsCrumb, pageHead } from './pages/names.ts'
import * as relations from './pages/related.ts'
import * as search from './pages/search.ts'
import { accountsSection, sessionCard, tradableTag } from './pages/trading.ts'
import { showSchedule } from './schedule/page.ts'
import { showFutures } from './spaces/futures-space.ts'
import { showChain } from './spaces/option-chain.ts'

export function instrumentRoutes(router: PageRouter): void {
  router.get('/console/instruments', showSearch)
  router.get('/console/instruments/:Uic/:AssetType', showInstrument)
  router.get('/console/options/:OptionRootId', orWhy(showChain, 'contractoptionspaces', 'OptionRootId'))
  router.get('/console/futures/:ContinuousFuturesUic', orWhy(showFutures, 'futuresspaces', 'ContinuousFuturesUic'))
  router.get('/console/schedule/:Uic/:AssetType', orWhy(showSchedule, 'tradingschedule', 'Uic', 'AssetType'))
}

/** A page that says why the API does not find what it shows. */
const orWhy =
  (show: (ctx: PageContext) => Promise<FastifyReply>, operation: string, ...params: string[]) =>
  async (ctx: PageContext): Promise<FastifyReply> => {
    try {
      return await show(ctx)
    } catch (error) {
      if (!isApiError(error, 404)) throw error
      const path = params.map((name) => encodeURIComponent(ctx.param(name))).join('/')
      return renderApiError(ctx, error, await whyOf(ctx, `/ref/v1/instruments/${operation}/${path}`))
    }
  }

/** The asset type as the API spells it. Unknown ones are unchanged: the API rejects them. */
function spelled(assetType: string): string {
  const wanted = assetType.trim().toLowerCase()
  return assetTypes.find((known) => known.toLowerCase() === wanted) ?? assetType
}

function searchQueryOf(ctx: PageContext): search.SearchQuery {
  return {
    Keywords: ctx.query('Keywords')?.trim() ?? '',
    AssetTypes: ctx.queryAll('AssetTypes').flatMap((list) => list.split(',').map(spelled)),
    ExchangeId: ctx.query('ExchangeId')?.trim() ?? '',
    Class: ctx.query('Class') ?? '',
    IncludeNonTradable: ctx.query('IncludeNonTradable') === 'true' ? 'true' : '',
    $skip: ctx.query('$skip') ?? '',
  }
}

const exchangesCall = '/ref/v1/exchanges'

async function showSearch(ctx: PageContext): Promise<FastifyReply> {
  const query = searchQueryOf(ctx)
  const call = withQuery('/ref/v1/instruments', { ...query, $top: search.pageSize, $inlinecount: 'AllPages' })
  // Search as you type requests the results alone. A header, so that every URL is that of a whole page.
  const isPartial = ctx.request.headers['x-part'] === 'results'
  const [{ status, results }, exchanges] = await Promise.all([
    readResults(ctx, query, call),
    isPartial ? { Data: [] } : ctx.api.get<{ Data: schema.Exchange[] }>(exchangesCall),
  ])
  if (isPartial)
    return ctx.reply
      .code(status)
      .headers(pageHeaders({ scripts: true }))
      .send(results.toString())
  return ctx.render({
    title: 'Instruments',
    status,
    body: html`${search.searchForm(query, exchanges.Data)}${results}${apiCalls(call, ...uicCalls(query), exchangesCall)}`,
    scripts: ['search.js', 'sort.js'],
  })
}

/** By the Uic that was searched for, if any: the details name every instrument that the caller sees. */
const uicCalls = (query: search.SearchQuery): string[] => {
  const Uics = search.searchedUic(query)
  return Uics === undefined ? [] : [withQuery('/ref/v1/instruments/details', { Uics })]
}

async function readByUic(ctx: PageContext, query: search.SearchQuery): Promise<schema.InstrumentDetails[]> {
  const [call] = uicCalls(query)
  return call === undefined ? [] : ((await ctx.api.find<{ Data: schema.InstrumentDetails[] }>(call))?.Data ?? [])
}

async function readResults(ctx: PageContext, query: search.SearchQuery, call: string) {
  try {
    const [found, named] = await Promise.all([ctx.api.get<search.SearchResult>(call), readByUic(ctx, query)])
    const result = search.withUic(query, found, named)
    const isEmpty = result.Data.length === 0
    const hint = isEmpty ? await exchangeHint(ctx, query.ExchangeId) : undefined
    const why = isEmpty ? await whyOf(ctx, call) : undefined
    return { status: 200, results: search.searchResults(query, result, { hint, why }) }
  } catch (error) {
    if (!isApiError(error, 400)) throw error
    return { status: 400, results: search.rejectedSearch(error.messages) }
  }
}

async function exchangeHint(ctx: PageContext, id: string): Promise<string | undefined> {
  if (id === '' || (await ctx.api.find(`${exchangesCall}/${encodeURIComponent(id)}`))) return undefined
  return `There is no exchange with the ID ${id}.`
}

const fieldGroups = ['OrderSetting', 'SupportedOrderTypeSettings', 'TradingSessions']

async function showInstrument(ctx: PageContext): Promise<FastifyReply> {
  const path = `${encodeURIComponent(ctx.param('Uic'))}/${encodeURIComponent(ctx.param('AssetType'))}`
  const detailsCall = withQuery(`/ref/v1/instruments/details/${path}`, { FieldGroups: fieldGroups })
  const tradabilityCall = `/x/v1/tradability/${path}`
  const [details, tradability] = await Promise.all([
    findInstrument<schema.InstrumentDetails>(ctx, detailsCall),
    findInstrument<schema.InstrumentTradability>(ctx, tradabilityCall),
  ])
  if (!details || !tradability) return renderUnknownInstrument(ctx)
  const why = details.IsTradable ? undefined : await whyOf(ctx, `/ref/v1/instruments/details/${path}`)
  const priceCall = withQuery('/x/v1/referenceprices', { Uics: details.Uic })
  const [related, prices, exchange] = await Promise.all([
    readRelated(ctx, details),
    ctx.api.get<{ Data: schema.ReferencePrice[] }>(priceCall),
    // An empty range: only the time zone is needed.
    ctx.api.find<{ TimeZone: string }>(`/x/v1/holidays/${encodeURIComponent(details.Exchange.ExchangeId)}`, {
      FromDate: '1970-01-01',
      ToDate: '1970-01-01',
    }),
  ])
  const zones = { reader: ctx.zone, exchange: exchange?.TimeZone ?? 'UTC' }
  const { AssetType, CurrencyCode } = details
  return ctx.render({
    ...pageHead(details),
    crumbs: [instrumentsCrumb, [assetTypeName(AssetType), `/console/instruments?AssetTypes=${AssetType}`]],
    aside: html`<a class="plain-link" href="#accounts">${tradableTag(details)}</a> ${CurrencyCode && tag(CurrencyCode)} <span>Uic ${copyValue(details.Uic, 'Uic')}</span>`,
    body: html`${relations.typeTabs(details, related.instruments)}
${priceLine(prices.Data[0], details)}
<div class="cards about">${fieldCards('about', details, related)}${sessionCard(details, ctx.now, zones)}</div>
${accountsSection(tradability)}
${why}
<section class="flow"><h2>Trading terms</h2><div class="cards pairs">${fieldCards('trading', details, related)}</div></section>
${orderTypes(details)}
${relations.relatedSection(details, related)}
${meanings(details)}
${apiCalls(detailsCall, tradabilityCall, priceCall, relatedCall(details))}`,
  })
}

const priceLine = (price: schema.ReferencePrice | undefined, { Format }: schema.InstrumentDetails): Html =>
  html`<p class="row between"><span>${
    price &&
    html`Reference price <strong>${figure(price.ReferencePrice)} ${Format?.Format === 'Percentage' ? '%' : price.CurrencyCode}</strong> <span class="quiet">(a past price, not a quote)</span>`
  }</span><a class="small" href="#meanings">Field descriptions</a></p>`

function fieldCards(
  part: keyof typeof cards,
  details: schema.InstrumentDetails,
  related: relations.RelatedData,
): (Html | undefined)[] {
  const links = {
    instrument: (uic: number) => relations.linkTo(related, uic),
    chain: (id: number) => relations.chainLink(related.chains, id),
  }
  return cards[part].map((card) => fieldCard(card, details, links))
}

const findInstrument = <Body>(ctx: PageContext, call: string): Promise<Body | undefined> =>
  ctx.api.find<Body>(call).catch(undefinedIf(({ code }) => code === 'InvalidAssetType'))

const relatedCall = (details: schema.InstrumentDetails): string =>
  withQuery('/ref/v1/instruments/details', { Uics: relations.namedUics(details).join(','), $top: 200 })

async function readRelated(ctx: PageContext, details: schema.InstrumentDetails): Promise<relations.RelatedData> {
  const [instruments, chains, continuousUic] = await Promise.all([
    ctx.api.get<{ Data: schema.InstrumentDetails[]; __next?: string }>(relatedCall(details)),
    relations.chainsOf(ctx, details),
    findContinuous(ctx, details),
  ])
  // Only a complete response shows that an instrument is not visible.
  const requested = instruments.__next === undefined ? relations.namedUics(details) : []
  return { instruments: instruments.Data, requested, chains, continuousUic }
}

/** The continuous future of a contract. No field names it; the group id may, if its space has the contract. */
async function findContinuous(ctx: PageContext, details: schema.InstrumentDetails): Promise<number | undefined> {
  const { AssetType, DisplayHint, GroupId = 0, Uic } = details
  if (DisplayHint === 'Continuous') return Uic
  if (AssetType !== 'ContractFutures' || GroupId === 0) return undefined
  const space = await ctx.api.find<schema.FuturesSpace>(`/ref/v1/instruments/futuresspaces/${GroupId}`)
  return space?.Elements.some((element) => element.Uic === Uic) ? GroupId : undefined
}

async function renderUnknownInstrument(ctx: PageContext): Promise<FastifyReply> {
  const uic = ctx.param('Uic')
  const known = await ctx.api.find<{ Data: schema.InstrumentDetails[] }>('/ref/v1/instruments/details', { Uics: uic })
  const other = known?.Data.find(relations.isMain) ?? known?.Data[0]
  const hint = other ? `It exists as ${assetTypeName(other.AssetType)}.` : 'Search for it by name or symbol.'
  const text = `There is no instrument ${uic} with the asset type ${ctx.param('AssetType')}, or you may not see it. ${hint}`
  const link = other && ([`Open ${other.Description}`, instrumentHref(other.Uic, other.AssetType)] as const)
  const why = await whyOf(
    ctx,
    `/ref/v1/instruments/details/${encodeURIComponent(uic)}/${encodeURIComponent(ctx.param('AssetType'))}`,
  )
  return renderMessage(
    ctx,
    404,
    'Instrument not found',
    text,
    link ?? ['Search instruments', '/console/instruments'],
    why,
  )
}
