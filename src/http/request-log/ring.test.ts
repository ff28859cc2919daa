import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from './entry.ts'
import { RequestRing } from './ring.ts'

let count = 0
const entryOf = (client: string, bytes = 1): Entry =>
  ({ id: String(++count).padStart(8, '0'), client, bytes, next: undefined }) as Entry

test('keeps the latest entries, at most as many and as large as allowed', () => {
  const ring = new RequestRing({ entries: 10, bytes: 100 })
  for (let each = 0; each < 25; each++) ring.add(entryOf('a'))
  const kept = ring.newest('a')
  assert.deepEqual(ring.size, { entries: 10, bytes: 10 })
  assert.deepEqual(
    kept.map(({ id }) => Number(id)),
    Array.from({ length: 10 }, (_, at) => count - at),
  )

  for (let each = 0; each < 3; each++) ring.add(entryOf('a', 40))
  assert.deepEqual(ring.size, { entries: 2, bytes: 80 })
  ring.add(entryOf('a', 200))
  assert.deepEqual(ring.size, { entries: 0, bytes: 0 }, 'an entry larger than all is not kept')
})

test('a busy client does not push out the entries of others', () => {
  const ring = new RequestRing({ entries: 100, bytes: 10_000 })
  for (let each = 0; each < 20; each++) ring.add(entryOf('quiet'))
  for (let each = 0; each < 5_000; each++) ring.add(entryOf('busy', each % 50))
  assert.equal(ring.newest('quiet').length, 20)
  assert.equal(ring.newest('busy').length, 80)

  for (let each = 0; each < 60; each++) ring.add(entryOf('quiet'))
  assert.equal(ring.newest('quiet').length, 50, 'its share')
  assert.equal(ring.newest('busy').length, 50)
  assert.equal(ring.newest().length, 100)

  for (let client = 0; client < 200; client++) ring.add(entryOf(`client ${client}`))
  assert.equal(ring.size.entries, 100)
})

test('new entries are reported to listeners until they stop', () => {
  const ring = new RequestRing()
  const heard: Entry[] = []
  const stop = ring.listen((entry) => heard.push(entry))
  ring.add(entryOf('a'))
  stop()
  ring.add(entryOf('a'))
  assert.equal(heard.length, 1)
})
