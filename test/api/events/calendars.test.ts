import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { randomHex } from '../../../src/core/crypto/keys.ts'
import { listAllEvents } from '../../../src/events/api/list.ts'
import { eventRenderings } from '../../../src/events/api/renderings.ts'
import { subscriptionRoutes } from '../../../src/events/calendar/subscription.ts'
import { RateLimiter } from '../../../src/http/limits/rate-limiter.ts'
import type { RateLimitMode } from '../../../src/http/limits/rate-limits.ts'
import { demoKey } from '../../support/demo.ts'
import { calendarService, datesOf, entriesIn, foundIn, tokenOf, trial } from '../../support/events/calendar-service.ts'
import { testServer } from '../../support/http-server.ts'
import { obtainTokens } from '../../support/sign-in.ts'

const { service, clock, db, url, bo, eventsOf, send, make, withdraw, list } = await calendarService()

const events = { db, catalogue: service.node.events, clock }
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
    const responses = await Promise.all(addresses.map((address) => fetch(address)))
    const [body, ...others] = await Promise.all(responses.map((response) => response.json()))
    assert.ok(responses.every(({ status }) => status === 404))
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
