import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf } from '../../core/text.ts'
import { AnswerMemory } from './answer-memory.ts'

const data = {}
const response = (body: Buffer | string, from = 0, until = Number.POSITIVE_INFINITY) => ({
  headers: {},
  body: Buffer.from(body),
  etag: '"1"',
  from,
  until,
})

function memoryOf(maxBytes = 100_000, seed?: number): AnswerMemory<object> {
  const memory = new AnswerMemory<object>(maxBytes, seed)
  memory.startEdition(data, 'monday')
  return memory
}

const keep = (memory: AnswerMemory<object>, address: string, client: string, body: Buffer | string = 'body') =>
  memory.keep(address, {}, 'view', client, response(body))

const find = (memory: AnswerMemory<object>, address: string, view = 'view', now = 0): string | undefined =>
  memory.page(address)?.find(view, now)?.body.toString()

test('admits a response when it is made for the second time, for each view', () => {
  const memory = memoryOf()
  const body = Buffer.from('body')
  const admitted = ['one', 'one', 'two', 'one', 'two'].map((view) => memory.admits('/a', view, body))
  assert.deepEqual(admitted, [false, true, false, true, true])
  assert.equal(memory.admits('/b', 'one', body), false)
})

test('does not admit a response that would evict most others', () => {
  const memory = memoryOf(8_000)
  const admits = (bytes: number) => memory.admits('/a', 'view', Buffer.alloc(bytes))
  assert.deepEqual([admits(1_000), admits(1_000), admits(1_001)], [false, true, false])
})

test('finds an answer for its address and view only, with what the address asks for', () => {
  const memory = memoryOf()
  const ask = { AccountKey: 'a' }
  memory.keep('/a', ask, 'one', 'client', response('first'))
  memory.keep('/a', ask, 'two', 'client', response('second'))
  assert.deepEqual([find(memory, '/a', 'one'), find(memory, '/a', 'two')], ['first', 'second'])
  assert.deepEqual([find(memory, '/a', 'three'), find(memory, '/b', 'one')], [undefined, undefined])
  assert.equal(memory.page('/a')?.ask, ask)
})

test('of two addresses with one hash only the latest is found, and only by itself', () => {
  const [first, second] = ['liquid', 'costarring'] as const
  const seed = hashOf('')
  assert.equal(hashOf(first), hashOf(second))
  const memory = memoryOf(100_000, seed)

  keep(memory, first, 'client', 'first')
  const { bytes } = memory
  assert.deepEqual([find(memory, first), find(memory, second)], ['first', undefined])
  keep(memory, second, 'client', 'other')

  assert.deepEqual([find(memory, first), find(memory, second)], [undefined, 'other'])
  assert.equal(memory.bytes, bytes + second.length - first.length)
})

test('an answer is used from the moment it is valid until it expires', () => {
  const memory = memoryOf()
  memory.keep('/a', {}, 'view', 'client', response('old', 100, 200))
  assert.deepEqual(
    [99, 100, 199, 200].map((now) => find(memory, '/a', 'view', now)),
    [undefined, 'old', 'old', undefined],
  )
  const { bytes } = memory
  memory.keep('/a', {}, 'view', 'client', response('new', 200, 300))
  assert.deepEqual([find(memory, '/a', 'view', 199), find(memory, '/a', 'view', 200)], [undefined, 'new'])
  assert.equal(memory.bytes, bytes)
})

test('forgets everything when the data or the day changes', () => {
  for (const [changed, day] of [[{}, 'monday'] as const, [data, 'tuesday'] as const]) {
    const memory = memoryOf()
    keep(memory, '/a', 'client')
    memory.startEdition(data, 'monday')
    assert.equal(find(memory, '/a'), 'body')
    memory.startEdition(changed, day)
    assert.deepEqual([find(memory, '/a'), memory.bytes], [undefined, 0])
  }
})

test('keeps a copy of the bytes without the buffer around them, a small one as text', () => {
  const memory = memoryOf()
  const whole = Buffer.alloc(64_000, 'ü')
  memory.keep('/small', {}, 'view', 'client', { ...response(''), body: whole.subarray(0, 10) })
  memory.keep('/large', {}, 'view', 'client', { ...response(''), body: whole.subarray(0, 12_000) })
  whole.fill('y')
  const [small, large] = ['/small', '/large'].map((address) => memory.page(address)?.find('view', 0)?.body)
  assert.deepEqual(Buffer.from(small as string, 'latin1'), Buffer.from('üüüüü'))
  assert.deepEqual(large, Buffer.alloc(12_000, 'ü'))
  assert.equal((large as Buffer).buffer.byteLength, 12_000)
})

test('stays within its bytes, counts addresses, and forgets what was not used', () => {
  const memory = memoryOf(100_000)
  for (let index = 0; index < 1_000; index++) {
    keep(memory, `/${index}`.padEnd(500, 'x'), 'client', Buffer.alloc(100))
    assert.ok(memory.bytes <= 100_000)
    assert.notEqual(find(memory, '/0'.padEnd(500, 'x')), undefined)
  }
  assert.ok(memory.bytes > 90_000)
  assert.equal(find(memory, '/1'.padEnd(500, 'x')), undefined)
})

test('a client that fills the memory does not evict the answers of others', () => {
  const memory = memoryOf(100_000)
  const modest = Array.from({ length: 10 }, (_, index) => `/modest/${index}`)
  for (const address of modest) keep(memory, address, 'modest', Buffer.alloc(1_000))
  for (let index = 0; index < 1_000; index++) keep(memory, `/greedy/${index}`, 'greedy', Buffer.alloc(1_000))
  assert.equal(modest.filter((address) => find(memory, address) !== undefined).length, 10)
  assert.notEqual(find(memory, '/greedy/999'), undefined)
  assert.ok(memory.bytes > 90_000)
})

test('a client that comes late gets its share of a full memory', () => {
  const memory = memoryOf(100_000)
  const addresses = (client: string, count: number) =>
    Array.from({ length: count }, (_, index) => `/${client}/${index}`)
  const fill = (client: string, count: number) => {
    for (const address of addresses(client, count)) keep(memory, address, client, Buffer.alloc(1_000))
  }
  const kept = (client: string) =>
    addresses(client, 100).filter((address) => find(memory, address) !== undefined).length
  fill('first', 100)
  fill('second', 100)
  fill('third', 100)
  assert.ok(Math.min(kept('first'), kept('second'), kept('third')) >= 14)
})
