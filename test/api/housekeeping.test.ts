import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { removeExpired } from '../../src/auth/store/housekeeping.ts'
import { maintainKeys } from '../../src/auth/store/keys.ts'
import { signingSealKey } from '../../src/auth/tokens.ts'
import { locks } from '../../src/database/locks.ts'
import { FixedClock } from '../support/clock.ts'
import { setSpentAgo } from '../support/database/spent-tokens.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens, refresh, signIn } from '../support/sign-in.ts'

const day = 86_400
const clock = new FixedClock('2026-11-16T09:00:00Z')
const service = await serviceForFile({ clock })
const { db } = service.node.context

const tables = [
  'authorization_code',
  'refresh_token',
  'session',
  'sign_in',
  'failed_attempt',
  'refresh_answer',
] as const

async function counts(): Promise<number[]> {
  const count = (table: (typeof tables)[number]) =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  return Promise.all(tables.map(async (table) => (await count(table)).count))
}

async function removeAll(): Promise<void> {
  while (await removeExpired(db, clock.now())) {}
}

test('deletes expired rows and keeps those that are still needed', async () => {
  const tokens = await obtainTokens(service.url)
  await refresh(service.url, tokens.refresh_token)
  await setSpentAgo(db, -3_600)
  await assert.rejects(signIn(service.url, undefined, { password: 'a wrong one' }))
  const before = await counts()
  assert.deepEqual(before, [1, 2, 1, 1, 1, 1])

  await removeAll()
  assert.deepEqual(await counts(), before, 'nothing has ended yet')

  await setSpentAgo(db, 11)
  await removeAll()
  assert.deepEqual(await counts(), [1, 2, 1, 1, 1, 0], 'the answer of a refresh is kept for its grace only')

  clock.advance(day + 7_200)
  await removeAll()
  assert.deepEqual(await counts(), [0, 0, 1, 1, 0, 0], 'a session of 30 days goes on; the sign-in is kept two days')

  clock.advance(2 * day)
  await removeAll()
  assert.deepEqual(await counts(), [0, 0, 1, 0, 0, 0])

  clock.advance(32 * day)
  await removeAll()
  assert.deepEqual(await counts(), [0, 0, 0, 0, 0, 0])
})

test('deletes in batches', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => ({
    kind: 'secret' as const,
    name_hash: Buffer.from(String(index)),
    address: '192.0.2.1',
    made_at: clock.now().toString(),
  }))
  await db.insertInto('failed_attempt').values(rows).execute()
  clock.advance(700)
  assert.equal(await removeExpired(db, clock.now()), true)
  assert.equal((await counts())[4], 1_500)
  await removeAll()
  assert.equal((await counts())[4], 0)
})

test('skips the run while another node holds the lock', async () => {
  await db
    .insertInto('failed_attempt')
    .values({ kind: 'secret', name_hash: Buffer.from('x'), address: '192.0.2.1', made_at: clock.now().toString() })
    .execute()
  clock.advance(700)
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${locks.housekeeping})`.execute(trx)
    assert.equal(await removeExpired(db, clock.now()), false)
    assert.equal((await counts())[4], 1)
  })
  await removeAll()
  assert.equal((await counts())[4], 0)
})

type Key = { kid: string }
const published = async () =>
  ((await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: Key[] }).keys

test('after 90 days the next key signs; the previous one verifies until its last token has expired', async () => {
  const [active, next] = await published()
  assert.ok(active && next && (await published()).length === 2, 'one signs, one is known as the next')
  const token = (await obtainTokens(service.url)).access_token
  const tend = async () => {
    await maintainKeys(db, signingSealKey(masterKey), clock.now(), false)
    await service.node.context.feed.poll()
  }

  await tend()
  assert.equal((await published()).length, 2, 'nothing is due')

  clock.advance(91 * day)
  await tend()
  const kids = (await published()).map(({ kid }) => kid)
  assert.equal(kids.length, 3)
  assert.ok(kids.includes(active.kid) && kids.includes(next.kid), 'retiring and active')
  const fresh = (await obtainTokens(service.url)).access_token
  const header = JSON.parse(Buffer.from(fresh.split('.')[0] ?? '', 'base64url').toString()) as Key
  assert.equal(header.kid, next.kid)
  assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', fresh)).status, 200)
  assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', token)).status, 401, 'long expired')

  clock.advance(2 * day)
  await tend()
  assert.ok(!(await published()).some(({ kid }) => kid === active.kid), 'gone')
})
