import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain } from './explain.ts'

const failure = (code: string): Error => Object.assign(new Error('failed'), { code })

test('names the reason and what to do, also if releasing resources failed afterwards', () => {
  const fullDisk = /^The disk is full\. Free some space/
  assert.match(explain(failure('ENOSPC')), fullDisk)
  assert.match(explain(new SuppressedError(new Error('closing failed'), failure('ENOSPC'))), fullDisk)
})

test('names the database that does not exist', () => {
  const missing = Object.assign(new Error('database "nodb" does not exist'), { code: '3D000' })
  assert.match(explain(missing), /createdb nodb$/)
  assert.match(explain(failure('3D000')), /createdb NAME$/)
})

test('otherwise returns the message, or the value that was thrown', () => {
  assert.equal(explain(new Error('No such user.')), 'No such user.')
  assert.equal(explain('stopped'), 'stopped')
})
