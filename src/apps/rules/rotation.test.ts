import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDuration, planRotation } from './rotation.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const day = 24 * 60
const secret = (id: number, fromDays: number, untilDays: number) => ({
  id,
  validFrom: now.add({ hours: fromDays * 24 }),
  validUntil: now.add({ hours: untilDays * 24 }),
})

test('other secrets expire when the overlap ends; earlier ends stay, later starts are deleted', () => {
  const secrets = [secret(1, -30, 300), secret(2, -30, 3), secret(3, -30, 7), secret(4, 2, 400), secret(5, 7, 400)]
  assert.deepEqual(planRotation([...secrets, secret(6, -30, -1)], now, 7 * day, 10), {
    end: now.add({ hours: 7 * 24 }),
    shortened: [1, 4],
    withdrawn: [5],
    cleared: [],
  })
})

test('without an overlap the others expire immediately', () => {
  const { end, shortened, withdrawn } = planRotation([secret(1, -30, 300), secret(2, 0, 300)], now, 0, 10) ?? {}
  assert.deepEqual([end?.toString(), shortened, withdrawn], [now.toString(), [1], [2]])
})

test('expired secrets are deleted only if there is no room; without any, the rotation is impossible', () => {
  const full = [secret(1, -9, -8), secret(2, -9, 0), secret(3, -9, 9)]
  assert.deepEqual(planRotation(full, now, day, 3)?.cleared, [1, 2])
  assert.deepEqual(planRotation(full, now, day, 4)?.cleared, [])
  const valid = [secret(1, -9, 9), secret(2, -9, 9)]
  assert.equal(planRotation(valid, now, day, 2), undefined)
  assert.deepEqual(planRotation(valid, now, 0, 2), { end: now, shortened: [], withdrawn: [], cleared: [1, 2] })
})

test('durations are days, hours or minutes', () => {
  const texts = ['7d', '12h', '90m', '0h', '', '7', 'd', '7w', '-7d', '1.5h', '7 d', '7D', '12345d', '1d12h']
  const read = [7 * day, 720, 90, 0]
  assert.deepEqual(
    texts.map(parseDuration),
    texts.map((_, index) => read[index]),
  )
})
