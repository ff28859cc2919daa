import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { testCaller } from '../../../test/support/http-server.ts'
import { rememberAnswers } from './remember-answers.ts'

type Ask = { account: string }

/** A memory whose callers have their own rights, or the rights of the account that the address names. */
function memoryOf(maxBytes?: number) {
  const now = { ms: 0, day: 'monday', data: {} }
  const answers = rememberAnswers<Ask | undefined>(
    {
      nowMs: () => now.ms,
      data: () => now.data,
      day: () => now.day,
      viewOf: (caller, ask) => ({ signature: `${caller.UserKey}${ask?.account ?? ''}` }),
    },
    maxBytes,
  )
  const requestOf = (url: string, user: string, headers = {}) =>
    ({ method: 'GET', url, headers, caller: { ...testCaller, UserKey: user, ClientKey: user } }) as FastifyRequest
  const make = (
    url: string,
    { user = 'ada', body = 'body', ask = undefined as Ask | undefined, until = 1_000 } = {},
  ) => {
    const request = requestOf(url, user)
    request.basis = { ...now, ask, view: `${user}${ask?.account ?? ''}`, from: 0, until }
    const headers: Record<string, string> = { etag: 'W/"1"', 'content-type': 'text/plain', 'x-other': 'x' }
    const reply = { statusCode: 200, getHeader: (name: string) => headers[name] } as unknown as FastifyReply
    answers.remember(request, reply, Buffer.from(body))
  }
  const find = (url: string, user = 'ada', headers = {}) => answers.answer(requestOf(url, user, headers))
  const bodyOf = (url: string, user?: string) => find(url, user)?.body?.toString()
  return { now, answers, make, find, bodyOf }
}

test('a response is remembered when it is made for the second time, with the headers that stay the same', () => {
  const { answers, make, find, bodyOf } = memoryOf()
  make('/a')
  assert.equal(find('/a'), undefined)
  make('/a')
  assert.deepEqual(find('/a'), {
    status: 200,
    headers: { etag: 'W/"1"', 'content-type': 'text/plain' },
    body: Buffer.from('body'),
  })
  assert.equal(bodyOf('/b'), undefined)
  assert.equal(find('/a', 'ada', { 'accept-encoding': 'gzip' }), undefined)
  assert.equal(answers.hits(), 1)
})

test('other rights never get the response, also if the address asks for them', () => {
  const { make, bodyOf } = memoryOf()
  for (let time = 0; time < 2; time++) {
    make('/a', { body: 'of ada' })
    make('/a', { user: 'bo', body: 'of bo' })
    make('/b', { ask: { account: '7' }, body: 'account 7' })
  }
  assert.deepEqual([bodyOf('/a'), bodyOf('/a', 'bo'), bodyOf('/a', 'cy')], ['of ada', 'of bo', undefined])
  assert.deepEqual([bodyOf('/b'), bodyOf('/b', 'bo')], ['account 7', undefined])
})

test('new data, another day and the end of a response make it again', () => {
  for (const change of [{ data: {} }, { day: 'tuesday' }, { ms: 1_000 }]) {
    const memory = memoryOf()
    for (let time = 0; time < 2; time++) memory.make('/a')
    assert.equal(memory.bodyOf('/a'), 'body')
    Object.assign(memory.now, change)
    assert.equal(memory.bodyOf('/a'), undefined)
  }
})

test('a caller who has the response already gets 304 without its body', () => {
  const { make, find } = memoryOf()
  for (let time = 0; time < 2; time++) make('/a')
  assert.deepEqual(find('/a', 'ada', { 'if-none-match': '"1"' }), {
    status: 304,
    headers: { etag: 'W/"1"', 'content-type': 'text/plain' },
  })
})

test('stays within its bytes, and a client that fills it evicts no response of another client', () => {
  const { answers, make, bodyOf } = memoryOf(100_000)
  const fill = (user: string, count: number) => {
    for (let at = 0; at < count; at++)
      for (let time = 0; time < 2; time++) {
        make(`/${user}/${at}`, { user, body: 'x'.repeat(1_000) })
        assert.ok(answers.bytes() <= 100_000)
      }
  }
  const kept = (user: string, count: number) =>
    Array.from({ length: count }, (_, at) => bodyOf(`/${user}/${at}`, user)).filter(Boolean).length
  fill('modest', 5)
  fill('greedy', 1_000)
  assert.equal(kept('modest', 5), 5)
  assert.ok(kept('greedy', 1_000) >= 5)
  fill('late', 5)
  assert.equal(kept('late', 5), 5)
})

test('a response that would evict most others is not remembered', () => {
  const { make, bodyOf } = memoryOf(8_000)
  for (let time = 0; time < 2; time++) make('/a', { body: 'x'.repeat(1_001) })
  assert.equal(bodyOf('/a'), undefined)
})
