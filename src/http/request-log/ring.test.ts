import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../core/caller.ts'
import type { Entry } from './entry.ts'
import { RequestRing } from './ring.ts'

const megabyte = 1024 * 1024
const source = {
  nodeName: 'abcdef',
  routeOf: () => '/x',
  readHeaders: (_: number, texts: readonly string[]) => [...texts],
}
const numbers = { loggedMs: 1, clockMs: 1, milliseconds: 0.5, status: 200, route: 1, template: 0, responseBytes: 0 }
const caller = { appKey: 'app', UserKey: 'user', sessionId: 'session' } as Caller
const sender = { address: '::1', headers: ['Accept', 'a', 'Authorization', undefined, 'x-new', undefined], bytes: 100 }
let count = 0
const addUsual = (ring: RequestRing, client: string, body = Buffer.alloc(0)) => {
  const texts = [
    String(++count),
    '/é…',
    'PUT',
    'app',
    '',
    '',
    '',
    'host\nlocalhost',
    'a\nb',
    '',
    'Code',
    'Why',
    'Dropped',
    '',
  ]
  ring.add(client, numbers, { texts, sender: undefined, caller: null, body, isBodyShared: false })
}
const add = (ring: RequestRing, client: string, body = '', isBodyShared = false) =>
  ring.add(client, numbers, { texts: [String(++count), '/x?é', 'a', 'b'], sender, caller, body, isBodyShared })
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

test('a request is read as it was, whichever path served it', () => {
  const ring = new RequestRing(source)
  addUsual(ring, 'a', Buffer.from('é'))
  add(ring, 'a', 'é')
  const [direct, usual] = [...ring.newest()]
  assert.deepEqual(
    [direct?.target, direct?.isShown, direct?.method, direct?.app, direct?.user, direct?.session, direct?.address],
    ['/x?é', false, 'GET', 'app', 'user', 'session', '::1'],
  )
  assert.deepEqual(direct?.requestHeaders, ['accept', 'a', 'authorization', 'Bearer '])
  assert.deepEqual(direct?.responseHeaders, ['a', 'b'])
  assert.deepEqual(
    [usual?.target, usual?.isShown, usual?.method, usual?.app, usual?.user, usual?.reason, usual?.fault],
    ['/é…', true, 'PUT', 'app', undefined, { code: 'Code', message: 'Why' }, 'Dropped'],
  )
  assert.deepEqual(
    [usual?.requestHeaders, usual?.responseHeaders],
    [
      ['host', 'localhost'],
      ['a', 'b'],
    ],
  )
  assert.equal(usual?.responseBody?.toString(), 'é')
})

test('what entries refer to counts as their memory', () => {
  const ring = new RequestRing(source, { entries: 1_000, bytes: megabyte })
  for (let each = 0; each < 1_000; each++) add(ring, 'a', 'x'.repeat(10_000), true)
  assert.ok(ring.size.entries < megabyte / 10_000, `${ring.size.entries} entries`)
})

test('the memory of entries is used again for others, within the limit', (t) => {
  const ring = new RequestRing(source, { entries: 1_000, bytes: 4 * megabyte })
  const addMany = () => {
    for (const bodyBytes of [100, 3_000, 500])
      for (let each = 0; each < 2_000; each++) add(ring, 'a', 'x'.repeat(bodyBytes))
  }
  addMany()
  const allocated = t.mock.method(Buffer, 'allocUnsafeSlow')
  addMany()
  assert.equal(allocated.mock.callCount(), 0)
})
