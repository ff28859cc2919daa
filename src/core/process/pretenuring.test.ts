import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { pretenuringFlag } from './pretenuring.ts'

test('V8 has the flag: one that it does not know is ignored', () => {
  const flags = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  assert.match(flags, new RegExp(`^ +--${pretenuringFlag} `, 'm'))
})
