import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import type { Segment } from '../segment.ts'
import { PastStates } from './past-states.ts'

/** A database that refuses connections. */
const noDatabase = { host: '127.0.0.1', port: 1 }
const base = { revision: 1, identity: 'one' } as Segment
const isUnavailable = (error: unknown) => error instanceof Problem && error.code === 'ServiceUnavailable'

test('a state that cannot be made is 503, also after the stop, which leaves no thread', async () => {
  const warned: string[] = []
  const states = new PastStates(noDatabase, { warn: (detail) => warned.push(JSON.stringify(detail)) })
  const get = () => states.get(base, { history: 'h', seq: 1, revision: 1 }, 'client')

  await assert.rejects(get(), isUnavailable)
  assert.match(warned[0] ?? '', /ECONNREFUSED/)
  await states.stop()
  await assert.rejects(get(), isUnavailable)
  assert.match(warned[1] ?? '', /has ended/)
})
