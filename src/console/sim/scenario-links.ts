import type { Static } from 'typebox'
import type { Event } from '../../events/api/schema.ts'
import type { InstrumentSummary, OptionSpace } from '../../instruments/api/schema.ts'
import type { ScenarioDetails } from '../../sim/api/scenario-schema.ts'
import { apiPath as appPath } from '../apps/app-data.ts'
import { allStates, eventsPath } from '../events/event-data.ts'
import { instrumentName, typeName } from '../events/labels.ts'
import { nameOf, resultHref, scheduleHref } from '../instruments/pages/names.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { Link } from '../shared/elements.ts'

export type Details = Static<typeof ScenarioDetails>

/** The pages that show what a scenario brought: what this user may see of the first few records of each kind. */
export async function linksOf(ctx: PageContext, { Records = [] }: Details): Promise<Link[]> {
  const keysOf = (kind: string) => Records.find(({ Kind }) => Kind === kind)?.Keys ?? []
  const hasHours = Records.some(({ Kind }) => Kind === 'exchange' || Kind === 'calendar')
  const found = await Promise.all([
    ...keysOf('event').map((id) => eventLink(ctx, id)),
    ...keysOf('optionRoot').map((id) => chainLink(ctx, id)),
    instrumentLinks(ctx, keysOf('instrument'), hasHours),
    ...keysOf('app').map((key) => appLink(ctx, key)),
  ])
  return found.flat()
}

const hiddenFromUser = undefinedIf(({ status }) => status === 403 || status === 404)

async function find<Body>(ctx: PageContext, path: string, parameters = {}): Promise<Body | undefined> {
  return ctx.api.get<Body>(path, parameters).catch(hiddenFromUser)
}

async function eventLink(ctx: PageContext, id: string): Promise<Link[]> {
  const path = `${eventsPath}/${encodeURIComponent(id)}`
  const event = await find<Event>(ctx, path, { EventStates: allStates })
  return event ? [[`${typeName(event)}, ${instrumentName(event)}`, `/console/events/${encodeURIComponent(id)}`]] : []
}

async function chainLink(ctx: PageContext, id: string): Promise<Link[]> {
  const path = `/ref/v1/instruments/contractoptionspaces/${id}`
  const root = await find<OptionSpace>(ctx, path, { OptionSpaceSegment: 'None' })
  return root ? [[`Options, ${nameOf(root)} (${root.Symbol})`, `/console/options/${id}`]] : []
}

async function instrumentLinks(ctx: PageContext, uics: readonly string[], hasHours: boolean): Promise<Link[]> {
  if (uics.length === 0) return []
  const query = { Uics: uics, IncludeNonTradable: true }
  const { Data } = await ctx.api.get<{ Data: InstrumentSummary[] }>('/ref/v1/instruments', query)
  return Data.flatMap((each): Link[] => [
    [each.Description, resultHref(each)],
    ...(hasHours
      ? [[`Trading hours, ${each.Description}`, scheduleHref(each.Identifier, each.AssetType)] as const]
      : []),
  ])
}

async function appLink(ctx: PageContext, key: string): Promise<Link[]> {
  const app = await find<{ Name: string }>(ctx, appPath(key))
  return app ? [[app.Name, `/console/apps/${encodeURIComponent(key)}`]] : []
}
