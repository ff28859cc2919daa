import type { TSchema } from 'typebox'
import { etagOf, sendWithEtag } from '../http/output/caching.ts'
import type { Server } from '../http/typed-server.ts'
import { countries } from './countries.ts'
import { cultures, languages } from './cultures.ts'
import { currencies } from './currencies.ts'
import * as schema from './schema.ts'
import { timeZones } from './time-zones.ts'

type List = Readonly<{
  path: string
  operationId: string
  summary: string
  description: string
  answer: TSchema
  rows: () => object[]
  /** Another text when the rows are others; without it they never are. */
  version?: () => string
}>

const staticLists: readonly List[] = [
  {
    path: 'countries',
    operationId: 'listCountries',
    summary: 'All countries',
    description:
      'ISO 3166-1 whole, by name: what the country codes of exchanges and issuers stand for. ZZ, which stands for no ' +
      'country, is not in it.',
    answer: schema.CountryList,
    rows: countries,
  },
  {
    path: 'currencies',
    operationId: 'listCurrencies',
    summary: 'All currencies',
    description:
      'ISO 4217 as far as it is in use, with the offshore renminbi and the metals that are traded like currencies: how ' +
      'amounts are written. Which of them are traded against each other is told by `currencypairs`.',
    answer: schema.CurrencyList,
    rows: currencies,
  },
  {
    path: 'languages',
    operationId: 'listLanguages',
    summary: 'All languages',
    description: 'Languages by their code, to choose one from. refdesk itself answers in English.',
    answer: schema.LanguageList,
    rows: languages,
  },
  {
    path: 'cultures',
    operationId: 'listCultures',
    summary: 'All cultures',
    description: 'A language as it is written in a country: what a program formats dates and numbers by.',
    answer: schema.CultureList,
    rows: cultures,
  },
]

/** Lists that are the same for everybody. `zonesInUse` are those of the exchanges there are, under the names they have. */
export function referenceRoutes(api: Server, zonesInUse: () => Iterable<string>): void {
  const zones: List = {
    path: 'timezones',
    operationId: 'listTimeZones',
    summary: 'All time zones',
    description:
      'What the numbers of time zones stand for that exchanges, trading schedules and users have. A number once given ' +
      'stays with its zone, so that a program may keep the list.',
    answer: schema.TimeZoneList,
    rows: () => timeZones(zonesInUse()),
    version: () => [...zonesInUse()].join(),
  }
  for (const list of [...staticLists, zones]) listRoute(api, list)
}

function listRoute(api: Server, { path, answer, rows, version = () => '', ...words }: List): void {
  const listed = kept(version, () => {
    const body = Buffer.from(JSON.stringify({ Data: rows() }))
    return { body, tag: etagOf([body.toString()]) }
  })
  api.get(
    `/ref/v1/${path}`,
    { schema: { ...words, documented: { etag: true }, tags: ['ref'], response: { 200: answer } } },
    async (request, reply) => {
      const { body, tag } = listed()
      reply.header('content-type', 'application/json; charset=utf-8')
      return sendWithEtag(request, reply, tag, () => body)
    },
  )
}

/** Made when it is first asked for, and anew when the version is another one. */
function kept<Value>(version: () => string, make: () => Value): () => Value {
  let known: { version: string; value: Value } | undefined
  return () => {
    const present = version()
    if (known?.version !== present) known = { version: present, value: make() }
    return known.value
  }
}
