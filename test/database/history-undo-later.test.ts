import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImportBusy } from '../../src/data/import/run-import.ts'
import { findHistoryRun } from '../../src/data/store/history-runs.ts'
import { noteDemo, readOrigin } from '../../src/data/store/origin.ts'
import { tryImportLock, withOwnConnection } from '../../src/database/staging/copy.ts'
import { writeElection } from '../../src/events/store/elections.ts'
import {
  databaseForFile,
  event,
  exchange,
  exportText,
  importTexts,
  instrument,
  lines,
  position,
  undoRun,
} from '../support/service/import.ts'

const { connection, db } = await databaseForFile()
const importAll = async (...records: object[]) => {
  const { errors, run } = await importTexts(connection, { 'some.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  return run ?? assert.fail('nothing changed')
}
const undo = async (run: number) => assert.deepEqual((await undoRun(connection, run)).errors, [])

const keyOf = (name: string) => `${name.padEnd(21, '0')}A==`
const ClientKey = keyOf('client')
const client = { kind: 'client', ClientKey, ClientId: 'client-1', Name: 'Client' }
const account = (name: string, more: object = {}) => ({
  ...{ kind: 'account', AccountKey: keyOf(name), AccountId: name, ClientKey, Currency: 'GBP', ...more },
})
await importAll(exchange, instrument(900_004), client, account('first'))

const elect = (eventId: string, accountKey: string) =>
  db.transaction().execute((trx) =>
    writeElection(trx, {
      ...{ eventId, accountKey, elections: { Options: [] }, elected: 0 },
      ...{ at: Temporal.Instant.from('2026-11-16T10:00:00Z'), userKey: 'u', appKey: 'a' },
    }),
  )

test('an election accepted while an undo runs is not lost', async () => {
  await importAll(event('event-2', 900_004))
  const run = await importAll({ ...event('event-2', 900_004), EventState: 'Cancelled' })

  const { errors } = await undoRun(connection, run, {
    beforeMerge: async () => void (await elect('event-2', keyOf('first'))),
  })

  assert.deepEqual(errors.slice(1), ['event event-2: users have elected since.'])
  const left = await db.selectFrom('event_holding').select('by_user').where('event_id', '=', 'event-2').execute()
  assert.deepEqual(left, [{ by_user: true }])
})

test('of two undos of one run at once one is rejected, and so is an import during an undo', async () => {
  const before = await exportText(connection)
  const run = await importAll(instrument(900_300))

  const { errors } = await undoRun(connection, run, {
    beforeMerge: async () => {
      await assert.rejects(undoRun(connection, run), ImportBusy)
      await assert.rejects(importAll(instrument(900_301)), ImportBusy)
    },
  })

  assert.deepEqual(errors, [])
  assert.equal(await exportText(connection), before)
})

test('an undo during an import is rejected', async () => {
  const run = await importAll(instrument(900_302))
  const before = await exportText(connection)

  await withOwnConnection(connection, async (importer) => {
    assert.ok(await tryImportLock(importer))
    await assert.rejects(undoRun(connection, run), ImportBusy)
  })

  assert.equal(await exportText(connection), before)
  await undo(run)
})

test('an undo that found its run before another undo or an import of its records is rejected, and says by which run', async () => {
  const run = await importAll(instrument(900_303))
  let undoing: number | undefined
  const again = await undoRun(connection, run, {
    beforeLock: async () => {
      undoing = (await undoRun(connection, run)).run
    },
  })
  assert.deepEqual(again.errors, [
    `Run ${run} was undone by run ${undoing}.`,
    `instrument 900303: run ${undoing} changed it again.`,
  ])

  const second = await importAll(instrument(900_304))
  let later: number | undefined
  const late = await undoRun(connection, second, {
    beforeLock: async () => {
      later = await importAll(instrument(900_304, { Description: 'Changed' }))
    },
  })
  assert.equal(late.errors[1], `instrument 900304: run ${later} changed it again.`)
  await undo(later ?? 0)
  await undo(second)
})

test('an undo keeps elections that users made before the run', async () => {
  await importAll(event('event-3', 900_004))
  await elect('event-3', keyOf('first'))
  const run = await importAll({ ...event('event-3', 900_004), EventState: 'Cancelled' })

  await undo(run)

  const left = await db.selectFrom('event_holding').select('by_user').where('event_id', '=', 'event-3').execute()
  assert.deepEqual(left, [{ by_user: true }])
})

test('an undo is rejected if it would remove what later runs or users attached to an account', async () => {
  await importAll(event('event-4', 900_004))
  const first = await importAll(account('later'))
  const second = await importAll(position(keyOf('later'), 900_004, 5))
  await elect('event-4', keyOf('later'))
  const before = await exportText(connection)

  const { errors } = await undoRun(connection, first)

  assert.deepEqual(errors, [
    `Run ${first} cannot be undone: 2 other records would change too.`,
    'event event-4: users have elected, and their elections would be removed.',
    `position ${keyOf('later')} 900004 Stock: it is from run ${second} and would be removed too.`,
  ])
  assert.equal(await exportText(connection), before)
  assert.deepEqual((await undoRun(connection, first, { isDryRun: true })).errors, errors)
})

test('an undo is rejected if it would remove accounts and users that later runs gave to a client', async () => {
  const other = { ClientKey: keyOf('other') }
  const first = await importAll({ ...client, ...other, ClientId: 'client-2' })
  const second = await importAll(account('others', other), {
    ...{ kind: 'user', UserKey: keyOf('user'), Name: 'user', ...other },
  })
  const before = await exportText(connection)

  const { errors } = await undoRun(connection, first)

  assert.deepEqual(errors.slice(1), [
    `account ${keyOf('others')}: it is from run ${second} and would be removed too.`,
    `user ${keyOf('user')}: it is from run ${second} and would be removed too.`,
  ])
  assert.equal(await exportText(connection), before)
  await undo(second)
  await undo(first)
})

test('a run can be undone once the later ones are, and again if its undo was undone', async () => {
  const before = await exportText(connection)
  const first = await importAll(instrument(900_100))
  const second = await importAll(instrument(900_100, { Description: 'Second' }))
  const { run: undoing = 0 } = await undoRun(connection, second)
  const undoneBy = async (run: number) => (await findHistoryRun(db, run))?.undoneBy
  assert.deepEqual([await undoneBy(second), await undoneBy(undoing)], [undoing, null])

  const { run: again = 0 } = await undoRun(connection, undoing)
  assert.deepEqual([await undoneBy(second), await undoneBy(undoing)], [null, again])
  assert.equal((await undoRun(connection, first)).errors[1], `instrument 900100: run ${second} changed it again.`)
  await undo(second)
  await undo(first)

  assert.equal(await exportText(connection), before)
})

test('a run is undone as long as one of its undos is in effect, also one that is not the last', async () => {
  const again = async (run: number) => (await undoRun(connection, run)).run ?? assert.fail('nothing changed')
  const run = await importAll(instrument(900_200))
  const first = await again(run)
  const redone = await again(first)
  const second = await again(run)
  const redoneAgain = await again(second)
  const last = await again(redone)

  const undoneBy = async (one: number) => (await findHistoryRun(db, one))?.undoneBy
  assert.doesNotMatch(await exportText(connection), /"Uic":900200\b/)
  assert.equal(await undoneBy(run), first)
  assert.deepEqual([await undoneBy(first), await undoneBy(redone)], [null, last])
  assert.deepEqual([await undoneBy(second), await undoneBy(redoneAgain)], [redoneAgain, null])
})

test('what was undone is no longer imported data; an app that is left is, and so is what an undone undo brings back', async () => {
  const imported = async () => (await readOrigin(db)).imported.map(({ kind, records }) => `${records} ${kind}`)
  await db.transaction().execute((trx) => noteDemo(trx, Temporal.Now.instant()))
  const other = { ...client, ClientKey: keyOf('other'), ClientId: 'client-2' }
  const app = (AppKey: string, more: object) => ({
    ...{ kind: 'app', AppKey, Name: 'Mine', Flow: 'PKCE', RedirectUris: [{ Uri: 'https://mine.example/' }] },
    ...more,
  })
  const left = app('a'.repeat(32), { ClientKey })
  const first = await importAll(other, app('b'.repeat(32), { ClientKey: other.ClientKey }))
  const second = await importAll(left, { ...client, Name: 'Renamed' })
  assert.deepEqual(await imported(), ['2 app', '2 client'])

  await undo(first)
  assert.deepEqual(await imported(), ['1 app', '1 client'])
  const { run: undoing = 0 } = await undoRun(connection, second)
  assert.deepEqual(await imported(), ['1 app'])
  const { run: again = 0 } = await undoRun(connection, undoing)
  assert.deepEqual(await imported(), ['1 app', '1 client'])
  await undo(again)
  await importTexts(connection, { 'some.ndjson': lines({ kind: 'app', AppKey: left.AppKey, delete: true }) })

  assert.deepEqual(await imported(), [])
})
