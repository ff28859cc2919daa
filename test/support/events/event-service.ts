import assert from 'node:assert/strict'
import type { Event } from '../../../src/events/api/schema.ts'
import type { EventRecord, PositionRecord } from '../../../src/events/import/schema.ts'
import { readRevision } from '../../../src/instruments/store/reference.ts'
import { FixedClock } from '../clock.ts'
import { demoAccounts, demoClients, demoKey } from '../demo.ts'
import { exchange, importTexts, instrument, lines } from '../service/import.ts'
import { serviceForFile, type TestService } from '../service/service.ts'
import { getRest, obtainTokens } from '../sign-in.ts'

export const today = '2026-11-16'
export const path = '/ca/v2/events'

/** Clients of the demo data: bo and dee are sub-clients of ada. */
export const clientKeys = {
  ada: demoKey('client ada'),
  bo: demoKey('client bo'),
  dee: demoKey('client dee'),
  cy: demoKey('client cy'),
}
/** Their accounts; ada has three. */
export const accountKeys = {
  ada: demoKey('account 9226397'),
  ada2: demoKey('account 9226398'),
  treasury: demoKey('account 9226400'),
  bo: demoKey('account 9300101'),
  dee: demoKey('account 9300201'),
  cy: demoKey('account 9400001'),
}
export const groupKeys = { family: demoKey('group ada Family'), treasury: demoKey('group ada Treasury') }
export { demoAccounts, demoClients }

export const stocks = [
  instrument(1, {
    Description: 'Novo Nordisk B',
    Symbol: 'NOVOb:xcse',
    Isin: 'DK0062498333',
    As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }],
  }),
  instrument(2, { Description: 'Nestlé', Symbol: 'NESN:xvtx', Isin: 'CH0038863350' }),
  instrument(3, { Description: 'abrdn plc', Symbol: 'ABDN:xlon' }),
]

type Records = Readonly<{
  positions?: readonly PositionRecord[]
  events?: readonly EventRecord[]
  env?: Record<string, string>
}>
type Feed = { __count: number; __next?: string; MaxRows: number; Data: Event[] }
type ErrorBody = { ErrorCode: string; Message: string; ModelState?: Record<string, string[]> }
export type EventService = Awaited<ReturnType<typeof eventService>>

/** A service at noon of `today` with three stocks and the given positions and events. */
export async function eventService({ positions = [], events = [], env = {} }: Records) {
  const service = await serviceForFile({ env, clock: new FixedClock(`${today}T12:00:00Z`) })
  await importRecords(service, [
    exchange,
    ...stocks,
    ...positions.map((one) => ({ kind: 'position', ...one })),
    ...events.map((one) => ({ kind: 'event', ...one })),
  ])
  await service.node.catalogue.reached(await readRevision(service.node.context.db))
  const tokens = new Map<string, string>()
  for (const user of ['ada', 'bo', 'cy']) tokens.set(user, (await obtainTokens(service.url, { user })).access_token)

  const ask = (query = '', user = 'ada') => getRest(service.baseUrl, `${path}${query}`, tokens.get(user) ?? '')

  async function getJson<Body>(query: string, user?: string): Promise<Body> {
    const response = await ask(query, user)
    assert.equal(response.status, 200, `${query}: ${await response.clone().text()}`)
    return (await response.json()) as Body
  }

  return {
    service,
    ask,
    /** Operation 7. */
    list: (query = '', user?: string) => getJson<Feed>(`?${query}`, user),
    /** The ids of all listed events, in order. */
    ids: async (query = '', user?: string) => {
      const { Data, __count } = await getJson<Feed>(`?$top=1000&${query}`, user)
      assert.equal(__count, Data.length)
      return Data.map(({ EventId }) => EventId)
    },
    /** Operation 8. */
    find: (id: string, query = '', user?: string) => getJson<Event>(`/${encodeURIComponent(id)}?${query}`, user),
    /** Operation 9: the codes of each group. */
    lookup: async (query = '', user?: string) => {
      type Groups = { Data: { FieldGroup: string; Values: { Code: string; Name: string }[] }[] }
      return (await getJson<Groups>(`/lookupdata?${query}`, user)).Data
    },
    /** Asserts a 400 error that names exactly these fields, each with a reason. */
    rejects: async (address: string, ...fields: string[]) => {
      const response = await ask(address)
      const body = (await response.json()) as ErrorBody
      assert.deepEqual([address, response.status, body.ErrorCode], [address, 400, 'InvalidModelState'])
      assert.deepEqual(Object.keys(body.ModelState ?? {}).sort(), fields.toSorted(), address)
      for (const reasons of Object.values(body.ModelState ?? {}))
        assert.ok(reasons.every((reason) => reason.length > 5))
    },
    /** Status and body of an error. */
    errorOf: async (address: string, user?: string) => {
      const response = await ask(address, user)
      return { status: response.status, body: (await response.json()) as ErrorBody }
    },
  }
}

export async function importRecords(service: TestService, records: object[]): Promise<void> {
  const { errors } = await importTexts(service.database.connection, { 'records.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
}

export const position = (AccountKey: string, Uic: number, Amount: number, more: Partial<PositionRecord> = {}) => ({
  AccountKey,
  Uic,
  AssetType: 'Stock' as const,
  Amount,
  ...more,
})

export const event = (EventId: string, Uic: number, more: Partial<EventRecord> = {}): EventRecord => ({
  EventId,
  Uic,
  AssetType: 'Stock',
  CorporateActionType: 'Mandatory',
  EventType: { Code: 'DVCA' },
  EventState: 'Confirmed',
  Ex: { Date: today },
  ...more,
})
