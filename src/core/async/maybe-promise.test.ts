import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allKnown, type MaybePromise, whenKnown } from './maybe-promise.ts'

test('a known value is used at once, a promise when it is fulfilled', async () => {
  const half = (value: MaybePromise<number>) => whenKnown(value, (number) => number / 2)
  assert.equal(half(4), 2)
  const later = half(Promise.resolve(6))
  assert.ok(later instanceof Promise)
  assert.equal(await later, 3)
})

test('values are known together if each is', async () => {
  assert.deepEqual(allKnown([1, 2]), [1, 2])
  const later = allKnown([1, Promise.resolve(2)])
  assert.ok(later instanceof Promise)
  assert.deepEqual(await later, [1, 2])
})
