import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { demoKey } from '../support/demo.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

/** The members of each kind of response with the demo data, by the path of their object. Omitting one breaks clients,
 *  even if the schema calls it optional. */
const committed = new URL('members.txt', import.meta.url)

const { url, baseUrl } = await serviceForFile({ reference: true })
const { access_token: token } = await obtainTokens(url)

type Places = Map<string, Set<string>>

/** Adds the members of every object in this value to those of its path. */
function gather(value: unknown, place: string, places: Places): void {
  if (Array.isArray(value)) for (const each of value) gather(each, `${place}[]`, places)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const members = places.get(place) ?? new Set()
  places.set(place, members)
  for (const [name, each] of Object.entries(value)) {
    members.add(name)
    gather(each, `${place}.${name}`, places)
  }
}

async function answer(path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = () => fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await (body ? post() : getRest(baseUrl, path, token))
  const text = await response.text()
  assert.ok(response.ok, `${path}: ${text}`)
  return JSON.parse(text)
}

const instruments = '/ref/v1/instruments'
const groups = 'FieldGroups=OrderSetting,SupportedOrderTypeSettings,TradingSessions'
const types =
  'Bond CfdOnIndex CfdOnStock ContractFutures Etc Etf FxForwards FxSpot FxVanillaOption MutualFund Stock StockOption'
/** The requests for each kind. */
const asked: Record<string, string[]> = {
  Search: [`${instruments}?$inlinecount=AllPages&IncludeNonTradable=true&$top=1000`, `${instruments}?Keywords=asml`],
  Details: types.split(' ').map((type) => `${instruments}/details?${groups}&$top=40&AssetTypes=${type}`),
  OptionSpace: [1, 30, 40].map((root) => `${instruments}/contractoptionspaces/${root}?OptionSpaceSegment=DefaultDates`),
  FuturesSpace: [`${instruments}/futuresspaces/5000`],
  TradingSchedule: [`${instruments}/tradingschedule/1000/Stock`],
  Events: ['IncludeSubAccounts=true', 'IncludeSubAccounts=false', `ClientKey=${demoKey('client bo')}`].map(
    (whose) => `/ca/v2/events?$top=1000&IncludeLapsedEvents=true&${whose}`,
  ),
  Lookup: ['/ca/v2/events/lookupdata'],
  User: ['/port/v1/users/me'],
  Client: ['/port/v1/clients/me'],
  Accounts: ['/port/v1/accounts/me'],
  SessionUser: ['/root/v1/user'],
  Exchanges: ['/ref/v1/exchanges'],
  CurrencyPairs: ['/ref/v1/currencypairs'],
  Currencies: ['/ref/v1/currencies'],
  Countries: ['/ref/v1/countries'],
  Languages: ['/ref/v1/languages'],
  Cultures: ['/ref/v1/cultures'],
  TimeZones: ['/ref/v1/timezones'],
  Apps: ['/developer/apps?IncludeSecrets=true'],
}

test('each kind of response has the fields that it always had', async () => {
  const places: Places = new Map()
  for (const [kind, paths] of Object.entries(asked)) for (const path of paths) gather(await answer(path), kind, places)
  const app = { Name: 'Members', Description: 'Of a test', Flow: 'Code', RedirectUri: 'https://app.example/callback' }
  const made = (await answer('/developer/apps', app)) as { AppKey: string }
  gather(made, 'App', places)
  const uri = { Uri: 'https://app.example/other', Description: 'Another', RedirectUriLabel: 'Other' }
  gather(await answer(`/developer/apps/${made.AppKey}/redirecturis`, uri), 'NewRedirectUri', places)
  const found = [...places].map(([place, members]) => `${place}: ${[...members].sort().join(' ')}`)

  if (process.env.WRITE_MEMBERS) await writeFile(committed, `${found.toSorted().join('\n')}\n`)
  const expected = (await readFile(committed, 'utf8')).trim().split('\n')
  const advice = 'After an intended change: WRITE_MEMBERS=1 node test/run.ts test/api/members.test.ts'
  assert.deepEqual(found.toSorted(), expected, advice)
})
