import type { FastifyReply } from 'fastify'
import type { Event } from '../../events/api/schema.ts'
import type { Exchange, InstrumentDetails, InstrumentSummary } from '../../instruments/api/schema.ts'
import { matchingApps } from '../apps/pages/list.ts'
import { activeFirst } from '../apps/pages/model.ts'
import { eventsPath } from '../events/event-data.ts'
import { instrumentName, typeName } from '../events/labels.ts'
import { exchangeHref, exchangesCall } from '../exchanges/paths.ts'
import { assetTypeName, instrumentHref, nameOf, resultHref } from '../instruments/pages/names.ts'
import { isMain } from '../instruments/pages/related.ts'
import { chapterAddress } from '../reader/docs/address.ts'
import { loadLibrary } from '../reader/docs/loaded.ts'
import { searchDocuments } from '../reader/docs/search.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { PageRouter } from '../shared/router.ts'
import type { PaletteItem } from './commands.ts'
import * as commands from './commands.ts'

const maxItems = 5
const maxQueryLength = 100
const maxApps = 1_000

/** What the command palette lists: pages, actions and, for a query, what the user may see of the data. */
export function paletteRoutes(router: PageRouter): void {
  router.get('/console/find', find, { unlogged: true })
}

async function find(ctx: PageContext): Promise<FastifyReply> {
  const query = (ctx.query('q') ?? '').trim().slice(0, maxQueryLength)
  const { deps, session } = ctx
  const bounded = (items: readonly PaletteItem[]) => (query === '' ? items : items.slice(0, maxItems))
  const found = commands.ordered(query, {
    actions: bounded([
      ...(deps.environment === 'sim' ? [commands.travelOf(query) ?? []].flat() : []),
      ...commands.matchingActions(commands.actionsOf(deps, session?.userName ?? ''), query),
    ]),
    pages: bounded(commands.matching(commands.pagesOf(deps, session?.isOperator === true), query)),
    ...(query === '' ? noData : await findData(ctx, query)),
  })
  return ctx.reply
    .headers({ 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send(JSON.stringify(found))
}

const noData = { instruments: [], hasExact: false, others: [] }

async function findData(ctx: PageContext, query: string) {
  const [instruments, exchanges, events, apps, docs] = await Promise.all([
    findInstruments(ctx, query),
    findExchanges(ctx, query),
    findEvents(ctx, query),
    findApps(ctx, query),
    findDocs(query),
  ])
  return {
    ...instruments,
    others: [
      { title: 'Exchanges', items: exchanges.slice(0, maxItems) },
      { title: 'Corporate actions', items: events.slice(0, maxItems) },
      { title: 'Apps', items: apps.slice(0, maxItems) },
      { title: commands.docsTitle, items: docs },
    ],
  }
}

type Rows<Row> = Readonly<{ Data: readonly Row[] }>

/** Rows of an operation that may reject the query or the user. They are not in the request log. */
async function read<Row>(ctx: PageContext, path: string, parameters: Record<string, string | number>) {
  const isRejected = undefinedIf(({ status }) => [400, 403, 404].includes(status))
  return (await ctx.api.getUnlogged<Rows<Row>>(path, parameters).catch(isRejected))?.Data ?? []
}

async function findInstruments(ctx: PageContext, query: string) {
  const isUic = /^[1-9]\d{0,8}$/.test(query)
  const kind = commands.kindOf(query)
  const search = (Keywords: string, more: Record<string, string> = {}) =>
    read<InstrumentSummary>(ctx, '/ref/v1/instruments', { Keywords, $top: maxItems, ...more })
  const [named, ofKind, byName] = await Promise.all([
    isUic ? read<InstrumentDetails>(ctx, '/ref/v1/instruments/details', { Uics: query, $top: maxItems }) : [],
    kind ? search(kind.keywords, { AssetTypes: kind.assetTypes }) : [],
    search(query),
  ])
  // An option chain may be found in both ways.
  const found = [...new Map([...ofKind, ...byName].map((row) => [resultHref(row), row])).values()]
  const noteOf = (symbol: string | undefined, type: string, id: string) =>
    [symbol, assetTypeName(type), id].filter(Boolean).join(' · ')
  const exact = found.filter(({ Symbol: symbol }) => isSymbol(symbol, query))
  const items: PaletteItem[] = [
    ...named
      .toSorted((one, other) => Number(isMain(other)) - Number(isMain(one)))
      .map((details) => ({
        name: nameOf(details),
        note: noteOf(details.Symbol, details.AssetType, `Uic ${details.Uic}`),
        href: instrumentHref(details.Uic, details.AssetType),
      })),
    ...[...exact, ...found.filter((row) => !exact.includes(row))].map((row) => ({
      name: row.Description,
      note: noteOf(row.Symbol, row.AssetType, row.SummaryType === 'Instrument' ? `Uic ${row.Identifier}` : 'chain'),
      href: resultHref(row),
    })),
  ]
  // An instrument may be found by its Uic and by its name.
  return { instruments: commands.withoutRepeats(items).slice(0, maxItems), hasExact: named.length + exact.length > 0 }
}

/** With or without the exchange. */
function isSymbol(symbol: string, query: string): boolean {
  const [own, wanted] = [symbol.toLowerCase(), query.toLowerCase()]
  return own === wanted || own.split(':', 1)[0] === wanted
}

async function findExchanges(ctx: PageContext, query: string): Promise<PaletteItem[]> {
  const exchanges = await read<Exchange>(ctx, exchangesCall, {})
  const items = exchanges.map(({ ExchangeId, Mic, Name }) => ({
    name: Name,
    note: [...new Set([ExchangeId, Mic])].filter(Boolean).join(' '),
    href: exchangeHref(ExchangeId),
  }))
  return commands.matching(items, query)
}

async function findEvents(ctx: PageContext, query: string): Promise<PaletteItem[]> {
  // The words of a list do not include the id.
  const isId = /^\S{4,}$/.test(query) && /\d/.test(query)
  const isRejected = undefinedIf(({ status }) => [400, 403, 404].includes(status))
  const [named, found] = await Promise.all([
    isId ? ctx.api.getUnlogged<Event>(`${eventsPath}/${encodeURIComponent(query)}`, {}).catch(isRejected) : undefined,
    read<Event>(ctx, eventsPath, { Keywords: query, $top: maxItems }),
  ])
  const events = [...(named ? [named] : []), ...found.filter(({ EventId }) => EventId !== named?.EventId)]
  return events.map((event) => ({
    name: `${typeName(event)}, ${instrumentName(event)}`,
    note: event.EventId,
    href: `/console/events/${encodeURIComponent(event.EventId)}`,
  }))
}

const maxDocs = 3
const minLettersOfDocs = 3

/** Sections of the documents. Without them the rest is still found. */
async function findDocs(query: string): Promise<PaletteItem[]> {
  if (query.length < minLettersOfDocs) return []
  const library = await loadLibrary().catch(() => undefined)
  const found = searchDocuments(library?.documents ?? [], query).slice(0, maxDocs)
  return found.map(({ document, chapter, section }) => ({
    name: section.title,
    note: section.title === document.title ? undefined : document.title,
    href: chapterAddress(document, chapter, section.anchor),
  }))
}

async function findApps(ctx: PageContext, query: string): Promise<PaletteItem[]> {
  const apps = await read<Parameters<typeof matchingApps>[0][number]>(ctx, '/developer/apps', { $top: maxApps })
  return activeFirst(matchingApps(apps, query)).map(({ Name, AppKey }) => {
    return { name: Name, note: AppKey, href: `/console/apps/${encodeURIComponent(AppKey)}` }
  })
}
