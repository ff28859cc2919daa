import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FixedClock } from '../../core/clock.ts'
import { ApiError } from './api.ts'
import { consoleDependencies } from './dependencies.ts'
import { currentSession, readSession, writeSession } from './session.ts'

type Response = { statusCode: number; headers: Record<string, unknown>; body: string }

const session = { accessToken: 'a', refreshToken: 'r', expiresAt: 1_000, userName: 'ada' }

/** The console with a /token that returns this response, at a time in seconds since 1970. */
function setup(response: Response, seconds: number, key = 7) {
  const requests: string[] = []
  const deps = consoleDependencies({
    environment: 'sim',
    publicUrl: 'https://desk.example',
    appKey: 'k',
    callback: 'https://desk.example/console/callback',
    sealKey: Buffer.alloc(32, key),
    clock: new FixedClock(Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString()),
    call: async ({ payload }) => {
      requests.push(payload ?? '')
      return response
    },
    travel: () => undefined,
    secretsMode: 'listed',
  })
  const cookies: string[] = []
  const setCookie = (name: string, value: string, options: Record<string, unknown>) =>
    cookies.push(`${name}=${value}; ${JSON.stringify(options)}`)
  const reply = { setCookie } as unknown as FastifyReply
  const parseCookie = (text: string) => Object.fromEntries([text.split('=', 2)])
  const withCookie = (cookie: string) =>
    ({
      id: '1',
      headers: { cookie },
      server: { parseCookie },
      socket: { remoteAddress: '127.0.0.1' },
    }) as unknown as FastifyRequest
  writeSession(deps, reply, session)
  const cookie = cookies.shift()?.split(';')[0] ?? ''
  return { deps, reply, cookies, requests, cookie, withCookie, request: withCookie(cookie) }
}

const granted = { access_token: 'b', refresh_token: 's', expires_in: 1200 }
const good: Response = { statusCode: 200, headers: {}, body: JSON.stringify(granted) }

test('refreshes a token shortly before it expires', async () => {
  const early = setup(good, 900)
  assert.deepEqual(await currentSession(early.deps, early.request, early.reply), session)
  assert.deepEqual([early.requests, early.cookies], [[], []])

  const late = setup(good, 980)
  const renewed = { accessToken: 'b', refreshToken: 's', expiresAt: 2180, userName: 'ada' }
  assert.deepEqual(await currentSession(late.deps, late.request, late.reply), renewed)
  assert.deepEqual(late.requests, ['client_id=k&grant_type=refresh_token&refresh_token=r'])
  const attributes = '{"path":"/","httpOnly":true,"sameSite":"lax","secure":true}'
  assert.match(late.cookies.join(), /^__Host-refdesk_console=[\w-]+; /)
  assert.equal(late.cookies.join().split('; ')[1], attributes)
})

test('a rejected refresh ends the session; an outage or a rate limit keeps it', async () => {
  const over = setup({ statusCode: 400, headers: {}, body: '{"error":"invalid_grant"}' }, 2_000)
  assert.equal(await currentSession(over.deps, over.request, over.reply), undefined)
  assert.match(over.cookies.join(), /^__Host-refdesk_console=; .*"maxAge":0/)

  for (const [statusCode, expected] of [
    [503, 503],
    [500, 503],
    [429, 429],
  ] as const) {
    const away = setup({ statusCode, headers: { 'retry-after': '7' }, body: '{}' }, 2_000)
    await assert.rejects(
      currentSession(away.deps, away.request, away.reply),
      (error) => error instanceof ApiError && error.status === expected && error.retryAfter === '7',
    )
    assert.deepEqual(away.cookies, [])
  }
})

test('ignores a cookie that another key sealed or that was tampered with', () => {
  const { deps, cookie, withCookie } = setup(good, 0)
  assert.deepEqual(readSession(deps, withCookie(cookie)), session)
  const other = setup(good, 0, 8).cookie
  for (const bad of [other, `${cookie.slice(0, -2)}xx`, `${cookie.split('=')[0]}=`, ''])
    assert.equal(readSession(deps, withCookie(bad)), undefined, bad)
})
