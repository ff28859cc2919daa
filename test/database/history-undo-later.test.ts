import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('an undo keeps elections that users made before the run', async () => {
  await importAll(event('event-3', 900_004))
  await elect('event-3', keyOf('first'))
  const run = await importAll({ ...event('event-3', 900_004), EventState: 'Cancelled' })

  await undo(run)

  const left = await db.selectFrom('event_holding').select('by_user').where('event_id', '=', 'event-3').execute()
  assert.deepEqual(left, [{ by_user: true }])
})

test('an undo is refused if it would remove what later runs or users attached to an account', async () => {
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

test('an undo is refused if it would remove accounts and users that later runs gave to a client', async () => {
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
