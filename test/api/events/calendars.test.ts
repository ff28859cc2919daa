import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import ICAL from 'ical.js'
import { sql } from 'kysely'
import { randomHex } from '../../../src/core/crypto/keys.ts'
import { wireProfiles } from '../../../src/core/wire-profile.ts'
import { listAllEvents } from '../../../src/events/api/list.ts'
import { eventRenderings } from '../../../src/events/api/renderings.ts'
import type { Event } from '../../../src/events/api/schema.ts'
import type { CalendarView } from '../../../src/events/calendar/schema.ts'
import { subscriptionRoutes } from '../../../src/events/calendar/subscription.ts'
import { RateLimiter } from '../../../src/http/limits/rate-limiter.ts'
import type { RateLimitMode } from '../../../src/http/limits/rate-limits.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoKey, demoRedirectUri } from '../../support/demo.ts'
import { testServer } from '../../support/http-server.ts'
import { importApp } from '../../support/import-app.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { importTexts, instrument, lines } from '../../support/service/import.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { masterKey, serviceForFile } from '../../support/service/service.ts'
import { Browser, basic, codeRequest, getRest, obtainTokens, postToken, signInForCode } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock })
const { url, baseUrl } = service
const { db } = service.node.context
const path = '/ca/v2/events'

/** Own instruments, so that Keywords find only these events. */
const ours = 'Keywords=calendar%20trial'
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
const { faults } = await importTexts(service.database.connection, {
  'own.ndjson': lines(
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
  ),
})
assert.deepEqual(faults, [])

const browser = new Browser()
const { access_token: ada } = await obtainTokens(url, { browser })
const { access_token: bo } = await obtainTokens(url, { user: 'bo' })

const getAs = (accept: string, query: string, headers: Record<string, string> = {}) =>
  fetch(query.startsWith('http') ? query : `${baseUrl}${path}${query}`, {
    headers: { authorization: `Bearer ${ada}`, accept, ...headers },
  })
const eventsOf = async (query: string) =>
  ((await (await getRest(baseUrl, `${path}${query}`, ada)).json()) as { Data: Event[] }).Data

function entriesIn(calendar: string): ICAL.Event[] {
  return new ICAL.Component(ICAL.parse(calendar)).getAllSubcomponents('vevent').map((entry) => new ICAL.Event(entry))
}

/** The dates that ical.js finds, and those of the events. */
const foundIn = (calendar: string) =>
  entriesIn(calendar).map(({ uid, startDate }) => `${uid.split('/')[0]} ${startDate}`)
function datesOf({ EventId, Ex, Record, Effective, Options = [] }: Event): string[] {
  const open = Options.filter(({ OptionStatus }) => OptionStatus !== 'Cancelled' && OptionStatus !== 'Inactive')
  const days = [Ex, Record, Effective].map((day) => day?.Date?.slice(0, 10))
  const deadlines = open.map(({ Deadline }) => Deadline?.Date.replace(/\.\d+Z$/, 'Z'))
  const payments = open.map(({ Payment }) => Payment?.Date.slice(0, 10))
  const dates = [days, [...new Set(deadlines)], [...new Set(payments)]].flat().filter((date) => date !== undefined)
  return dates.map((date) => `${encodeURIComponent(EventId)} ${date}`)
}

describe('the forms of a list of events', () => {
  test('text/calendar has every date and deadline of the events, with unique ids', async () => {
    const response = await getAs('text/calendar', '?$top=1000')
    assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8')
    assert.match(response.headers.get('vary') ?? '', /\bAccept\b(?!-)/)
    const text = await response.text()
    const events = await eventsOf('?$top=1000')
    assert.ok(events.length >= 2)
    assert.deepEqual(foundIn(text).sort(), events.flatMap(datesOf).sort())
    const ids = entriesIn(text).map(({ uid }) => uid)
    assert.equal(new Set(ids).size, ids.length)
    for (const { summary } of entriesIn(text)) assert.match(summary, /^([A-Z][a-z ]+: )+.+, .+$/)
  })

  test('text/csv has one row per event, in the same order', async () => {
    const response = await getAs('text/csv', '?SortColumn=EventId&SortType=Asc')
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    const rows = parse(await response.text(), { columns: true }) as { EventId: string; EventState: string }[]
    const events = await eventsOf('?SortColumn=EventId&SortType=Asc')
    assert.deepEqual(
      rows.map(({ EventId, EventState }) => [EventId, EventState]),
      events.map(({ EventId, EventState }) => [EventId, EventState]),
    )
  })

  test('Link leads to the next page; the last page has none', async () => {
    const first = await getAs('text/calendar', `?${ours}&$top=1&SortType=Asc`)
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    assert.ok(next.startsWith(`${baseUrl}${path}?${ours}&$top=1&SortType=Asc&$skiptoken=`), next)
    const second = await getAs('text/csv', next)
    assert.equal(second.headers.get('link'), null)
    assert.ok(foundIn(await first.text()).every((entry) => entry.startsWith('trial%20dividend ')))
    assert.match(await second.text(), /\r\ntrial tender,/)
  })

  test('a single event has both formats; JSON is the default, also for errors', async () => {
    const one = await getAs('text/calendar, application/json;q=0.5', '/trial%20tender')
    assert.deepEqual(foundIn(await one.text()), [
      'trial%20tender 2026-12-20',
      'trial%20tender 2026-12-10T16:00:00Z',
      'trial%20tender 2026-12-22',
    ])
    for (const accept of ['*/*', 'image/png', 'application/json, text/csv'])
      assert.match((await getAs(accept, `?${ours}`)).headers.get('content-type') ?? '', /^application\/json/)
    const refused = await getAs('text/calendar', '?$top=-1')
    assert.deepEqual([refused.status, refused.headers.get('content-type')], [400, 'application/json; charset=utf-8'])
    assert.equal((await getAs('text/csv', '/unheard%20of')).status, 404)
  })

  test('each format has its own ETag', async () => {
    const tags = await Promise.all(
      ['application/json', 'text/calendar', 'text/csv'].map(async (accept) => {
        const etag = (await getAs(accept, `?${ours}`)).headers.get('etag') ?? ''
        assert.equal((await getAs(accept, `?${ours}`, { 'if-none-match': etag })).status, 304)
        return etag
      }),
    )
    assert.equal(new Set(tags).size, 3)
  })
})

type Made = CalendarView & { Address: string; ErrorCode?: string; ModelState?: object }

const send = (method: string, place: string, token: string, body?: object) =>
  fetch(`${baseUrl}/x/v1/calendars${place}`, {
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
const tokenOf = ({ Address }: Made): string =>
  /\/calendar\/([0-9a-f]{32})\.ics$/.exec(Address)?.[1] ?? assert.fail(Address)
const withdraw = ({ CalendarId }: Made, token = ada) => send('DELETE', `/${CalendarId}`, token)
const list = async (token = ada) => ((await (await send('GET', '', token)).json()) as { Data: CalendarView[] }).Data
const trial = { Filters: { Keywords: 'calendar trial' } }

const events = { db, clock, profile: wireProfiles.off }
type Limits = Required<Parameters<typeof subscriptionRoutes>[1]>['limits']

/** Only the calendar addresses, with low limits. */
function mounted(rateLimits: RateLimitMode, limits: Partial<Limits>) {
  const { server } = testServer()
  const ample = { limit: 1000, windowSeconds: 60 }
  subscriptionRoutes(server, {
    db,
    events,
    renderings: eventRenderings({ host: 'localhost', version: '1', clock }),
    limiter: new RateLimiter({ now: () => 0 }),
    rateLimits,
    limits: { perCalendar: ample, perAddress: ample, readMilliseconds: 20_000, ...limits },
  })
  return server
}

describe('a private calendar address', () => {
  test('returns all events that match its filters, without a token', async () => {
    const made = await make({ Name: 'Deadlines; mine', Filters: { Keywords: 'calendar trial', EventTypes: ['tend'] } })
    assert.ok(made.Address.startsWith(`${service.config.publicUrl}/calendar/`))
    const response = await fetch(made.Address)
    assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8')
    assert.match(response.headers.get('cache-control') ?? '', /^private\b/)
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    const text = await response.text()
    assert.match(text, /\r\nX-WR-CALNAME:Deadlines\\; mine\r\n/)
    assert.deepEqual(foundIn(text), [
      'trial%20tender 2026-12-20',
      'trial%20tender 2026-12-10T16:00:00Z',
      'trial%20tender 2026-12-22',
    ])
    const etag = response.headers.get('etag') ?? ''
    assert.equal((await fetch(made.Address, { headers: { 'if-none-match': etag } })).status, 304)
    const head = await fetch(made.Address, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, etag, ''])
    assert.equal((await fetch(made.Address, { method: 'POST' })).status, 405)
    assert.equal((await withdraw(made)).status, 204)
  })

  test('returns the same events as the list, over several pages too', async () => {
    const made = await make({})
    assert.deepEqual(
      foundIn(await (await fetch(made.Address)).text()).sort(),
      (await eventsOf('?$top=1000')).flatMap(datesOf).sort(),
    )
    await withdraw(made)
    const idsBy = async (pageSize?: number) => {
      const filters = { IncludeLapsedEvents: false, IncludeSubAccounts: false }
      const all = await listAllEvents(events, { ClientKey: demoKey('client ada') }, filters, pageSize)
      return all.map(({ EventId }) => EventId)
    }
    const ids = await idsBy()
    assert.ok(ids.length > 14, String(ids.length))
    assert.deepEqual(await idsBy(7), ids)
  })

  test('selects a client, a group or an account, or includes sub-clients', async () => {
    const cases: [object, string][] = [
      [{}, 'Account 9226397: holds 100, Account 9226398: holds 100, Account 9226400: holds 100'],
      [{ AccountKey: demoKey('account 9226398') }, 'Account 9226398: holds 100'],
      [{ AccountGroupKey: demoKey('group ada Treasury') }, 'Account 9226400: holds 100'],
      [{ ClientKey: demoKey('client bo') }, 'Account 9300101: holds 100'],
      [{ IncludeSubAccounts: true }, 'Accounts: 4, holding 400 in total'],
    ]
    for (const [narrow, accounts] of cases) {
      const made = await make({ Filters: { ...trial.Filters, EventTypes: ['DVCA'], ...narrow } })
      const [first] = entriesIn(await (await fetch(made.Address)).text())
      assert.equal(first?.description?.match(/^Account.*$/gm)?.join(', '), accounts)
      await withdraw(made)
    }
  })

  test('is found in any case, and only at its exact file name', async () => {
    const made = await make(trial)
    const token = tokenOf(made)
    for (const file of [`${token}.ICS`, `${token.toUpperCase()}.ics`, `${token}.ics/`])
      assert.equal((await fetch(`${url}/Calendar/${file}`)).status, 200, file)
    for (const file of [token, `${token}.icsx`, `0${token}.ics`])
      assert.equal((await fetch(`${url}/calendar/${file}`)).status, 404, file)
    await withdraw(made)
  })

  test('returns its address once, stores a hash, and lists the time of the last read', async () => {
    const made = await make({ ...trial, Name: 'Trial' })
    const { Address: _, ...view } = made
    assert.deepEqual(view, {
      CalendarId: made.CalendarId,
      Name: 'Trial',
      Filters: { IncludeLapsedEvents: false, IncludeSubAccounts: false, Keywords: 'calendar trial' },
      CreatedAt: '2026-11-16T12:00:00.000000Z',
    })
    assert.deepEqual(await list(), [view])
    const readAt = async (seconds: number) => {
      clock.advance(seconds)
      assert.equal((await fetch(made.Address)).status, 200)
      return (await list())[0]?.LastReadAt
    }
    assert.equal(await readAt(1), '2026-11-16T12:00:01.000000Z')
    assert.equal(await readAt(60), '2026-11-16T12:00:01.000000Z')
    assert.equal(await readAt(240), '2026-11-16T12:05:01.000000Z')
    const kept = await sql<{ text: string }>`select calendar::text || encode(token_hash, 'escape') as text from calendar
      union all select body from audit_inbox union all select body from audit_log
      union all select key from rate_count`.execute(db)
    assert.ok(kept.rows.some(({ text }) => text.includes('CalendarMade') && text.includes(made.CalendarId)))
    assert.ok(kept.rows.every(({ text }) => !text.includes(tokenOf(made))))
    await withdraw(made)
  })

  test('is served even if the read cannot be recorded', async () => {
    const made = await make(trial)
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''full''; end'`.execute(
      db,
    )
    await sql`create trigger refuse before update on calendar execute function refuse()`.execute(db)
    assert.equal((await fetch(made.Address)).status, 200)
    await sql`drop function refuse cascade`.execute(db)
    await withdraw(made)
  })

  test('is not found after deletion, or if its filters name an inaccessible key', async () => {
    const made = await make(trial)
    assert.equal((await withdraw(made)).status, 204)
    const ofBo = await make({ Filters: { ClientKey: demoKey('client bo') } })
    const giveBoTo = (owner: string | null) =>
      db.updateTable('client').set({ owner_client_key: owner }).where('client_key', '=', demoKey('client bo')).execute()
    await giveBoTo(null)
    const addresses = [made.Address, ofBo.Address, `${url}/calendar/${'0'.repeat(32)}.ics`, `${url}/calendar/x.ics`]
    const answers = await Promise.all(addresses.map((address) => fetch(address)))
    const [body, ...others] = await Promise.all(answers.map((response) => response.json()))
    assert.ok(answers.every(({ status }) => status === 404))
    for (const other of others) assert.deepEqual(other, body)
    assert.equal((body as { ErrorCode: string }).ErrorCode, 'NoResultFound')
    await giveBoTo(demoKey('client ada'))
    assert.equal((await fetch(ofBo.Address)).status, 200)
    await withdraw(ofBo)
  })

  test('is visible to its user only', async () => {
    const made = await make(trial)
    assert.deepEqual(await list(bo), [])
    const [foreign, unknown] = [await withdraw(made, bo), await send('DELETE', `/${randomHex()}`, bo)]
    assert.deepEqual([foreign.status, await foreign.json()], [unknown.status, await unknown.json()])
    assert.equal(foreign.status, 404)
    assert.equal((await fetch(made.Address)).status, 200)
    await withdraw(made)
  })

  test('shows what its user may see now, and ends with the user', async () => {
    const made = await make(trial, (await obtainTokens(url, { user: 'cy' })).access_token)
    const setUser = (change: { disabled?: boolean; client_key?: string }) =>
      db.updateTable('service_user').set(change).where('name', '=', 'cy').execute()
    const holds = async () => {
      const [first] = entriesIn(await (await fetch(made.Address)).text())
      return /^Account (\d+): holds 100$/m.exec(first?.description ?? '')?.[1]
    }
    assert.equal(await holds(), '9400001')
    await setUser({ client_key: demoKey('client bo') })
    assert.equal(await holds(), '9300101')
    await setUser({ disabled: true })
    assert.equal((await fetch(made.Address)).status, 404)
    await setUser({ disabled: false })
    assert.equal((await fetch(made.Address)).status, 200)
    await db.deleteFrom('service_user').where('name', '=', 'cy').execute()
    assert.equal((await fetch(made.Address)).status, 404)
  })

  test('is rate limited', async () => {
    const made = await make(trial)
    // Forwarded requests are not local, so they are counted.
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    const statuses: number[] = []
    while (!statuses.includes(429) && statuses.length < 30) {
      const response = await fetch(made.Address, { headers })
      statuses.push(response.status)
      if (response.status === 429) assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
    }
    assert.ok(statuses.length > 10 && statuses.includes(429), String(statuses.length))
    await withdraw(made)
  })

  test('limits guesses per IP address, for IPv6 per /64', async () => {
    const guess = async (server: ReturnType<typeof mounted>, remoteAddress: string) =>
      (await server.inject({ url: `/calendar/${randomHex()}.ics`, remoteAddress })).statusCode
    const perAddress = { limit: 2, windowSeconds: 60 }
    const counting = mounted('on', { perAddress })
    for (const [from, status] of [
      ['2001:db8:1:2::1', 404],
      ['2001:db8:1:2::2', 404],
      ['2001:db8:1:2:3::', 429],
      ['2001:db8:1:3::1', 404],
      ['127.0.0.1', 404],
      ['127.0.0.1', 404],
      ['127.0.0.1', 429],
    ] as const)
      assert.equal(await guess(counting, from), status, from)
    const off = mounted('off', { perAddress })
    for (let times = 0; times < 3; times++) assert.equal(await guess(off, '192.0.2.1'), 404)
  })

  test('times out', async () => {
    const made = await make(trial)
    const server = mounted('off', { readMilliseconds: 50 })
    await db.transaction().execute(async (trx) => {
      await sql`lock table event in access exclusive mode`.execute(trx)
      const { statusCode, headers } = await server.inject(`/calendar/${tokenOf(made)}.ics`)
      assert.deepEqual([statusCode, headers['retry-after']], [503, '60'])
    })
    await withdraw(made)
  })
})

describe('making a calendar address', () => {
  test('needs a read-write token to be created', async () => {
    const reader = { AppKey: randomHex(), Secret: randomHex() }
    noteSecret('secret', reader.Secret)
    const app = {
      ...reader,
      ClientKey: demoKey('client ada'),
      Name: 'Reader',
      Description: '',
      IsTradingEnabled: false,
    }
    await importApp(db, masterKey, { ...app, Flow: 'Code', RedirectUris: [demoRedirectUri] }, clock.now())
    const code = await signInForCode(url, { ...codeRequest, client_id: reader.AppKey }, { browser })
    const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
    const { access_token } = (await postToken(url, form, basic(reader.AppKey, reader.Secret))).body
    assert.equal((await send('POST', '', access_token, {})).status, 403)
    assert.equal((await send('DELETE', `/${randomHex()}`, access_token)).status, 403)
    assert.equal((await send('GET', '', access_token)).status, 200)
    assert.equal((await send('POST', '', 'none', {})).status, 401)
  })

  test('rejects filters that a list of events rejects, and unknown fields', async () => {
    const refused: [object, string[]][] = [
      [
        { Name: '', Filters: { EventTypes: ['NONE'], EventStates: 'Confirmed' } },
        ['Filters.EventStates', 'Filters.EventTypes[0]', 'Name'],
      ],
      [{ Filters: { FromExDate: '2026-12-02', ToExDate: '2026-12-01' } }, ['Filters.FromExDate']],
      [{ Filters: { $top: 5 }, Token: 'mine' }, ['Filters.$top', 'Token']],
      [{ Name: 'a\u0000b', Filters: { Keywords: 'a\u0000b' } }, ['Filters.Keywords', 'Name']],
      [{ Filters: { AccountKey: 'x' } }, ['Filters.AccountKey']],
    ]
    for (const [body, fields] of refused) {
      const response = await send('POST', '', ada, body)
      const { ErrorCode, ModelState } = (await response.json()) as Made
      assert.deepEqual([response.status, ErrorCode], [400, 'InvalidModelState'])
      assert.deepEqual(Object.keys(ModelState ?? {}).sort(), fields)
    }
    const unseen: [string, string][] = [
      ['ClientKey', 'client cy'],
      ['AccountKey', 'account 9400001'],
      ['AccountKey', 'account 9300101'],
      ['AccountKey', 'account unheard of'],
      ['AccountGroupKey', 'group cy Trading'],
    ]
    for (const [name, key] of unseen) {
      const response = await send('POST', '', ada, { Filters: { [name]: demoKey(key) } })
      const { Message } = (await response.json()) as { Message: string }
      assert.deepEqual([response.status, Message], [404, `${name} was not found, or you may not see it.`])
    }
    assert.deepEqual(await list(), [])
  })

  test('is limited to twenty per user, also under concurrency', async () => {
    const responses = await Promise.all(Array.from({ length: 22 }, () => send('POST', '', bo, trial)))
    const bodies = (await Promise.all(responses.map((response) => response.json()))) as Made[]
    const made = bodies.filter(({ Address }) => Address !== undefined)
    for (const each of made) noteSecret('calendar address', tokenOf(each))
    assert.equal(made.length, 20)
    const refused = responses.flatMap(({ status }, index) =>
      status === 201 ? [] : [[status, bodies[index]?.ErrorCode]],
    )
    assert.deepEqual(refused, [
      [409, 'LimitReached'],
      [409, 'LimitReached'],
    ])
    assert.equal((await list(bo)).length, 20)
    const [first] = made
    assert.ok(first)
    assert.equal((await withdraw(first, bo)).status, 204)
    noteSecret('calendar address', tokenOf(await make({}, bo)))
  })

  test('is documented, with its media types', async () => {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: object[]; responses: Record<string, { content?: object }> }>>
    }
    const types = (place: string, status = '200') => Object.keys(paths[place]?.get?.responses[status]?.content ?? {})
    assert.deepEqual(types(path), ['application/json', 'text/calendar', 'text/csv'])
    assert.deepEqual(types(`${path}/{EventId}`), ['application/json', 'text/calendar', 'text/csv'])
    assert.deepEqual(types('/calendar/{File}'), ['text/calendar'])
    assert.deepEqual(paths['/calendar/{File}']?.get?.security, [])
    assert.deepEqual(Object.keys(paths['/x/v1/calendars'] ?? {}).sort(), ['get', 'post'])
  })
})
