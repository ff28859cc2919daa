import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Event } from '../../src/events/api/schema.ts'
import { holdEverything } from '../api/sim/scenario-support.ts'
import { type Call, callWith, Traveller } from '../api/sim/support.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import { basic, obtainTokens, postToken, signInForCode } from '../support/sign-in.ts'

const service = await serviceForFile({ reference: true, env: { ACCESS_TOKEN_SECONDS: '86400' } })
const hour = 3_600
const day = 24 * hour
const tokenOf = async (user: string) => (await obtainTokens(service.url, { user })).access_token
const callAs = async (user: string): Promise<Call> => callWith(service, await tokenOf(user))
const ada = new Traveller(service, await tokenOf('ada'))

type Feed<Row> = { Data: Row[]; __count?: number; __next?: string }
type Summary = { Identifier: number; AssetType: string; Description: string; Symbol: string; GroupId?: number }

const get = async <Body>(path: string, call: Call = ada.call): Promise<Body> => {
  const { status, body } = await call<Body>('GET', path)
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body
}
const statusOf = async (path: string, call: Call = ada.call) => (await call('GET', path)).status
const eventOf = (id: string, query = '', call?: Call) => get<Event>(`/ca/v2/events/${id}?${query}`, call)
const listed = async (query = '', call?: Call) =>
  (await get<Feed<Event>>(`/ca/v2/events?$top=1000&${query}`, call)).Data.map(({ EventId }) => EventId)
const search = (query: string, call?: Call) => get<Feed<Summary>>(`/ref/v1/instruments?${query}`, call)
const applied = ({ Holdings = [] }: Event) =>
  Holdings.flatMap(({ Options = [] }) =>
    Options.map(({ OptionId, ElectedAmount, ElectionType }) => [OptionId, ElectedAmount, ElectionType]),
  )

/** Each claim is asserted while its scenario is loaded. */
const claims: Readonly<Record<string, () => Promise<void>>> = {
  async 'tender-offer'() {
    const open = await eventOf('SC-TENDER-81001')
    assert.deepEqual([open.Electable, open.ElectionStatus], ['Electable', 'NotElected'])
    assert.ok((await listed('ElectionStatuses=NotElected')).includes('SC-TENDER-81001'))
    await ada.travel({ AdvanceSeconds: 2 * day })
    assert.deepEqual(applied(await eventOf('SC-TENDER-81001')), [['002', 500, 'Auto']])
    await ada.home()
  },

  async 'dividend-option'() {
    const [deadline] = (await eventOf('SC-DVOP-81101')).Options?.map(({ Deadline }) => Deadline?.Date) ?? []
    const left = service.node.context.clock.now().until(Temporal.Instant.from(`${deadline}`))
    assert.ok(left.total('minutes') > 0 && left.total('minutes') <= 45, `${deadline}`)
    await ada.travel({ AdvanceSeconds: hour })
    assert.deepEqual(applied(await eventOf('SC-DVOP-81101')), [['001', 1200, 'Auto']])
    await ada.home()
  },

  async 'rights-lapse'() {
    assert.deepEqual(applied(await eventOf('SC-EXRI-81201')), [])
    await ada.travel({ AdvanceSeconds: 2 * day })
    assert.deepEqual(applied(await eventOf('SC-EXRI-81201')), [['002', 350, 'Auto']])
    await ada.home()
  },

  async 'corrected-events'() {
    const ids = await listed()
    assert.deepEqual(
      ['SC-DVCA-81301', 'SC-MEET-81301', 'SC-SOFF-81301'].map((id) => ids.includes(id)),
      [true, true, false],
    )
    const corrected = await eventOf('SC-DVCA-81301')
    assert.equal(corrected.Options?.[0]?.CashMovements?.[0]?.GrossDividend, 0.42)
    assert.match(corrected.Narrative ?? '', /^Second correction.*First correction/s)
    const elected = await ada.call<{ ErrorCode: string }>('PUT', '/ca/v2/elections', {
      EventId: 'SC-MEET-81301',
      AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==',
      Options: [{ OptionId: '001', Amount: 1 }],
    })
    assert.deepEqual([elected.status, elected.body.ErrorCode], [409, 'NotElectable'])
  },

  async 'option-expiry-today'() {
    type Space = { OptionSpace: { Expiry: string; DisplayDaysToExpiry: number }[] }
    const days = async () =>
      (await get<Space>('/ref/v1/instruments/contractoptionspaces/81490')).OptionSpace.map(
        ({ DisplayDaysToExpiry }) => DisplayDaysToExpiry,
      )
    const [today, next, ...more] = await days()
    assert.equal(today, 0)
    assert.ok((next ?? 0) > 20 && more.length === 0, `${next}`)
    await ada.travel({ AdvanceSeconds: day })
    assert.deepEqual(await days(), [(next ?? 0) - 1])
    await ada.home()
  },

  async 'split-adjusted-root'() {
    const { Data } = await search('Keywords=Cedar%20Rail&AssetTypes=StockOption')
    assert.deepEqual(Data.map(({ Symbol }) => Symbol).sort(), ['CDRL1:xcbo', 'CDRL:xcbo'])
    const sizes = await Promise.all(
      [81590, 81591].map(async (id) => get<{ ContractSize: number }>(`/ref/v1/instruments/contractoptionspaces/${id}`)),
    )
    assert.deepEqual(
      sizes.map(({ ContractSize }) => ContractSize),
      [100, 150],
    )
  },

  async 'half-day'() {
    type Schedule = { Sessions: { State: string; StartTime: string; EndTime: string }[] }
    const { Sessions } = await get<Schedule>('/ref/v1/instruments/tradingschedule/81601/Stock')
    const open = Sessions.filter(({ State }) => State === 'AutomatedTrading').map(({ EndTime }) => EndTime)
    const today = service.node.context.clock.now().toZonedDateTimeISO('UTC').toPlainDate()
    assert.equal(open[0]?.slice(0, 16), `${today}T13:00`)
    assert.ok(
      open.every((end) => !end.startsWith(today.add({ days: 1 }).toString())),
      open.join(' '),
    )
  },

  async 'many-events'() {
    const emil = await callAs('emil')
    const seen: string[] = []
    let pages = 0
    let path: string | undefined = '/ca/v2/events?$top=1000&$inlinecount=AllPages'
    while (path !== undefined) {
      const page: Feed<Event> = await get(path, emil)
      assert.equal(page.__count, 2_000)
      seen.push(...page.Data.map(({ EventId }) => EventId))
      pages += 1
      path = page.__next?.slice(service.baseUrl.length)
    }
    assert.deepEqual([pages, seen.length, new Set(seen).size], [2, 2_000, 2_000])
    assert.ok(!(await listed()).some((id) => id.startsWith('SC-MANY')), 'other clients do not see them')
  },

  async 'sub-clients'() {
    const fay = await callAs('fay')
    assert.deepEqual(
      (await eventOf('SC-DVCA-81801', '', fay)).Holdings?.map(({ Amount }) => Amount),
      [100],
    )
    const all = await eventOf('SC-DVCA-81801', 'IncludeSubAccounts=true', fay)
    assert.deepEqual([all.AffectedAccounts, all.EligibleHoldings], [4, 400])
  },

  async 'ending-secret'() {
    type Secrets = Feed<{ ValidUntil?: string; EndDate?: string }>
    const { body } = await ada.call<Secrets>('GET', '/developer/apps/5c000000000000000000000000000901/secrets')
    const end = Temporal.Instant.from(body.Data[0]?.EndDate ?? body.Data[0]?.ValidUntil ?? '')
    const hours = service.node.context.clock.now().until(end).total('hours')
    assert.ok(hours > 47 && hours <= 48, `${hours} hours`)
    const app = await get<{ Status: string }>('/developer/apps/5c000000000000000000000000000902')
    assert.equal(app.Status, 'Pending')
  },

  async 'app-without-rights'() {
    const gil = await callAs('gil')
    assert.deepEqual((await search('Keywords=Apple', gil)).Data, [])
    assert.equal(await statusOf('/ref/v1/instruments/details/1000/Stock', gil), 404)
    assert.notDeepEqual((await search('Keywords=Apple')).Data, [])
    const [client_id, secret] = ['5c000000000000000000000000001001', '5c0000000000000000000000000010a1']
    noteSecret('secret', secret)
    const redirect_uri = 'http://localhost:5003/callback'
    const code = await signInForCode(service.url, { response_type: 'code', client_id, redirect_uri, state: 's' })
    const form = { grant_type: 'authorization_code', code, redirect_uri }
    const { body } = await postToken(service.url, form, basic(client_id, secret))
    const bare = callWith(service, body.access_token)
    assert.equal((await bare('POST', '/x/v1/reset', { Confirm: 'reset' })).status, 403)
  },

  async 'scripts-and-markup'() {
    for (const [keyword, uic] of [
      ['Ναυτιλία', 82001],
      ['Морской', 82002],
      ['البحر', 82003],
      ['海風', 82004],
      ['सागर', 82005],
    ] as const) {
      const { Data } = await search(`Keywords=${encodeURIComponent(keyword)}&AssetTypes=Stock`)
      assert.deepEqual([Data[0]?.Identifier, Data.length], [uic, 1], keyword)
    }
    const { Narrative = '', DisplayAndFormat } = await eventOf('SC-XSS-82006')
    assert.match(Narrative, /^<img src=x onerror=alert\(1\)> <a href="javascript:alert\(2\)">/)
    assert.equal(DisplayAndFormat?.Description, `<script>alert('refdesk')</script> & "Sons" <b>Inc.</b>`)
  },
}

describe('shipped scenarios', () => {
  let isUnchanged: () => Promise<void>
  before(async () => {
    isUnchanged = await holdEverything(service.database.connection)
  })

  test('each has a claim that is tested here', async () => {
    const { Data } = await get<Feed<{ Name: string; IsShipped: boolean }>>('/x/v1/scenarios')
    assert.deepEqual(Data.map(({ Name }) => Name).sort(), Object.keys(claims).sort())
  })

  for (const [name, claim] of Object.entries(claims))
    test(`${name} shows what it says`, async () => {
      const loaded = await ada.call('PUT', `/x/v1/scenarios/${name}`)
      assert.equal(loaded.status, 200, JSON.stringify(loaded.body))
      await claim()
      assert.equal((await ada.call('DELETE', `/x/v1/scenarios/${name}`)).status, 204)
    })

  test('unloaded, they leave nothing behind', () => isUnchanged())
})
