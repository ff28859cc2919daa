import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { grantHash } from '../../src/auth/grant-text.ts'
import { type Rotation, readRefreshTokens, rotateRefreshTokens } from '../../src/auth/store/refresh-tokens.ts'
import { insertSession } from '../../src/auth/store/sessions.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openDatabase } from '../../src/database/open.ts'
import { wholeClients } from '../../src/events/store/holding-statements.ts'
import { eachPastEvent } from '../../src/events/store/past.ts'
import { eachPastOptionRoot, listPastCalendars, listPastExchanges } from '../../src/instruments/store/past.ts'
import { testDatabase } from '../support/service/postgres.ts'

const database = await testDatabase()
const { db, close } = openDatabase(database.connection, 1)
after(async () => {
  await close()
  await database.drop()
})

const hashes = ['a', 'b', 'c'].map(grantHash)
const rotations = hashes.map(
  (hash): Rotation => ({
    hash,
    clientKey: '',
    spentWith: '',
    answer: Buffer.alloc(0),
    newHash: grantHash(hash),
    newExpiresAt: systemClock.now(),
    now: systemClock.now(),
    auditBody: '{}',
  }),
)

test('the plans that are kept for refresh tokens do not scan the table', async () => {
  await sql`insert into refresh_token (token_hash, session_id, issued_at, expires_at)
    select sha256(n::text::bytea), n, now(), now() from generate_series(1, 2048) as n`.execute(db)
  await sql`analyze refresh_token`.execute(db)

  await db.transaction().execute(async (trx) => {
    // PostgreSQL plans five times for the given values, and then decides whether to keep a plan for all.
    for (let count = 0; count < 8; count++) {
      await rotateRefreshTokens(trx, rotations)
      await readRefreshTokens(trx, hashes)
    }

    const { rows } = await sql<{ seq_scan: number; idx_scan: number }>`
      select seq_scan, idx_scan from pg_stat_xact_user_tables where relname = 'refresh_token'`.execute(trx)
    assert.equal(rows[0]?.seq_scan, 0)
    assert.ok(Number(rows[0]?.idx_scan) >= 16)
  })
})

test('the plan for reading the holdings of several clients is kept', async () => {
  for (let count = 0; count < 8; count++)
    await wholeClients(db, { clientKeys: ['a', 'b', 'c'], since: ['2026-01-01', '2026-01-01', '2026-01-01'] })

  const { rows } = await sql<{ generic_plans: number; custom_plans: number }>`select generic_plans, custom_plans
    from pg_prepared_statements where statement like '%k(client_key, since, at)%'`.execute(db)
  // The first five are planned for the given values.
  assert.deepEqual(rows, [{ generic_plans: 3, custom_plans: 5 }])
})

test('a new session costs no more than a look at those of its user, also before there are statistics', async () => {
  const count = 100
  const times = { created_at: '2026-11-16T08:00:00Z', expires_at: '2026-11-17T08:00:00Z' }
  const from = { address: '::1', user_agent: 'test', redirect_uri: null, read_only: false }

  await db.transaction().execute(async (trx) => {
    await sql`insert into client (client_key, client_id, name) values ('client', 'c', 'c')`.execute(trx)
    await sql`insert into service_user (user_key, name, client_key) values ('user', 'u', 'client')`.execute(trx)
    await sql`insert into app (app_key, client_key, name, description, flow, created_at)
      values ('app', 'client', 'a', 'a', 'Code', now())`.execute(trx)
    for (let at = 0; at < count; at++)
      await insertSession(trx, 'client', { session_id: `s${at}`, user_key: 'user', app_key: 'app', ...from, ...times })

    const { rows } = await sql<{ read: string }>`select seq_tup_read + coalesce(idx_tup_fetch, 0) as read
      from pg_stat_xact_user_tables where relname = 'session'`.execute(trx)
    assert.ok(Number(rows[0]?.read) <= count * count, `${rows[0]?.read} rows were read`)
  })
})

test('what reads the past of events, exchanges, calendars and option roots does not read the versions of instruments', async () => {
  await sql`insert into record_version (run, kind, id, part, change)
    select 1, case when n % 500 < 4 then (array['event', 'exchange', 'calendar', 'optionRoot'])[n % 500 + 1]
      else 'instrument' end, n::text, '', 'added' from generate_series(1, 10000) as n`.execute(db)
  await sql`analyze record_version`.execute(db)

  await db.transaction().execute(async (trx) => {
    // Plans for any values are the worst case: they do not know a kind that is a parameter.
    await sql`set local plan_cache_mode = force_generic_plan`.execute(trx)
    assert.equal((await Array.fromAsync(eachPastEvent(trx, 0, new Map()))).flat().length, 20)
    assert.equal((await Array.fromAsync(eachPastOptionRoot(trx, 0, 0))).flat().length, 20)
    assert.deepEqual([await listPastExchanges(trx, 0), await listPastCalendars(trx, 0)], [[], []])

    const { rows } = await sql<{ read: number }>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'record_version'`.execute(
      trx,
    )
    // Of the 80 versions; the planner itself reads a few.
    assert.ok(Number(rows[0]?.read) < 200, `${rows[0]?.read} versions read`)
  })
})
