import type { FastifyReply } from 'fastify'
import { assetTypes } from '../../core/asset-type.ts'
import { html } from '../../http/html/html.ts'
import { pageHeaders } from '../../http/html/layout.ts'
import type { Exchange, FuturesSpace, InstrumentDetails } from '../../instruments/api/schema.ts'
import { ApiRefusal, withQuery } from '../shared/api.ts'
import { apiCall } from '../shared/api-call.ts'
import type { Visit } from '../shared/context.ts'
import { refusals } from '../shared/elements.ts'
import { type Pages, sayWhy } from '../shared/router.ts'
import { chainsOf } from './chains.ts'
import { instrumentBody, instrumentHead } from './pages/details.ts'
import { assetTypeName, instrumentHref } from './pages/names.ts'
import { isMain, type Neighbours, namedUics } from './pages/related.ts'
import {
  rowsOnPage,
  type SearchAsk,
  type SearchResult,
  searchForm,
  searchRefused,
  searchResults,
} from './pages/search.ts'
import type { TradabilityView } from './pages/trading.ts'
import type { ReferencePrice } from './spaces/option-chain-series.ts'

/** Search instruments and option roots, and read all that is known of one. */
export function instrumentPages(pages: Pages): void {
  pages.get('/console/instruments', showSearch)
  pages.get('/console/instruments/:Uic/:AssetType', showInstrument)
}

/** The operation of holidays is asked for what it tells of the exchange, not for its days. */
const noDays = { FromDate: '1970-01-01', ToDate: '1970-01-01' } as const

/** As the API names it, so that its box is ticked; what is none stays, and is refused by the API. */
function spelled(assetType: string): string {
  const wanted = assetType.trim().toLowerCase()
  return assetTypes.find((known) => known.toLowerCase() === wanted) ?? assetType
}

function askOf(visit: Visit): SearchAsk {
  return {
    Keywords: visit.asked('Keywords')?.trim() ?? '',
    AssetTypes: visit.askedAll('AssetTypes').flatMap((list) => list.split(',').map(spelled)),
    ExchangeId: visit.asked('ExchangeId')?.trim() ?? '',
    Class: visit.asked('Class') ?? '',
    IncludeNonTradable: visit.asked('IncludeNonTradable') === 'true' ? 'true' : '',
    $skip: visit.asked('$skip') ?? '',
  }
}

async function showSearch(visit: Visit): Promise<FastifyReply> {
  const ask = askOf(visit)
  const call = withQuery('/ref/v1/instruments', { ...ask, $top: rowsOnPage, $inlinecount: 'AllPages' })
  const isPart = visit.request.headers['x-part'] === 'results'
  const [{ status, results }, exchanges] = await Promise.all([
    resultsOf(visit, ask, call),
    isPart ? [] : exchangesOf(visit),
  ])
  // Search as you type asks for this part alone. A header, so that every address stays one of a whole page.
  if (isPart)
    return visit.reply
      .code(status)
      .headers(pageHeaders({ scripts: true }))
      .send(results.toString())
  return visit.show(
    {
      title: 'Instruments',
      place: 'instruments',
      body: html`${searchForm(ask, exchanges)}${results}${apiCall(call, exchangesCall)}`,
      scripts: ['search.js', 'sort.js'],
    },
    { status },
  )
}

const exchangesCall = '/ref/v1/exchanges'

async function exchangesOf(visit: Visit): Promise<readonly Exchange[]> {
  return (await visit.api.get<{ Data: Exchange[] }>(exchangesCall)).Data
}

async function resultsOf(visit: Visit, ask: SearchAsk, call: string) {
  try {
    const result = await visit.api.get<SearchResult>(call)
    const hint = result.Data.length === 0 ? await exchangeHint(visit, ask.ExchangeId) : undefined
    return { status: 200, results: searchResults(ask, result, { hint }) }
  } catch (error) {
    if (!(error instanceof ApiRefusal && error.status === 400)) throw error
    return { status: 400, results: searchRefused(refusals(error.sentences)) }
  }
}

/** An address may ask for an exchange that is not there, or not for this caller: that is then said. */
async function exchangeHint(visit: Visit, id: string): Promise<string | undefined> {
  if (id === '') return undefined
  const known = await visit.api.find(`${exchangesCall}/${encodeURIComponent(id)}`)
  return known ? undefined : `There is no exchange with the id ${id}.`
}

const fieldsAsked = ['OrderSetting', 'SupportedOrderTypeSettings', 'TradingSessions']

async function showInstrument(visit: Visit): Promise<FastifyReply> {
  const place = `${encodeURIComponent(visit.param('Uic'))}/${encodeURIComponent(visit.param('AssetType'))}`
  const detailsCall = withQuery(`/ref/v1/instruments/details/${place}`, { FieldGroups: fieldsAsked })
  const tradabilityCall = `/x/v1/tradability/${place}`
  const [details, tradability] = await Promise.all([
    findNamed<InstrumentDetails>(visit, detailsCall),
    findNamed<TradabilityView>(visit, tradabilityCall),
  ])
  if (!details || !tradability) return unknownInstrument(visit)
  const priceCall = withQuery('/x/v1/referenceprices', { Uics: details.Uic })
  const [neighbours, prices, exchange] = await Promise.all([
    neighboursOf(visit, details),
    visit.api.get<{ Data: ReferencePrice[] }>(priceCall),
    visit.api.find<{ TimeZone: string }>(`/x/v1/holidays/${encodeURIComponent(details.Exchange.ExchangeId)}`, noDays),
  ])
  const zones = { reader: visit.zone, exchange: exchange?.TimeZone ?? 'UTC' }
  const page = { details, tradability, neighbours, price: prices.Data[0], zones, now: visit.now }
  return visit.show({
    ...instrumentHead(page),
    place: 'instruments',
    body: html`${instrumentBody(page)}${apiCall(detailsCall, tradabilityCall, priceCall, othersCall(details))}`,
  })
}

/** An asset type that does not exist is as good a reason for "not here" as an instrument that does not. */
async function findNamed<Answer>(visit: Visit, call: string): Promise<Answer | undefined> {
  return visit.api.find<Answer>(call).catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.code === 'InvalidAssetType') return undefined
    throw error
  })
}

const othersCall = (details: InstrumentDetails): string =>
  withQuery('/ref/v1/instruments/details', { Uics: namedUics(details).join(','), $top: 200 })

async function neighboursOf(visit: Visit, details: InstrumentDetails): Promise<Neighbours> {
  const [others, chains, continuousUic] = await Promise.all([
    visit.api.get<{ Data: InstrumentDetails[]; __next?: string }>(othersCall(details)),
    chainsOf(visit, details),
    continuousOf(visit, details),
  ])
  // What is not in a whole answer is not visible; a part of one tells that of nothing.
  const asked = others.__next === undefined ? namedUics(details) : []
  return { others: others.Data, asked, chains, continuousUic }
}

/** The curve that a future stands on. No field names it: the group may, and the curve itself then tells whether. */
async function continuousOf(visit: Visit, details: InstrumentDetails): Promise<number | undefined> {
  const { AssetType, DisplayHint, GroupId = 0, Uic } = details
  if (DisplayHint === 'Continuous') return Uic
  if (AssetType !== 'ContractFutures' || GroupId === 0) return undefined
  const space = await visit.api.find<FuturesSpace>(`/ref/v1/instruments/futuresspaces/${GroupId}`)
  return space?.Elements.some((element) => element.Uic === Uic) ? GroupId : undefined
}

/** Perhaps only the asset type is wrong: then the page that there is is one click away. */
async function unknownInstrument(visit: Visit): Promise<FastifyReply> {
  const uic = visit.param('Uic')
  const known = await visit.api.find<{ Data: InstrumentDetails[] }>('/ref/v1/instruments/details', { Uics: uic })
  const other = known?.Data.find(isMain) ?? known?.Data[0]
  return sayWhy(visit, {
    status: 404,
    title: 'This instrument is not here',
    sentence: `There is no instrument ${uic} as ${visit.param('AssetType')}, or you may not see it. ${
      other ? `There is one as ${assetTypeName(other.AssetType)}.` : 'Look for it by its name or symbol.'
    }`,
    href: other ? instrumentHref(other.Uic, other.AssetType) : '/console/instruments',
    action: other ? `Open ${other.Description}` : 'Search instruments',
  })
}
