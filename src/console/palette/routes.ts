import type { FastifyReply } from 'fastify'
import type { Event } from '../../events/api/schema.ts'
import type { InstrumentDetails, InstrumentSummary } from '../../instruments/api/schema.ts'
import { matchingApps } from '../apps/pages/list.ts'
import { eventsPath } from '../events/event-data.ts'
import { instrumentName, typeName } from '../events/labels.ts'
import { assetTypeName, instrumentHref, nameOf, resultHref } from '../instruments/pages/names.ts'
import { isMain } from '../instruments/pages/related.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { PageRouter } from '../shared/router.ts'
import { actionsOf, matching, matchingActions, ordered, type PaletteItem, pagesOf } from './commands.ts'

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
  const found = ordered(query, {
    actions: bounded(matchingActions(actionsOf(deps, session?.userName ?? ''), query)),
    pages: bounded(matching(pagesOf(deps, session?.isOperator === true), query)),
    ...(query === '' ? noData : await findData(ctx, query)),
  })
  return ctx.reply
    .headers({ 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send(JSON.stringify(found))
}

const noData = { instruments: [], hasExact: false, others: [] }

async function findData(ctx: PageContext, query: string) {
  const [instruments, events, apps] = await Promise.all([
    findInstruments(ctx, query),
    findEvents(ctx, query),
    findApps(ctx, query),
  ])
  return {
    ...instruments,
    others: [
      { title: 'Corporate actions', items: events.slice(0, maxItems) },
      { title: 'Apps', items: apps.slice(0, maxItems) },
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
  const [named, found] = await Promise.all([
    isUic ? read<InstrumentDetails>(ctx, '/ref/v1/instruments/details', { Uics: query, $top: maxItems }) : [],
    read<InstrumentSummary>(ctx, '/ref/v1/instruments', { Keywords: query, $top: maxItems }),
  ])
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
  return { instruments: items.slice(0, maxItems), hasExact: named.length + exact.length > 0 }
}

/** With or without the exchange. */
function isSymbol(symbol: string, query: string): boolean {
  const [own, wanted] = [symbol.toLowerCase(), query.toLowerCase()]
  return own === wanted || own.split(':', 1)[0] === wanted
}

async function findEvents(ctx: PageContext, query: string): Promise<PaletteItem[]> {
  const events = await read<Event>(ctx, eventsPath, { Keywords: query, $top: maxItems })
  return events.map((event) => ({
    name: `${typeName(event)}, ${instrumentName(event)}`,
    note: event.EventId,
    href: `/console/events/${encodeURIComponent(event.EventId)}`,
  }))
}

async function findApps(ctx: PageContext, query: string): Promise<PaletteItem[]> {
  const apps = await read<Parameters<typeof matchingApps>[0][number]>(ctx, '/developer/apps', { $top: maxApps })
  return matchingApps(apps, query).map(({ Name, AppKey }) => {
    return { name: Name, note: AppKey, href: `/console/apps/${encodeURIComponent(AppKey)}` }
  })
}
