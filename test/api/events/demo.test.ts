import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../src/events/api/schema.ts'
import { readDemo } from '../../../src/sim/demo/read.ts'
import { demoClients, demoKey } from '../../support/demo.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await sharedDemoService()
const today = service.clock.now().toZonedDateTimeISO('UTC').toPlainDate()
const { events } = await readDemo(today)

type EventView = {
  EventId: string
  EventType: { Code: string }
  EventState: string
  EventStatus: string
  ElectionStatus?: string
  Holdings: { AccountId: string; Amount: number; ElectedAmount: number }[]
}
type Feed = { __count: number; Data: EventView[] }

const tokens = new Map<string, string>()

async function tokenOf(user: string): Promise<string> {
  const token = tokens.get(user) ?? (await obtainTokens(service.url, { user })).access_token
  tokens.set(user, token)
  return token
}

async function get<T>(path: string, user = 'ada'): Promise<T> {
  const response = await getRest(service.baseUrl, `/ca/v2/events${path}`, await tokenOf(user))
  assert.equal(response.status, 200, path)
  return (await response.json()) as T
}

const list = (query: Record<string, string> = {}, user?: string): Promise<Feed> =>
  get(`?${new URLSearchParams({ $inlinecount: 'AllPages', ...query })}`, user)

const idOf = (code: string, uic: number): string => {
  const id = events.find(({ EventType, Uic }) => EventType.Code === code && Uic === uic)?.EventId
  assert.ok(id, `${code} ${uic}`)
  return id
}

test('ada lists forty events at least, and every other client eight', async () => {
  assert.ok((await list()).__count >= 40)
  for (const { ClientKey, Name } of demoClients.filter((client) => client.OwnerClientKey))
    assert.ok((await list({ ClientKey })).__count >= 8, Name)
  assert.ok((await list({}, 'bo')).__count >= 8)
  assert.ok((await list({}, 'cy')).__count >= 8)
})

test('filters show a difference', async () => {
  const all = await list()
  const queries: Record<string, string>[] = [
    { EventStates: 'Withdrawn' },
    { CorporateActionTypes: 'Voluntary' },
    { AssetTypes: 'Bond' },
    { AssetTypes: 'CfdOnStock' },
    { EventStatus: 'Upcoming' },
    { EventStatus: 'Past' },
    { ElectionStatuses: 'PartialElected' },
    { ElectionStatuses: 'Elected' },
    { ElectionStatuses: 'NotElected' },
    { Keywords: 'nestle' },
    { FromDeadlineDate: today.toString(), ToDeadlineDate: today.add({ days: 3 }).toString() },
    { AccountGroupKey: demoKey('group ada Treasury') },
  ]
  for (const query of queries) {
    const { __count } = await list(query)
    assert.ok(__count > 0 && __count < all.__count, `${JSON.stringify(query)} ${__count}`)
  }
  for (const more of [{ IncludeLapsedEvents: 'true' }, { IncludeSubAccounts: 'true' }])
    assert.ok((await list(more)).__count > all.__count, JSON.stringify(more))
})

test('events that are older than a year, complete or cancelled are read by id only', async () => {
  const listed = new Set((await list({ $top: '1000' })).Data.map(({ EventId }) => EventId))
  const vodafone = idOf('DVCA', 1429)
  assert.ok(!listed.has(vodafone))
  assert.equal((await get<EventView>(`/${vodafone}`)).EventStatus, 'Past')
  const states = { Complete: idOf('DVCA', 1118), Cancelled: idOf('DVCA', 1015) }
  for (const [state, id] of Object.entries(states)) {
    assert.ok(!listed.has(id))
    assert.equal((await get<EventView>(`/${id}?EventStates=${state}`)).EventState, state)
  }
})

test('an account has the holding of the record date, even if it was empty', async () => {
  const holdings = async (code: string, uic: number) => {
    const { Holdings } = await get<EventView>(`/${idOf(code, uic)}`)
    return Object.fromEntries(Holdings.map(({ AccountId, Amount }) => [AccountId, Amount]))
  }
  // Johnson & Johnson was added to later, HSBC sold later, NVIDIA bought later.
  assert.deepEqual(await holdings('DVCA', 1108), { 9226398: 90 })
  assert.deepEqual(await holdings('DVCA', 1402), { 9226397: 500, 9226400: 3000 })
  assert.deepEqual(await holdings('DVCA', 1002), { 9226397: 0, 9226398: 1200 })
})

test('a short position has a negative amount', async () => {
  const { Data } = await list({ AssetTypes: 'CfdOnStock', EventTypes: 'DVCA' }, 'cy')
  assert.deepEqual(
    Data.map(({ Holdings }) => Holdings.map(({ Amount }) => Amount)),
    [[-200]],
  )
})

test('the rights issue is partly elected by ada, and fully by bo', async () => {
  const id = idOf('RHTS', 1811)
  const [ada, bo] = [await get<EventView>(`/${id}`), await get<EventView>(`/${id}`, 'bo')]
  assert.equal(ada.ElectionStatus, 'PartialElected')
  assert.equal(bo.ElectionStatus, 'Elected')
  assert.deepEqual(
    bo.Holdings.map(({ Amount, ElectedAmount }) => [Amount, ElectedAmount]),
    [[50, 50]],
  )
})

test('open dates, prices of reinvestment, reserved cash and the reasons of instructions', async () => {
  const option = async (code: string, uic: number, id: string) =>
    (await get<Event>(`/${idOf(code, uic)}`)).Options?.find(({ OptionId }) => OptionId === id)
  assert.deepEqual((await option('CLSA', 1139, '003'))?.Deadline, { Status: 'Ongoing' })
  assert.deepEqual((await option('DVOP', 1518, '002'))?.Payment, { Status: 'Unknown' })
  const [reinvested] = (await option('DRIP', 2202, '002'))?.SecurityMovements ?? []
  assert.deepEqual([reinvested?.ReinvestmentPrice, reinvested?.Currency], [42.41, 'AUD'])
  assert.ok((reinvested?.PariPassu?.Date ?? '') > today.toString())
  const cash = (await get<Event>(`/${idOf('PRIO', 1446)}`)).Holdings?.flatMap(({ CashReserved }) => CashReserved ?? [])
  assert.deepEqual(cash, [{ Currency: 'GBP', Type: 'Actual', Value: 369 }])
  const [rejected] = (await get<Event>(`/${idOf('DVOP', 1411)}`, 'bo')).Holdings?.[0]?.Options ?? []
  assert.deepEqual(rejected?.Instruction?.Status, 'Rejected')
  assert.match(rejected?.Instruction?.Reason ?? '', /elected already/)
})
