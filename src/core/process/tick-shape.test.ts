import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { keepTickShape } from './tick-shape.ts'

test('holds one object of process.nextTick, and observes nothing after that', () => {
  const kept: string[] = []
  const watching = createHook({ init: (_id, type) => kept.push(type) }).enable()
  keepTickShape()
  watching.disable()
  assert.deepEqual(kept, ['TickObject'])
})
