import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Remembered } from './remembered.ts'

test('something is made again only for another object or other inputs', () => {
  const remembered = new Remembered<string>()
  let count = 0
  const get = (source: object, ...inputs: unknown[]) =>
    remembered.get(source, inputs, () => {
      count += 1
      return inputs.join()
    })
  const [one, other] = [{}, {}]
  assert.deepEqual([get(one, 'a', 1), get(one, 'a', 1), count], ['a,1', 'a,1', 1])
  assert.deepEqual([get(one, 'a', 2), get(one, 'b', 2), count], ['a,2', 'b,2', 3])
  assert.deepEqual([get(other, 'b', 2), get(one, 'b', 2), count], ['b,2', 'b,2', 4])
})
