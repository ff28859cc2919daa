import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import type { Event } from '../../../src/events/api/schema.ts'
import type { CalendarView } from '../../../src/events/calendar/schema.ts'
import { FixedClock } from '../clock.ts'
import { demoKey } from '../demo.ts'
import { noteSecret } from '../runner/log-check.ts'
import { importTexts, instrument, lines } from '../service/import.ts'
import { demoLoadedAt } from '../service/postgres.ts'
import { serviceForFile } from '../service/service.ts'
import { Browser, getRest, obtainTokens } from '../sign-in.ts'
import { path } from './event-service.ts'

/** Own instruments, so that Keywords find only these events. */
export const ours = 'Keywords=calendar%20trial'
const event = (EventId: string, Uic: number, more: object) => ({
  kind: 'event',
  EventId,
  Uic,
  AssetType: 'Stock',
  CorporateActionType: 'Mandatory',
  EventType: { Code: 'DVCA' },
  EventState: 'Confirmed',
  UpdatedDateTime: '2026-11-02T09:30:00Z',
  ...more,
})
const uics = [4_000_000_001, 4_000_000_002]
/** Three accounts of ada, the last in another group; one of bo, a sub-client of ada; one of cy. */
const holders = ['9226397', '9226398', '9226400', '9300101', '9400001'].map((id) => demoKey(`account ${id}`))
export const trial = { Filters: { Keywords: 'calendar trial' } }

export function entriesIn(calendar: string): ICAL.Event[] {
  return new ICAL.Component(ICAL.parse(calendar)).getAllSubcomponents('vevent').map((entry) => new ICAL.Event(entry))
}

/** The dates that ical.js finds, and those of the events. */
export const foundIn = (calendar: string) =>
  entriesIn(calendar).map(({ uid, startDate }) => `${uid.split('/')[0]} ${startDate}`)
export function datesOf({ EventId, Ex, Record, Effective, Options = [] }: Event): string[] {
  const open = Options.filter(({ OptionStatus }) => OptionStatus !== 'Cancelled' && OptionStatus !== 'Inactive')
  const days = [Ex, Record, Effective].map((day) => day?.Date?.slice(0, 10))
  const deadlines = open.map(({ Deadline }) => Deadline?.Date?.replace(/T00:00:00Z$/, '').replace(/\.\d+Z$/, 'Z'))
  const payments = open.map(({ Payment }) => Payment?.Date?.slice(0, 10))
  const dates = [days, [...new Set(deadlines)], [...new Set(payments)]].flat().filter((date) => date !== undefined)
  return dates.map((date) => `${encodeURIComponent(EventId)} ${date}`)
}

export type Made = CalendarView & { Address: string; ErrorCode?: string; ModelState?: object }
export const tokenOf = ({ Address }: Made): string =>
  /\/calendar\/([0-9a-f]{32})\.ics$/.exec(Address)?.[1] ?? assert.fail(Address)

const records = lines(
  ...uics.map((uic) => instrument(uic, { Description: `Calendar Trial ${uic % 10}` })),
  ...uics.flatMap((Uic) =>
    holders.map((AccountKey) => ({ kind: 'position', AccountKey, Uic, AssetType: 'Stock', Amount: 100 })),
  ),
  event('trial dividend', uics[0] as number, {
    Ex: { Date: '2026-12-01' },
    Record: { Date: '2026-12-02' },
    Options: [{ OptionId: '1', OptionType: { Code: 'CASH' }, IsDefault: true, Payment: { Date: '2026-12-15' } }],
  }),
  event('trial tender', uics[1] as number, {
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'TEND' },
    Effective: { Date: '2026-12-20' },
    Options: [
      {
        OptionId: '1',
        OptionType: { Code: 'CASH' },
        Deadline: { Date: '2026-12-10T16:00:00Z' },
        Payment: { Date: '2026-12-22' },
      },
      { OptionId: '2', OptionType: { Code: 'NOAC' }, IsDefault: true, Deadline: { Date: '2026-12-10T16:00:00Z' } },
    ],
  }),
)

/** The demo service with two more instruments and an event for each, and what tests of calendars send to it. */
export async function calendarService() {
  const clock = new FixedClock(demoLoadedAt)
  const service = await serviceForFile({ reference: true, clock })
  const { url, baseUrl } = service
  const { db } = service.node.context
  const { errors } = await importTexts(service.database.connection, { 'own.ndjson': records })
  assert.deepEqual(errors, [])

  const browser = new Browser()
  const { access_token: ada } = await obtainTokens(url, { browser })
  const { access_token: bo } = await obtainTokens(url, { user: 'bo' })

  const getAs = (accept: string, query: string, headers: Record<string, string> = {}) =>
    fetch(query.startsWith('http') ? query : `${baseUrl}${path}${query}`, {
      headers: { authorization: `Bearer ${ada}`, accept, ...headers },
    })
  const eventsOf = async (query: string) =>
    ((await (await getRest(baseUrl, `${path}${query}`, ada)).json()) as { Data: Event[] }).Data

  const send = (method: string, suffix: string, token: string, body?: object) =>
    fetch(`${baseUrl}/x/v1/calendars${suffix}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  async function make(body: object, token = ada): Promise<Made> {
    const response = await send('POST', '', token, body)
    const made = (await response.json()) as Made
    assert.equal(response.status, 201, JSON.stringify(made))
    assert.equal(response.headers.get('location'), made.Address)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    noteSecret('calendar address', tokenOf(made))
    return made
  }
  const withdraw = ({ CalendarId }: Made, token = ada) => send('DELETE', `/${CalendarId}`, token)
  const list = async (token = ada) => ((await (await send('GET', '', token)).json()) as { Data: CalendarView[] }).Data

  return { service, clock, db, url, baseUrl, browser, ada, bo, getAs, eventsOf, send, make, withdraw, list }
}
