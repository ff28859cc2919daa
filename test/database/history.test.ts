import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findUserByName, writeUserDisabled } from '../../src/access/store/identities.ts'
import { setUserDisabled } from '../../src/auth/commands/users.ts'
import { systemClock, TravelClock } from '../../src/core/clock.ts'
import { beginRun } from '../../src/database/staging/history.ts'
import { demoApps, demoPassword } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import {
  databaseForFile,
  event,
  exchange,
  exportText,
  importTexts,
  instrument,
  lines,
  position,
} from '../support/service/import.ts'
import { demoTemplate } from '../support/service/postgres.ts'

const { connection, db } = await databaseForFile(demoTemplate, 12)
const importAll = async (...records: object[]) => {
  const result = await importTexts(connection, { 'folder/some.ndjson': lines(...records) })
  assert.deepEqual(result.errors, [])
  return result.run ?? assert.fail('nothing changed')
}
const versionsOf = (run: number) =>
  db
    .selectFrom('record_version')
    .select(['kind', 'id', 'part', 'change', 'previous'])
    .where('run', '=', run)
    .orderBy('seq')
    .execute()
const summaryOf = async (run: number) =>
  (await versionsOf(run)).map(({ kind, id, change }) => `${change} ${kind} ${id}`)
const parse = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)

test('loading the demo leaves no versions', async () => {
  assert.equal((await db.selectFrom('record_version').selectAll().execute()).length, 0)
})

test('each change of a record keeps what was there before, and an unchanged record nothing', async () => {
  const added = await importAll(exchange, instrument(910_001))
  const { document } = await db
    .selectFrom('instrument')
    .select('document')
    .where('uic', '=', 910_001)
    .executeTakeFirstOrThrow()
  const changed = await importAll(exchange, instrument(910_001, { Description: 'Changed' }))
  const removed = await importAll({ kind: 'instrument', Uic: 910_001, delete: true })

  assert.deepEqual(await summaryOf(added), ['changed exchange LSE', 'added instrument 910001'])
  const [version, ...others] = await versionsOf(changed)
  assert.deepEqual(others, [])
  assert.deepEqual(version, { kind: 'instrument', id: '910001', part: '', change: 'changed', previous: document })
  assert.equal((await versionsOf(removed))[0]?.previous?.Description, 'Changed')
})

test('a run has its source, its revisions and what it counted', async () => {
  const before = await db.selectFrom('reference_data').select('revision').executeTakeFirstOrThrow()
  const run = await importAll(instrument(910_002), event('history-1', 910_002))

  const found = await db.selectFrom('history_run').selectAll().where('run', '=', run).executeTakeFirstOrThrow()

  assert.equal(found.source, 'some.ndjson')
  assert.equal(found.reference_revision, before.revision + 1)
  assert.ok((found.event_revision ?? 0) > 0)
  assert.deepEqual(
    found.counts?.map(({ kind, added }) => [kind, added]),
    [
      ['instrument', 1],
      ['event', 1],
    ],
  )
})

test('what goes with a deleted record has versions too', async () => {
  const AccountKey = 'HistoryHistoryHistoryA=='
  const ClientKey = 'HistoryHistoryHistoryQ=='
  const UserKey = 'HistoryHistoryHistoryg=='
  await importAll(
    {
      kind: 'client',
      ClientKey,
      ClientId: '77001',
      Name: 'History',
      AccountGroups: [{ AccountGroupKey: 'HistoryHistoryHistoryw==', Name: 'G' }],
    },
    {
      kind: 'account',
      AccountKey,
      AccountId: '77001-1',
      ClientKey,
      AccountGroupKey: 'HistoryHistoryHistoryw==',
      Currency: 'EUR',
    },
    { kind: 'user', UserKey, Name: 'historian', ClientKey },
    { kind: 'accessRight', ClientKey, UserKey, Level: 'View' },
    position(AccountKey, 910_002, 7),
    event('history-2', 910_002, { Holdings: [{ AccountKey }] }),
  )

  const run = await importAll({ kind: 'client', ClientKey, delete: true })

  const found = (await versionsOf(run)).map(({ kind, id, part, change }) => [change, kind, id, part].join(' ').trim())
  const wanted = [
    `changed account ${AccountKey}`,
    `removed account ${AccountKey}`,
    `removed client ${ClientKey}`,
    `removed client ${ClientKey} HistoryHistoryHistoryw==`,
    `removed event history-2 ${AccountKey}`,
    `removed position ${AccountKey} 910002 Stock`,
    `removed user ${UserKey}`,
  ]
  assert.deepEqual(found.filter((text) => !text.startsWith('removed accessRight')).toSorted(), wanted)
  assert.equal(found.filter((text) => text.startsWith(`removed accessRight ${ClientKey}`)).length, 1)
})

test('a change of the account of an election is no version, and neither is a password', async () => {
  const count = async () => (await db.selectFrom('record_version').select('seq').execute()).length
  const before = await count()
  await sql`update event_holding set elected_amount = elected_amount, by_user = not by_user`.execute(db)
  await sql`update service_user set password_hash = password_hash || 'x'`.execute(db)
  await sql`update service_user set password_hash = left(password_hash, -1)`.execute(db)
  assert.equal(await count(), before)
})

test('no secret is in the history', async () => {
  const users = parse(await exportText(connection, ['user']))
  for (const user of users) await importAll({ ...user, kind: 'user', Name: `${user.Name}-renamed` })
  for (const user of users) await importAll({ ...user, kind: 'user' })

  const rows = await sql<{ text: string }>`
    select v::text as text from record_version v union all select r::text from history_run r`.execute(db)

  const text = rows.rows.map((row) => row.text).join('\n')
  assert.match(text, /ada-renamed/)
  assert.doesNotMatch(text, /argon2|password|secret/i)
  const secrets = [
    demoPassword,
    ...demoApps.flatMap(({ Secret }) => Secret ?? []),
    ...users.map((one) => one.PasswordHash ?? ''),
  ]
  for (const secret of secrets.filter((one) => one !== '')) assert.ok(!text.includes(secret))
})

test('concurrent writers: whoever reads on from the last number misses nothing', async () => {
  const [seen, writers]: [number[], Promise<void>[]] = [[], []]
  const start = await sql<{ last: number }>`select max(seq) as last from record_version`.execute(db)
  let cursor = start.rows[0]?.last ?? 0
  for (let writer = 0; writer < 8; writer++)
    writers.push(
      (async () => {
        for (let round = 0; round < 10; round++)
          await db.transaction().execute(async (trx) => {
            if (writer % 2 === 0) await beginRun(trx, 'a writer')
            const uic = 920_000 + writer * 100 + round
            for (const each of [uic, uic + 50])
              await sql`insert into instrument (uic, asset_types, exchange_ids, symbol, description, document, revision)
                values (${each}, '{}', '{}', '', '', '{}', 0)`.execute(trx)
            // Without the lock, the commits would come in another order.
            await sql`select pg_sleep(random() * 0.01)`.execute(trx)
          })
      })(),
    )
  const written = Promise.all(writers).then(() => true)
  await eventually(async () => {
    const found = await db.selectFrom('record_version').select('seq').where('seq', '>', cursor).orderBy('seq').execute()
    seen.push(...found.map(({ seq }) => seq))
    cursor = seen.at(-1) ?? cursor
    return seen.length === 160 ? true : undefined
  })
  await written

  const all = await db
    .selectFrom('record_version')
    .select('seq')
    .where('seq', '>', start.rows[0]?.last ?? 0)
    .orderBy('seq')
    .execute()
  assert.deepEqual(
    seen,
    all.map(({ seq }) => seq),
  )
  await sql`delete from instrument where symbol = ''`.execute(db)
})

test('a command that changes a user waits for the run of another, and is a run itself', async () => {
  const user = (await findUserByName(db, 'ada')) ?? assert.fail()
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const other = db.transaction().execute(async (trx) => {
    await beginRun(trx, 'other')
    begun.resolve()
    await end.promise
    // The row that the command changes: it must not have locked it yet.
    await sql`update service_user set fields = fields || '{"a": 1}' where user_key = ${user.userKey}`.execute(trx)
  })
  await begun.promise
  const command = db.transaction().execute((trx) => writeUserDisabled(trx, user, true))
  await eventually(async () => {
    const { rows } =
      await sql`select from pg_stat_activity where query like '%pg_try_advisory_xact_lock%' and state like 'idle in%'`.execute(
        db,
      )
    return rows.length > 0 || undefined
  })
  end.resolve()
  await Promise.all([other, command])

  const runs = await db.selectFrom('history_run').select('source').orderBy('run', 'desc').limit(2).execute()
  assert.deepEqual(
    runs.map(({ source }) => source),
    ['refdesk users', 'other'],
  )
  await sql`update service_user set disabled = false, fields = fields - 'a'`.execute(db)
})

test('disabling a user during an import ends their sessions at once and then waits', async () => {
  const { userKey } = (await findUserByName(db, 'ada')) ?? assert.fail()
  await sql`insert into sign_in (sign_in_id, cookie_hash, user_key, created_at, expires_at, address, user_agent)
    values ('history', 'history', ${userKey}, now(), now() + interval '1 hour', '', '')`.execute(db)
  const isEnded = async () => {
    const signIn = db.selectFrom('sign_in').select('ended_at').where('sign_in_id', '=', 'history')
    return (await signIn.executeTakeFirstOrThrow()).ended_at !== null
  }
  const isDisabled = async () => (await findUserByName(db, 'ada'))?.disabled
  const said: string[] = []

  const command = await db.transaction().execute(async (trx) => {
    await beginRun(trx, 'an import')
    const disabling = setUserDisabled({ db, clock: new TravelClock(systemClock) }, 'ada', true, (line) =>
      said.push(line),
    )
    await eventually(async () => said.some((line) => line.startsWith('Waiting for another change')) || undefined)
    assert.deepEqual([await isEnded(), await isDisabled()], [true, false])
    return { disabling }
  })
  await command.disabling

  assert.equal(await isDisabled(), true)
  assert.equal(said.at(-1), 'User ada is disabled; 0 sessions ended.')
  await sql`update service_user set disabled = false`.execute(db)
})
