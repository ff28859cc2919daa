import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { constants } from 'node:os'
import { test } from 'node:test'

const program = `
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { lowerProcessPriority } from ${JSON.stringify(new URL('low-priority.ts', import.meta.url).href)}
lowerProcessPriority()
const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
console.log(JSON.stringify(threads.map((thread) => getPriority(thread))))`

test('every thread of the process gets a lower priority', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  const priorities = new Set<number>(JSON.parse(output))
  assert.deepEqual([...priorities], [constants.priority.PRIORITY_BELOW_NORMAL])
})
