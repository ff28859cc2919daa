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
import { actionsOf, matching, type PaletteItem, pagesOf } from './commands.ts'

const maxItems = 5
const maxQueryLength = 100
const maxApps = 1_000

type Group = Readonly<{ title: string; items: readonly PaletteItem[] }>

/** What the command palette lists: pages, actions and, for a query, what the user may see of the data. */
export function paletteRoutes(router: PageRouter): void {
  router.get('/console/find', find, { unlogged: true })
}

async function find(ctx: PageContext): Promise<FastifyReply> {
  const query = (ctx.query('q') ?? '').trim().slice(0, maxQueryLength)
  const { deps, session } = ctx
  const bounded = (items: readonly PaletteItem[]) => (query === '' ? items : items.slice(0, maxItems))
  const actions = { title: 'Actions', items: bounded(matching(actionsOf(deps, session?.userName ?? ''), query)) }
  const pages = { title: 'Pages', items: bounded(matching(pagesOf(deps, session?.isOperator === true), query)) }
  const data = query === '' ? [] : await findData(ctx, query)
  // Names of pages and actions are few, so one that matches is what was looked for.
  const groups = [actions, pages, ...data].filter(({ items }) => items.length > 0)
  return ctx.reply
    .headers({ 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send(JSON.stringify({ groups }))
}

async function findData(ctx: PageContext, query: string): Promise<Group[]> {
  const [instruments, events, apps] = await Promise.all([
    findInstruments(ctx, query),
    findEvents(ctx, query),
    findApps(ctx, query),
  ])
  return [
    { title: 'Instruments', items: instruments.slice(0, maxItems) },
    { title: 'Corporate actions', items: events.slice(0, maxItems) },
    { title: 'Apps', items: apps.slice(0, maxItems) },
  ]
}

type Rows<Row> = Readonly<{ Data: readonly Row[] }>

/** Rows of an operation that may reject the query or the user. They are not in the request log. */
async function read<Row>(ctx: PageContext, path: string, parameters: Record<string, string | number>) {
  const isRejected = undefinedIf(({ status }) => [400, 403, 404].includes(status))
  return (await ctx.api.getUnlogged<Rows<Row>>(path, parameters).catch(isRejected))?.Data ?? []
}

async function findInstruments(ctx: PageContext, query: string): Promise<PaletteItem[]> {
  const isUic = /^[1-9]\d{0,8}$/.test(query)
  const [named, found] = await Promise.all([
    isUic ? read<InstrumentDetails>(ctx, '/ref/v1/instruments/details', { Uics: query, $top: maxItems }) : [],
    read<InstrumentSummary>(ctx, '/ref/v1/instruments', { Keywords: query, $top: maxItems }),
  ])
  const noteOf = (symbol: string | undefined, type: string, id: string) =>
    [symbol, assetTypeName(type), id].filter(Boolean).join(' · ')
  return [
    ...named
      .toSorted((one, other) => Number(isMain(other)) - Number(isMain(one)))
      .map((details) => ({
        name: nameOf(details),
        note: noteOf(details.Symbol, details.AssetType, `Uic ${details.Uic}`),
        href: instrumentHref(details.Uic, details.AssetType),
      })),
    ...found.map((row) => ({
      name: row.Description,
      note: noteOf(row.Symbol, row.AssetType, row.SummaryType === 'Instrument' ? `Uic ${row.Identifier}` : 'chain'),
      href: resultHref(row),
    })),
  ]
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
