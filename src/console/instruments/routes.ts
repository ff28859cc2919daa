import type { FastifyReply } from 'fastify'
import { assetTypes } from '../../core/asset-type.ts'
import { type Html, html } from '../../http/html/html.ts'
import { pageHeaders } from '../../http/html/layout.ts'
import { listItems } from '../../http/input/query.ts'
import type * as schema from '../../instruments/api/schema.ts'
import { whyOf } from '../explain/why.ts'
import { isApiError, withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { apiCalls } from '../shared/elements.ts'
import { renderApiError } from '../shared/messages.ts'
import { Remembered } from '../shared/remembered.ts'
import type { PageRouter } from '../shared/router.ts'
import { showHistory } from './pages/history.ts'
import { showJson, showOverview, showRelated } from './pages/overview.ts'
import * as search from './pages/search.ts'
import { showSchedule } from './schedule/page.ts'
import { showFutures } from './spaces/futures-space.ts'
import { showChain } from './spaces/option-chain.ts'

export function instrumentRoutes(router: PageRouter): void {
  router.get('/console/instruments', showSearch)
  router.get('/console/instruments/:Uic/:AssetType', showOverview)
  router.get('/console/instruments/:Uic/:AssetType/related', showRelated)
  router.get('/console/instruments/:Uic/:AssetType/history', showHistory)
  router.get('/console/instruments/:Uic/:AssetType/json', showJson)
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
  const wanted = assetType.toLowerCase()
  return assetTypes.find((known) => known.toLowerCase() === wanted) ?? assetType
}

function searchQueryOf(ctx: PageContext): search.SearchQuery {
  return {
    Keywords: ctx.query('Keywords')?.trim() ?? '',
    AssetTypes: listItems(ctx.queryAll('AssetTypes')).map(spelled),
    ExchangeId: ctx.query('ExchangeId')?.trim() ?? '',
    Class: ctx.query('Class') ?? '',
    IncludeNonTradable: ctx.query('IncludeNonTradable') === 'true' ? 'true' : '',
    $skip: ctx.query('$skip') ?? '',
    ByText: ctx.query('ByText') === 'true' ? 'true' : '',
  }
}

const exchangesCall = '/ref/v1/exchanges'
type Exchanges = Readonly<{ Data: schema.Exchange[] }>

async function showSearch(ctx: PageContext): Promise<FastifyReply> {
  const query = searchQueryOf(ctx)
  const { ByText: _, ...sent } = query
  const call = withQuery('/ref/v1/instruments', { ...sent, $top: search.pageSize, $inlinecount: 'AllPages' })
  // Search as you type requests the results alone. A header, so that every URL is that of a whole page.
  const isPartial = ctx.request.headers['x-part'] === 'results'
  const [{ status, results }, exchanges] = await Promise.all([
    readResults(ctx, query, call),
    isPartial ? { Data: [] } : ctx.api.getShared<Exchanges>(exchangesCall),
  ])
  if (isPartial)
    return ctx.reply
      .code(status)
      .headers(pageHeaders({ scripts: true }))
      .send(results.toString())
  return ctx.render({
    title: 'Instruments',
    status,
    aside: formOf(query, exchanges, call),
    body: html`${results}${callsOf(exchanges, call, ...uicCalls(query))}`,
    scripts: ['search.js', 'sort.js'],
  })
}

const forms = new Remembered<Html>()

/** The call has all of the query but `ByText`, which the form does not show. */
const formOf = (query: search.SearchQuery, exchanges: Exchanges, call: string): Html =>
  forms.get(exchanges, [call], () => search.searchForm(query, exchanges.Data))

const shownCalls = new Remembered<Html>()

const callsOf = (exchanges: object, ...calls: string[]): Html =>
  shownCalls.get(exchanges, [calls.join(' ')], () => apiCalls(...calls, exchangesCall))

/** By the Uic that was searched for, if any: the details name every instrument that the caller sees. */
const uicCalls = (query: search.SearchQuery): string[] => {
  const Uics = search.searchedUic(query)
  return Uics === undefined ? [] : [withQuery('/ref/v1/instruments/details', { Uics })]
}

async function readByUic(ctx: PageContext, query: search.SearchQuery): Promise<schema.InstrumentDetails[]> {
  const [call] = uicCalls(query)
  return call === undefined ? [] : ((await ctx.api.find<{ Data: schema.InstrumentDetails[] }>(call))?.Data ?? [])
}

const kept = new Remembered<Html>()

/** The call has all of the query but `ByText`. */
const keptResults = (query: search.SearchQuery, result: search.SearchResult, call: string): Html =>
  kept.get(result, [call, query.ByText], () => search.searchResults(query, result, { hint: undefined, why: undefined }))

async function readResults(ctx: PageContext, query: search.SearchQuery, call: string) {
  try {
    const [found, named] = await Promise.all([ctx.api.getShared<search.SearchResult>(call), readByUic(ctx, query)])
    const result = search.withUic(query, found, named)
    const isEmpty = result.Data.length === 0
    if (result === found && !isEmpty) return { status: 200, results: keptResults(query, result, call) }
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
