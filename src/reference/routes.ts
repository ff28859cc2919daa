import type { MaybePromise } from '../core/async/maybe-promise.ts'
import type { Clock } from '../core/clock.ts'
import { addOperation, type Operation, operation } from '../http/operation.ts'
import { etagOf, sendWithEtag } from '../http/output/caching.ts'
import { FeedOf, feed, wholeListMaxRows } from '../http/output/feed.ts'
import type { Server } from '../http/typed-server.ts'
import { countries } from './countries.ts'
import { cultures, languages } from './cultures.ts'
import { currencies } from './currencies.ts'
import { Country, Culture, Currency, Language, TimeZone } from './schema.ts'
import { quarterHourOf, timeZones } from './time-zones.ts'

const shared = { method: 'GET', documented: { etag: true } } as const

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
export function referenceRoutes(api: Server, zonesInUse: () => Iterable<string>, clock: Clock): void {
  addList(api, listCountries, countries)
  addList(api, listCurrencies, currencies)
  addList(api, listLanguages, languages)
  addList(api, listCultures, cultures)
  const zonesKey = () => [quarterHourOf(clock.now()), ...zonesInUse()].join()
  addList(api, listTimeZones, () => timeZones(zonesInUse(), clock.now()), zonesKey)
}

/** Builds the body on the first request, and again when the version changes. Concurrent requests share a build. */
function addList(api: Server, declared: Operation, rows: () => MaybePromise<object[]>, version = () => ''): void {
  const build = async () => {
    const data = await rows()
    const text = JSON.stringify(feed({ data, count: data.length, maxRows: wholeListMaxRows }))
    return { body: Buffer.from(text), tag: etagOf([text]) }
  }
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
    const { body, tag } = await listOf(version())
    reply.header('content-type', 'application/json; charset=utf-8')
    return sendWithEtag(request, reply, tag, () => body)
  })
}
