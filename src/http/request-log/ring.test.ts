import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from './entry.ts'
import { RequestRing } from './ring.ts'

const megabyte = 1024 * 1024
const source = { nodeName: 'abcdef', routeOf: () => '/x', readHeaders: (text: string) => text.split('\n') }
const numbers = { loggedMs: 1, clockMs: 1, milliseconds: 0.5, status: 200, route: 1, isShown: true, responseBytes: 0 }
const texts = {
  target: '/x',
  context: 'GET\0\0\0\0\0',
  responseHeaders: 'a\nb',
  facts: undefined,
  requestBody: undefined,
}
let count = 0
const add = (ring: RequestRing, client: string, body = '') =>
  ring.add(client, numbers, { ...texts, requestId: String(++count) }, body)
const idsOf = (entries: Iterable<Entry>) => [...entries].map(({ requestId }) => Number(requestId))

test('keeps the latest entries, at most as many and as large as allowed', () => {
  const ring = new RequestRing(source, { entries: 100, bytes: megabyte })
  for (let each = 0; each < 250; each++) add(ring, 'a')
  assert.deepEqual(
    idsOf(ring.newest('a')),
    Array.from({ length: 100 }, (_, at) => count - at),
  )

  for (let each = 0; each < 500; each++) {
    add(ring, 'a', 'x'.repeat(100_000))
    assert.ok(ring.size.entries <= 100 && ring.size.bytes <= megabyte)
  }
  const kept = [...ring.newest()]
  assert.ok(kept.length > 30, `${kept.length} of 16 KB each fit`)
  assert.deepEqual(new Set(kept.map(({ responseBody }) => responseBody?.length)), new Set([16_384]))

  const small = new RequestRing(source, { entries: 100, bytes: 1_000 })
  add(small, 'a')
  assert.deepEqual(small.size, { entries: 0, bytes: 0 }, 'an entry larger than all is not kept')
})

test('a busy client does not push out the entries of others', () => {
  const ring = new RequestRing(source, { entries: 100, bytes: megabyte })
  for (let each = 0; each < 20; each++) add(ring, 'quiet')
  for (let each = 0; each < 2_000; each++) add(ring, 'busy', 'x'.repeat(each * 10))
  assert.equal([...ring.newest('quiet')].length, 20)
  assert.ok([...ring.newest('busy')].length > 10)

  for (let each = 0; each < 500; each++) add(ring, 'busy')
  for (let each = 0; each < 60; each++) add(ring, 'quiet')
  assert.equal([...ring.newest('quiet')].length, 50, 'its share')
  assert.equal([...ring.newest('busy')].length, 50)

  for (let client = 0; client < 200; client++) add(ring, `client ${client}`, 'x'.repeat(client * 100))
  assert.ok(ring.size.entries > 10 && ring.size.entries <= 100 && ring.size.bytes <= megabyte)
})

test('new entries are reported to listeners until they stop, and found by text or count', () => {
  const ring = new RequestRing(source)
  const heard: Entry[] = []
  const stop = ring.listen((entry) => heard.push(entry))
  add(ring, 'a', 'é')
  stop()
  add(ring, 'a')

  assert.deepEqual(idsOf(heard), [count - 1])
  assert.equal(heard[0]?.responseBody?.toString('latin1'), 'é')
  assert.deepEqual(idsOf(ring.candidates('', 1)), [count - 1])
  assert.ok(idsOf(ring.candidates(String(count), undefined)).includes(count))
  assert.deepEqual(idsOf(ring.candidates(String(count), 1, 'b')), [])
})
