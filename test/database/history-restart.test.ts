import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findUserByName } from '../../src/access/store/identities.ts'
import { removeUser } from '../../src/access/store/removal.ts'
import { systemClock, TravelClock } from '../../src/core/clock.ts'
import { pruneHistory } from '../../src/data/store/prune-history.ts'
import { resetToDemo } from '../../src/sim/reset.ts'
import { restoreSnapshot, saveSnapshot } from '../../src/sim/snapshots.ts'
import {
  databaseForFile,
  exchange,
  exportText,
  importTexts,
  instrument,
  lines,
  position,
} from '../support/service/import.ts'
import { demoTemplate } from '../support/service/postgres.ts'
import { masterKey } from '../support/service/service.ts'

const { connection, db } = await databaseForFile(demoTemplate, 4)
const importAll = async (...records: object[]) => {
  const result = await importTexts(connection, { 'some.ndjson': lines(exchange, ...records) })
  assert.deepEqual(result.errors, [])
  return result.run ?? assert.fail('nothing changed')
}
const summaryOf = async (run: number) => {
  const versions = db.selectFrom('record_version').select(['kind', 'id', 'change']).where('run', '=', run)
  return (await versions.orderBy('seq').execute()).map(({ kind, id, change }) => `${change} ${kind} ${id}`)
}
const accountOf = async () =>
  JSON.parse((await exportText(connection, ['account'])).split('\n')[0] ?? '').AccountKey as string

test('a restore is a run; its versions lead back to what it replaced', async () => {
  const clock = new TravelClock(systemClock)
  await importAll()
  await saveSnapshot({ db, clock, name: 'history', audit: {} })
  const AccountKey = await accountOf()
  await importAll(instrument(910_003), position(AccountKey, 910_003, 1))

  await restoreSnapshot({ db, clock, name: 'history', audit: {} }, async () => {})

  const { run, source } = await db
    .selectFrom('history_run')
    .select(['run', 'source'])
    .orderBy('run', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(source, 'snapshot history')
  assert.deepEqual((await summaryOf(run)).toSorted(), [
    'removed instrument 910003',
    `removed position ${AccountKey} 910003 Stock`,
  ])
})

test('versions older than the limit are removed, and how far is kept', async () => {
  const old = await importAll(instrument(910_004))
  const kept = await importAll(instrument(910_005))
  await sql`update history_run set at = at - interval '10 days' where run <= ${old}`.execute(db)
  const { after_seq } = await db
    .selectFrom('history_run')
    .select('after_seq')
    .where('run', '=', kept)
    .executeTakeFirstOrThrow()

  await pruneHistory(db, 9)

  const runs = await db.selectFrom('history_run').select('run').execute()
  assert.deepEqual(runs, [{ run: kept }])
  const versions = await db.selectFrom('record_version').select('run').distinct().execute()
  assert.deepEqual(versions, [{ run: kept }])
  assert.equal((await db.selectFrom('history').select('pruned_seq').executeTakeFirstOrThrow()).pruned_seq, after_seq)
})

test('what users changed is pruned too, and the moments before it are no longer known', async () => {
  const { rows: kept } = await sql<{ begins_at: Temporal.Instant }>`select begins_at from history`.execute(db)
  for (const days of [1, 8, 30])
    await sql`insert into account_version (kind, account_key, id, at)
      values ('election', 'a', ${`event ${days}`}, clock_timestamp() - ${days} * interval '1 day')`.execute(db)
  await sql`update history set begins_at = clock_timestamp() - interval '60 days'`.execute(db)

  await pruneHistory(db, 9)

  const { rows } = await sql<{ id: string }>`select id from account_version order by id`.execute(db)
  assert.deepEqual(rows, [{ id: 'event 1' }, { id: 'event 8' }])
  const { rows: days } = await sql<{ days: number }>`
    select round(extract(epoch from clock_timestamp() - begins_at) / 86400)::integer as days from history`.execute(db)
  assert.deepEqual(days, [{ days: 9 }])
  await sql`update history set begins_at = ${kept[0]?.begins_at.toString()}`.execute(db)
})

test('a reset begins another history, in which numbers go on', async () => {
  const clock = new TravelClock(systemClock)
  const before = await db.selectFrom('history').selectAll().executeTakeFirstOrThrow()
  const { last } = await db
    .selectFrom('record_version')
    .select(({ fn }) => fn.max('seq').as('last'))
    .executeTakeFirstOrThrow()
  const began = Temporal.Now.instant().toString()
  const call = { db, clock, masterKey, isDemoOn: true, mayRemoveImported: true, audit: {} }
  await resetToDemo({ ...call, keep: async () => async () => {} })

  const after = await db.selectFrom('history').selectAll().executeTakeFirstOrThrow()
  assert.notEqual(after.identity, before.identity)
  assert.equal(after.pruned_seq, last)
  assert.equal((await db.selectFrom('record_version').select('seq').execute()).length, 0)
  const { rows: known } = await sql<{ isLater: boolean; revision: number }>`
    select begins_at > ${began} as "isLater", h.reference_revision = (select revision from reference_data) as revision
    from history h`.execute(db)
  assert.deepEqual(known, [{ isLater: true, revision: true }])
  const user = (await findUserByName(db, 'ada')) ?? assert.fail()
  await db.transaction().execute((trx) => removeUser(trx, user.userKey, clock.now()))
  const next = await db.selectFrom('record_version').select('seq').orderBy('seq').limit(1).executeTakeFirstOrThrow()
  assert.ok(next.seq > last)
})
