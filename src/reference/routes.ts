import { addOperation, type Operation, operation } from '../http/operation.ts'
import { etagOf, sendWithEtag } from '../http/output/caching.ts'
import type { Server } from '../http/typed-server.ts'
import { countries } from './countries.ts'
import { cultures, languages } from './cultures.ts'
import { currencies } from './currencies.ts'
import { Country, Culture, Currency, Language, ListOf, TimeZone } from './schema.ts'
import { timeZones } from './time-zones.ts'

const shared = { method: 'GET', documented: { etag: true } } as const

export const listCountries = operation({
  ...shared,
  path: '/ref/v1/countries',
  operationId: 'listCountries',
  summary: 'List countries',
  description: 'Returns all countries of ISO 3166-1 by name. Excludes ZZ, which means no country.',
  responses: { 200: ListOf(Country) },
})

export const listCurrencies = operation({
  ...shared,
  path: '/ref/v1/currencies',
  operationId: 'listCurrencies',
  summary: 'List currencies',
  description:
    'Returns the active currencies of ISO 4217, the offshore renminbi and the metals traded like currencies, with how ' +
    'their amounts are written. For the pairs that are traded, list currency pairs.',
  responses: { 200: ListOf(Currency) },
})

export const listLanguages = operation({
  ...shared,
  path: '/ref/v1/languages',
  operationId: 'listLanguages',
  summary: 'List languages',
  description: 'Returns languages by code. refdesk itself responds in English.',
  responses: { 200: ListOf(Language) },
})

export const listCultures = operation({
  ...shared,
  path: '/ref/v1/cultures',
  operationId: 'listCultures',
  summary: 'List cultures',
  description: 'Returns cultures by code: a language and a country, by which programs format dates and numbers.',
  responses: { 200: ListOf(Culture) },
})

export const listTimeZones = operation({
  ...shared,
  path: '/ref/v1/timezones',
  operationId: 'listTimeZones',
  summary: 'List time zones',
  description:
    'Returns the time zones behind the numbers that exchanges, trading schedules and users have. A number never changes ' +
    'its meaning, so programs may keep the list.',
  responses: { 200: ListOf(TimeZone) },
})

/** Lists that are the same for every caller. `zonesInUse` are the time zones of the exchanges. */
export function referenceRoutes(api: Server, zonesInUse: () => Iterable<string>): void {
  addList(api, listCountries, countries)
  addList(api, listCurrencies, currencies)
  addList(api, listLanguages, languages)
  addList(api, listCultures, cultures)
  const zonesKey = () => [...zonesInUse()].join()
  addList(api, listTimeZones, () => timeZones(zonesInUse()), zonesKey)
}

/** Builds the body on the first request, and again when the version changes. */
function addList(api: Server, declared: Operation, rows: () => object[], version = () => ''): void {
  let built: { version: string; body: Buffer; tag: string } | undefined
  addOperation(api, declared, async (request, reply) => {
    const current = version()
    if (built?.version !== current) {
      const text = JSON.stringify({ Data: rows() })
      built = { version: current, body: Buffer.from(text), tag: etagOf([text]) }
    }
    const { body, tag } = built
    reply.header('content-type', 'application/json; charset=utf-8')
    return sendWithEtag(request, reply, tag, () => body)
  })
}
