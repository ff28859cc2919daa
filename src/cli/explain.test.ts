import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain } from './explain.ts'

const failure = (code: string): Error => Object.assign(new Error('failed'), { code })

test('names the reason and what to do, also if releasing resources failed afterwards', () => {
  const fullDisk = /^The disk is full\. Free some space/
  assert.match(explain(failure('ENOSPC')), fullDisk)
  assert.match(explain(new SuppressedError(new Error('closing failed'), failure('ENOSPC'))), fullDisk)
})

test('otherwise returns the message, or the value that was thrown', () => {
  assert.equal(explain(new Error('No such user.')), 'No such user.')
  assert.equal(explain('stopped'), 'stopped')
})
