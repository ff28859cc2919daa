import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from './entry.ts'
import { RequestRing } from './ring.ts'

const megabyte = 1024 * 1024
let count = 0
const add = (ring: RequestRing, client: string, bodyBytes = 0, unknownFields: string[] = []) => {
  const responseBody = bodyBytes === 0 ? undefined : Buffer.alloc(bodyBytes)
  const texts = { target: '/x', requestHeaders: ['accept', 'a'], responseHeaders: ['a', 'b'], responseBody }
  const entry: Partial<Entry> = { ...texts, count: ++count, client, unknownFields }
  ring.add(entry as Entry)
}
const countsOf = (entries: readonly Entry[]) => entries.map((entry) => entry.count)

test('keeps the latest entries, at most as many and as large as allowed', () => {
  const ring = new RequestRing({ entries: 100, bytes: megabyte })
  for (let each = 0; each < 250; each++) add(ring, 'a')
  assert.deepEqual(
    countsOf(ring.newest('a')),
    Array.from({ length: 100 }, (_, at) => count - at),
  )

  for (let each = 0; each < 500; each++) {
    add(ring, 'a', 16_384)
    assert.ok(ring.size.entries <= 100 && ring.size.bytes <= megabyte)
  }
  const kept = ring.newest()
  assert.ok(kept.length > 30, `${kept.length} of 16 KB each fit`)
  assert.equal(kept[0]?.count, count)

  const small = new RequestRing({ entries: 100, bytes: 1_000 })
  add(small, 'a')
  assert.deepEqual(small.size, { entries: 0, bytes: 0 }, 'an entry larger than all is not kept')
})

test('the names of fields that a caller made up count as bytes', () => {
  const ring = new RequestRing({ entries: 100, bytes: megabyte })
  for (let each = 0; each < 100; each++) add(ring, 'a', 0, ['x'.repeat(60_000)])

  assert.ok(ring.size.entries < 20, `${ring.size.entries} entries`)
})

test('a busy client does not evict the entries of other clients', () => {
  const ring = new RequestRing({ entries: 100, bytes: megabyte })
  for (let each = 0; each < 20; each++) add(ring, 'quiet')
  for (let each = 0; each < 2_000; each++) add(ring, 'busy', each * 8)
  assert.equal(ring.newest('quiet').length, 20)
  assert.ok(ring.newest('busy').length > 10)

  for (let each = 0; each < 500; each++) add(ring, 'busy')
  for (let each = 0; each < 60; each++) add(ring, 'quiet')
  assert.equal(ring.newest('quiet').length, 50, 'its share')
  assert.equal(ring.newest('busy').length, 50)

  for (let client = 0; client < 200; client++) add(ring, `client ${client}`, client * 80)
  assert.ok(ring.size.entries > 10 && ring.size.entries <= 100 && ring.size.bytes <= megabyte)
})

test('with more clients than entries, each new entry replaces an older one', () => {
  const ring = new RequestRing({ entries: 10, bytes: megabyte })
  for (let client = 0; client < 50; client++) add(ring, `client ${client}`)

  assert.deepEqual(
    countsOf(ring.newest()),
    Array.from({ length: 10 }, (_, at) => count - at),
  )
})

test('new entries are reported to listeners until they stop', () => {
  const ring = new RequestRing()
  const heard: Entry[] = []
  const stop = ring.listen((entry) => heard.push(entry))
  add(ring, 'a')
  stop()
  add(ring, 'a')

  assert.deepEqual(countsOf(heard), [count - 1])
})
