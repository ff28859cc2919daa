import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FixedClock } from '../../core/clock.ts'
import { ApiRefusal } from './api.ts'
import { consoleParts } from './dependencies.ts'
import { liveSession, readSession, writeSession } from './session.ts'

type Answered = { statusCode: number; headers: Record<string, unknown>; body: string }

const session = { accessToken: 'a', refreshToken: 'r', expiresAt: 1_000, userName: 'ada' }

/** The console in front of a /token that gives this answer, at so many seconds since 1970. */
function setting(answer: Answered, seconds: number, key = 7) {
  const asked: string[] = []
  const parts = consoleParts({
    environment: 'sim',
    publicUrl: 'https://desk.example',
    appKey: 'k',
    callback: 'https://desk.example/console/callback',
    sealKey: Buffer.alloc(32, key),
    clock: new FixedClock(Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString()),
    call: async ({ payload }) => {
      asked.push(payload ?? '')
      return answer
    },
    travel: () => undefined,
    secretsMode: 'listed',
  })
  const set: string[] = []
  const reply = { header: (_name: string, value: string) => set.push(value) } as unknown as FastifyReply
  const withCookie = (cookie: string) =>
    ({ id: '1', headers: { cookie }, socket: { remoteAddress: '127.0.0.1' } }) as unknown as FastifyRequest
  writeSession(parts, reply, session)
  const cookie = set.shift()?.split(';')[0] ?? ''
  return { parts, reply, set, asked, cookie, withCookie, request: withCookie(cookie) }
}

const granted = { access_token: 'b', refresh_token: 's', expires_in: 1200 }
const good: Answered = { statusCode: 200, headers: {}, body: JSON.stringify(granted) }

test('a token that lives is used as it is; one that is about to end is changed first', async () => {
  const early = setting(good, 900)
  assert.deepEqual(await liveSession(early.parts, early.request, early.reply), session)
  assert.deepEqual([early.asked, early.set], [[], []])

  const late = setting(good, 980)
  const renewed = { accessToken: 'b', refreshToken: 's', expiresAt: 2180, userName: 'ada' }
  assert.deepEqual(await liveSession(late.parts, late.request, late.reply), renewed)
  assert.deepEqual(late.asked, ['client_id=k&grant_type=refresh_token&refresh_token=r'])
  assert.match(late.set.join(), /^__Host-refdesk_console=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
})

test('a refusal ends the session; an outage or a limit leaves it as it is', async () => {
  const over = setting({ statusCode: 400, headers: {}, body: '{"error":"invalid_grant"}' }, 2_000)
  assert.equal(await liveSession(over.parts, over.request, over.reply), undefined)
  assert.match(over.set.join(), /^__Host-refdesk_console=; .*Max-Age=0/)

  for (const [statusCode, told] of [
    [503, 503],
    [500, 503],
    [429, 429],
  ] as const) {
    const away = setting({ statusCode, headers: { 'retry-after': '7' }, body: '{}' }, 2_000)
    await assert.rejects(
      liveSession(away.parts, away.request, away.reply),
      (error) => error instanceof ApiRefusal && error.status === told && error.retryAfter === '7',
    )
    assert.deepEqual(away.set, [])
  }
})

test('a cookie of another key, a changed one and none are as if nobody were signed in', () => {
  const { parts, cookie, withCookie } = setting(good, 0)
  assert.deepEqual(readSession(parts, withCookie(cookie)), session)
  const other = setting(good, 0, 8).cookie
  for (const bad of [other, `${cookie.slice(0, -2)}xx`, `${cookie.split('=')[0]}=`, ''])
    assert.equal(readSession(parts, withCookie(bad)), undefined, bad)
})
