import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownTurn } from './own-turn.ts'

test('each turn of the event loop has one of those who wait, in their order', async () => {
  let turn = 0
  let isDone = false
  const count = () => {
    turn++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const seen: [string, number][] = []
  const work = async (name: string) => {
    for (let part = 0; part < 3; part++) {
      await ownTurn()
      seen.push([name, turn])
    }
  }

  await Promise.all(['a', 'b', 'c'].map(work))
  isDone = true

  assert.equal(seen.map(([name]) => name).join(''), 'abcabcabc')
  assert.equal(new Set(seen.map(([, at]) => at)).size, 9, JSON.stringify(seen))
})
