import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf } from '../../core/text.ts'
import { SeenOnce } from './seen-once.ts'

const addresses = Array.from({ length: 2_000 }, (_, index) => `/ref/v1/instruments?Keywords=${index}`)

test('addresses that are requested in turn are all known the second time', () => {
  const seen = new SeenOnce()

  const first = addresses.filter((address) => seen.again(hashOf(address), 'view'))
  const second = addresses.filter((address) => seen.again(hashOf(address), 'view'))

  assert.deepEqual(first, [])
  assert.equal(second.length, addresses.length)
})

test('the same address with other rights was not seen before', () => {
  const seen = new SeenOnce()
  seen.again(hashOf('/a'), 'one')

  assert.equal(seen.again(hashOf('/a'), 'two'), false)
  assert.equal(seen.again(hashOf('/a'), 'one'), true)
})

test('what was seen long ago is forgotten', () => {
  const seen = new SeenOnce()
  seen.again(hashOf('/old'), 'view')

  for (let index = 0; index < 1_000_000; index++) seen.again(hashOf(`/new/${index}`), 'view')

  assert.equal(seen.again(hashOf('/old'), 'view'), false)
})
