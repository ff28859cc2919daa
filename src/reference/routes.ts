import { Type } from 'typebox'
import type { MaybePromise } from '../core/async/maybe-promise.ts'
import type { Clock } from '../core/clock.ts'
import { addOperation, type Operation, operation } from '../http/operation.ts'
import { sendWithBodyEtag } from '../http/output/caching.ts'
import { FeedOf, feed, pageOf, wholeListMaxRows, wholeListQuery } from '../http/output/feed.ts'
import type { Server } from '../http/typed-server.ts'
import { countries } from './countries.ts'
import { cultures, languages } from './cultures.ts'
import { currencies } from './currencies.ts'
import { Country, Culture, Currency, Language, TimeZone } from './schema.ts'
import { quarterHourOf, timeZones } from './time-zones.ts'

const query = Type.Object(wholeListQuery())
const shared = { method: 'GET', documented: { etag: true }, query } as const

export const listCountries = operation({
  ...shared,
  path: '/ref/v1/countries',
  operationId: 'listCountries',
  summary: 'List countries',
  description: 'Returns all countries of ISO 3166-1 by name. Excludes ZZ, which means no country.',
  responses: { 200: FeedOf(Country) },
})

export const listCurrencies = operation({
  ...shared,
  path: '/ref/v1/currencies',
  operationId: 'listCurrencies',
  summary: 'List currencies',
  description:
    'Returns the active currencies of ISO 4217, the offshore renminbi and the metals traded like currencies, with how ' +
    'their amounts are written. For the pairs that are traded, list currency pairs.',
  responses: { 200: FeedOf(Currency) },
})

export const listLanguages = operation({
  ...shared,
  path: '/ref/v1/languages',
  operationId: 'listLanguages',
  summary: 'List languages',
  description: 'Returns languages by code. refdesk itself responds in English.',
  responses: { 200: FeedOf(Language) },
})

export const listCultures = operation({
  ...shared,
  path: '/ref/v1/cultures',
  operationId: 'listCultures',
  summary: 'List cultures',
  description: 'Returns cultures by code: a language and a country, by which programs format dates and numbers.',
  responses: { 200: FeedOf(Culture) },
})

export const listTimeZones = operation({
  ...shared,
  path: '/ref/v1/timezones',
  operationId: 'listTimeZones',
  summary: 'List time zones',
  description:
    'Returns the time zones behind the numbers that exchanges, trading schedules and users have, with their current ' +
    'offsets. A number never changes its meaning, so programs may keep the list.',
  responses: { 200: FeedOf(TimeZone) },
})

/** Lists that are the same for every caller. `zonesInUse` are the time zones of the exchanges. */
export function referenceRoutes(api: Server, baseUrl: string, zonesInUse: () => Iterable<string>, clock: Clock): void {
  const add = (declared: List, rows: () => MaybePromise<object[]>, version?: () => string) =>
    addList(api, `${baseUrl}${declared.path}`, declared, rows, version)
  add(listCountries, countries)
  add(listCurrencies, currencies)
  add(listLanguages, languages)
  add(listCultures, cultures)
  const zonesKey = () => [quarterHourOf(clock.now()), ...zonesInUse()].join()
  add(listTimeZones, () => timeZones(zonesInUse(), clock.now()), zonesKey)
}

type List = Operation & Readonly<{ query: typeof query }>

/** Builds the rows on the first request, and again when the version changes. Concurrent requests share a build. */
function addList(
  api: Server,
  address: string,
  declared: List,
  rows: () => MaybePromise<object[]>,
  version = () => '',
): void {
  const build = async () => rows()
  let latest: Readonly<{ version: string; list: ReturnType<typeof build> }> | undefined
  const listOf = (current: string) => {
    if (latest?.version === current) return latest.list
    const list = build()
    const building = { version: current, list }
    latest = building
    list.catch(() => {
      if (latest === building) latest = undefined
    })
    return list
  }
  addOperation(api, declared, async (request, reply) => {
    const all = await listOf(version())
    const page = pageOf(request, address, all)
    reply.header('content-type', 'application/json; charset=utf-8')
    const body = feed({ ...page, count: all.length, maxRows: wholeListMaxRows })
    return sendWithBodyEtag(request, reply, Buffer.from(JSON.stringify(body)))
  })
}
