import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FixedClock } from '../../../test/support/clock.ts'
import { testServer } from '../../../test/support/http-server.ts'
import { UploadSlots } from '../../http/limits/upload-slots.ts'
import { ApiError } from './api.ts'
import { consoleDependencies } from './dependencies.ts'
import { currentSession, readSession, storeSession } from './session.ts'

const session = { accessToken: 'a', refreshToken: 'r', expiresAt: 1_000, userName: 'ada', clientKey: 'c' }
const granted = { access_token: 'b', refresh_token: 's', expires_in: 1200 }
const good = { statusCode: 200, headers: {}, body: JSON.stringify(granted) }

/** A server whose /token returns this response, at a time in seconds since 1970, and the cookie of a session. */
async function setup(response: typeof good & { headers: Record<string, unknown> }, seconds: number, key = 7) {
  const requests: string[] = []
  const deps = consoleDependencies({
    environment: 'sim',
    publicUrl: 'https://desk.example',
    appKey: 'k',
    callback: 'https://desk.example/console/callback',
    sealKey: Buffer.alloc(32, key),
    clock: new FixedClock(Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString()),
    call: async ({ payload }) => {
      requests.push(String(payload ?? ''))
      return response
    },
    travel: () => undefined,
    activeFaults: () => 0,
    secretsMode: 'listed',
    acceptsElections: true,
    hasRequestLog: true,
    uploads: new UploadSlots(),
    isExplained: () => false,
  })
  const { server } = testServer()
  const tokens = {
    access_token: 'a',
    refresh_token: 'r',
    token_type: 'Bearer',
    expires_in: session.expiresAt - seconds,
  }
  server.get('/store', (request, reply) => reply.send(storeSession({ deps, request, reply }, tokens, session)))
  server.get('/read', (request, reply) => reply.send(readSession({ deps, request }) ?? {}))
  server.get('/current', async (request, reply) => {
    const current = await currentSession({ deps, request, reply }).catch((error: unknown) => error)
    return current instanceof ApiError ? { status: current.status, retryAfter: current.retryAfter } : (current ?? {})
  })
  const stored = await server.inject('/store')
  const cookie = String(stored.headers['set-cookie']).split(';')[0] ?? ''
  const get = async (url: string, sent = cookie) => {
    const { headers, body } = await server.inject({ url, headers: { cookie: sent } })
    return { cookie: String(headers['set-cookie'] ?? ''), body: JSON.parse(body) }
  }
  return { requests, cookie, get }
}

test('refreshes a token shortly before it expires', async () => {
  const early = await setup(good, 900)
  assert.deepEqual(await early.get('/current'), { cookie: '', body: session })
  assert.deepEqual(early.requests, [])

  const late = await setup(good, 980)
  const { body, cookie } = await late.get('/current')
  assert.deepEqual(body, { accessToken: 'b', refreshToken: 's', expiresAt: 2180, userName: 'ada', clientKey: 'c' })
  assert.deepEqual(late.requests, ['client_id=k&grant_type=refresh_token&refresh_token=r'])
  assert.match(cookie, /^__Host-refdesk_console=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
})

test('a rejected refresh ends the session; an outage or a rate limit keeps it', async () => {
  const over = await setup({ statusCode: 400, headers: {}, body: '{"error":"invalid_grant"}' }, 2_000)
  const { body, cookie } = await over.get('/current')
  assert.deepEqual(body, {})
  assert.match(cookie, /^__Host-refdesk_console=; Max-Age=0/)

  for (const [statusCode, status] of [
    [503, 503],
    [500, 503],
    [429, 429],
  ] as const) {
    const away = await setup({ statusCode, headers: { 'retry-after': '7' }, body: '{}' }, 2_000)
    assert.deepEqual(await away.get('/current'), { cookie: '', body: { status, retryAfter: '7' } })
  }
})

test('ignores a cookie that another key sealed or that was tampered with', async () => {
  const { cookie, get } = await setup(good, 0)
  assert.deepEqual((await get('/read')).body, session)
  const other = (await setup(good, 0, 8)).cookie
  for (const bad of [other, `${cookie.slice(0, -2)}xx`, `${cookie.split('=')[0]}=`, ''])
    assert.deepEqual((await get('/read', bad)).body, {}, bad)
})
