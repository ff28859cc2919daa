import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Event } from '../../../src/events/api/schema.ts'
import type { FixedClock } from '../../support/clock.ts'
import { type Choice, Holder, offer } from '../../support/events/electing.ts'
import { accountKeys, eventService, position } from '../../support/events/event-service.ts'
import { eventually } from '../../support/eventually.ts'
import { serviceForFile } from '../../support/service/service.ts'

const until = (id: string, time: string) => {
  const Deadline = { Date: `2026-11-16T${time}:00Z` }
  return offer(id, 1, {
    Options: [
      { OptionId: '1', OptionType: { Code: 'CASH' }, Deadline },
      { OptionId: '2', OptionType: { Code: 'NOAC' }, IsDefault: true, Deadline },
    ],
  })
}
const { service } = await eventService({
  positions: [position(accountKeys.ada, 1, 100), position(accountKeys.ada2, 1, 100)],
  events: [offer('first', 1), offer('second', 1), offer('free', 1), until('brief', '12:10'), until('longer', '12:15')],
})
const other = await serviceForFile({ besides: service })
const ada = await Holder.signIn(service, 'ada')
const nodes = [ada, new Holder(other.baseUrl, ada.token)]

const addressOf = (id: string) => `/ca/v2/holdings?EventId=${id}&AccountKey=${encodeURIComponent(accountKeys.ada)}`
/** How much each of fifty simultaneous elections asks for: all different, and together more than is held. */
const fifty = Array.from({ length: 50 }, (_, index) => index + 50)

const nodeAt = (index: number): Holder => nodes[index % nodes.length] ?? ada
const choice = (amount: number): Choice[] => [['1', amount]]

/** Until an election waits for the lock of an account. */
const waitsForAccount = () =>
  eventually(async () => {
    const { rows } =
      await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%from "account"%'
      and datname = current_database()`.execute(service.node.context.db)
    return rows.length > 0 || undefined
  })

for (const id of ['first', 'second'])
  test(`of fifty simultaneous elections that saw the same holding, one wins (${id})`, async () => {
    const { etag } = await ada.get(addressOf(id))
    const answers = await Promise.all(
      fifty.map((amount, at) => nodeAt(at).elect(id, accountKeys.ada, choice(amount), etag ?? '')),
    )
    const won = answers.flatMap(({ status }, at) => (status === 202 ? [fifty[at]] : []))
    assert.equal(won.length, 1)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202, 412]))
    for (const node of nodes) {
      const { body } = await node.get<Event>(`/ca/v2/events/${id}`)
      assert.deepEqual(body.Holdings?.[0]?.ElectedAmount, won[0])
    }
  })

test('an election that waited for another change of the holding is 409 with the holding as it is now', async () => {
  const { db } = service.node.context
  const AccountKey = accountKeys.ada2
  assert.equal((await ada.elect('free', AccountKey, choice(1))).status, 202)
  const [, answer] = await db.transaction().execute(async (trx) => {
    await sql`select from account where account_key = ${AccountKey} for update`.execute(trx)
    const electing = ada.elect('free', AccountKey, choice(2))
    await waitsForAccount()
    await sql`update event_holding set elected_amount = 70, document = '{"Options":[{"OptionId":"1","ElectedAmount":70}]}'
      where event_id = 'free' and account_key = ${AccountKey}`.execute(trx)
    return [true, electing] as const
  })
  const { status, body } = await answer
  assert.deepEqual([status, body?.ErrorCode, body?.Holding?.ElectedAmount], [409, 'ElectionChanged', 70])
})

test('without If-Match, elections at the same time are 409 with what has won, and no sum exceeds the holding', async () => {
  const answers = await Promise.all(
    fifty.map((amount, at) => nodeAt(at).elect('free', accountKeys.ada, choice(amount))),
  )
  const won = answers.filter(({ status }) => status === 202)
  assert.ok(won.length >= 1)
  for (const { status, body } of answers) {
    if (status === 202) continue
    assert.deepEqual([status, body?.ErrorCode], [409, 'ElectionChanged'])
    assert.ok((body?.Holding?.ElectedAmount ?? 0) >= 50)
  }
  const { body } = await ada.get<Event>('/ca/v2/events/free')
  assert.ok((body.Holdings?.[0]?.ElectedAmount ?? 0) <= 100)
})

const locks = {
  'another election': ['brief', sql`select from account where account_key = ${accountKeys.ada} for update`],
  'a restore': ['longer', sql`lock table account in exclusive mode`],
} as const
for (const [other, [id, lock]] of Object.entries(locks))
  test(`an election that waited for ${other} past the deadline is rejected, and nothing is written`, async () => {
    const { db } = service.node.context
    const countElections = async () => (await sql`select from election where event_id = ${id}`.execute(db)).rows.length
    const [, answer] = await db.transaction().execute(async (trx) => {
      await lock.execute(trx)
      const electing = ada.elect(id, accountKeys.ada, choice(1))
      await waitsForAccount()
      ;(service.clock as FixedClock).advance(601)
      return [true, electing] as const
    })
    const { status, body } = await answer
    assert.deepEqual([status, body?.Message], [409, 'The last deadline of the event has passed.'])
    assert.equal(await countElections(), 0)
    const { rows } = await sql`select from event_holding where event_id = ${id}`.execute(db)
    assert.equal(rows.length, 0)
  })
