import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOriginUnknown, refuseReset } from './reset.ts'

const demo = { isDemo: true, hasClients: true, imported: [] }
const mixed = {
  isDemo: true,
  hasClients: true,
  imported: [
    { kind: 'client', records: 1 },
    { kind: 'instrument', records: 1_200 },
  ],
}
const own = { isDemo: false, hasClients: true, imported: mixed.imported }

test('resets a database that only the demo filled', () => {
  assert.equal(refuseReset(demo, true, false), undefined)
  assert.equal(refuseReset(demo, false, false)?.code, 'NoDemoData')
})

test('never resets a database that the demo did not fill, even for an operator', () => {
  for (const mayRemoveImported of [false, true]) {
    assert.equal(refuseReset(own, true, mayRemoveImported)?.code, 'NoDemoData')
    assert.equal(refuseReset({ ...own, hasClients: false, imported: [] }, true, mayRemoveImported)?.code, 'NoDemoData')
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

test('says that the origin is unknown if an earlier version filled the database; an operator may reset it', () => {
  const old = { isDemo: false, hasClients: true, imported: [] }
  assert.deepEqual([old, own, demo, mixed].map(isOriginUnknown), [true, false, false, false])
  const later = { ...old, imported: [{ kind: 'instrument', records: 3 }] }
  for (const origin of [old, later]) {
    const refusal = refuseReset(origin, true, false)
    assert.equal(refusal?.code, 'NoDemoData')
    assert.match(refusal.message, /^An earlier version .* not known .*refdesk reset --confirm reset --imported$/)
    assert.equal(refuseReset(origin, true, true), undefined)
    assert.equal(refuseReset(origin, false, true)?.code, 'NoDemoData')
  }
})
