import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { heapFlags } from './heap-flags.ts'

test('V8 has the flags: one that it does not know is ignored', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  for (const flag of heapFlags) {
    const name = flag.replace(/^--(no-)?/, '').replace(/=.*/, '')
    assert.match(known, new RegExp(`^ +--${name} `, 'm'), flag)
  }
})
