import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseReset } from './reset.ts'

const demo = { isDemo: true, imported: [] }
const mixed = {
  isDemo: true,
  imported: [
    { kind: 'client', records: 1 },
    { kind: 'instrument', records: 1_200 },
  ],
}
const own = { isDemo: false, imported: mixed.imported }

test('resets a database that only the demo filled', () => {
  assert.equal(refuseReset(demo, true, false), undefined)
  assert.equal(refuseReset(demo, false, false)?.code, 'NoDemoData')
})

test('never resets a database that the demo did not fill, even for an operator', () => {
  for (const mayRemoveImported of [false, true]) {
    assert.equal(refuseReset(own, true, mayRemoveImported)?.code, 'NoDemoData')
    assert.equal(refuseReset({ ...own, imported: [] }, true, mayRemoveImported)?.code, 'NoDemoData')
  }
})

test('resets a demo into which data was imported only if an operator says so, and lists what was imported', () => {
  const refusal = refuseReset(mixed, true, false)
  assert.equal(refusal?.code, 'ImportedData')
  assert.match(
    refusal.message,
    /\(1 client record, 1,?200 instrument records\).*refdesk reset --confirm reset --imported$/,
  )
  assert.equal(refuseReset(mixed, true, true), undefined)
})
