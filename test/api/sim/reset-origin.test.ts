import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setOperator } from '../../../src/auth/commands/users.ts'
import { readRunRange } from '../../../src/data/store/history-runs.ts'
import { readOrigin } from '../../../src/data/store/origin.ts'
import { resetCommand } from '../../../src/sim/commands.ts'
import { restoreSnapshot, saveSnapshot } from '../../support/database/snapshots.ts'
import { eventually } from '../../support/eventually.ts'
import { importTexts, instrument, lines, undoRun } from '../../support/service/import.ts'
import { masterKey, serviceForFile } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import { type Call, callWith } from './support.ts'

const service = await serviceForFile({ reference: true })
const { db, clock } = service.node.context
const { connection } = service.database
const command = { db, clock, masterKey, environment: 'sim', isDemoOn: true }

let ada: Call
beforeEach(async () => {
  await resetCommand(command, { imported: true }, () => {})
  const { access_token } = await eventually(() => obtainTokens(service.url).catch(() => undefined))
  ada = callWith(service, access_token)
})

const uic = 900_001
const importInstrument = async (Symbol: string, number = uic) => {
  const record = instrument(number, { Symbol, ExchangeId: 'NASDAQ' })
  const { errors, run } = await importTexts(connection, { 'mine.ndjson': lines(record) })
  assert.deepEqual(errors, [])
  return run ?? assert.fail('nothing changed')
}
const undo = async (run: number) => {
  const { errors, run: undoing } = await undoRun(connection, run)
  assert.deepEqual(errors, [])
  return undoing ?? assert.fail('nothing changed')
}
const lastRun = async () => (await readRunRange(db))?.last ?? assert.fail('no run')
const imported = async () => (await readOrigin(db)).imported.map(({ kind, records }) => `${records} ${kind}`)
const isThere = async (number = uic) =>
  (await db.selectFrom('instrument').select('uic').where('uic', '=', number).execute()).length === 1
const reset = async () => {
  const { status, body } = await ada<{ ErrorCode?: string }>('POST', '/x/v1/reset', { Confirm: 'reset' })
  return [status, body.ErrorCode]
}

test('does not remove imported data that the undo of a restore brought back', async () => {
  await saveSnapshot(ada, 'empty')
  await importInstrument('MINE:xnas')
  await restoreSnapshot(ada, 'empty')
  assert.deepEqual(await imported(), [])

  await undo(await lastRun())

  assert.deepEqual(await reset(), [409, 'ImportedData'])
  assert.ok(await isThere())
})

test('does not remove imported data of before a restore that was undone, nor does undoing what came after it', async () => {
  await importInstrument('A:xnas')
  await saveSnapshot(ada, 'first')
  const second = await importInstrument('B:xnas')
  const third = await importInstrument('C:xnas')
  assert.deepEqual(await imported(), ['3 instrument'])
  await restoreSnapshot(ada, 'first')
  assert.deepEqual(await imported(), ['1 instrument'])

  await undo(await lastRun())
  assert.deepEqual(await imported(), ['3 instrument'])
  await undo(third)
  await undo(second)

  assert.deepEqual(await imported(), ['1 instrument'])
  assert.deepEqual(await reset(), [409, 'ImportedData'])
  assert.ok(await isThere())
})

test('does not remove imported data that the undo of a deletion brings back after a restore', async () => {
  await saveSnapshot(ada, 'empty')
  await importInstrument('A:xnas')
  const { run: deletion = 0 } = await importTexts(connection, {
    'mine.ndjson': lines({ kind: 'instrument', Uic: uic, delete: true }),
  })
  await importInstrument('OTHER:xnas', 900_002)
  await restoreSnapshot(ada, 'empty')
  assert.deepEqual(await imported(), [])

  await undo(deletion)

  assert.deepEqual(await reset(), [409, 'ImportedData'])
  assert.ok(await isThere())
})

test('the undo of a run that imported nothing does not make data of the demo imported data', async () => {
  const given = await ada('PUT', '/x/v1/positions', { User: 'ada', Symbol: 'AAPL:xnas', AssetType: 'Stock', Amount: 7 })
  assert.equal(given.status, 200)
  const again = await undo(await undo(await lastRun()))
  await undo(again)
  assert.equal((await ada('PUT', '/x/v1/scenarios/tender-offer')).status, 200)
  await undo(await lastRun())
  await setOperator({ db, clock }, 'cy', true, () => {})
  await undo(await lastRun())

  assert.deepEqual(await imported(), [])
  assert.deepEqual(await reset(), [200, undefined])
})
