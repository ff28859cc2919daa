import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Asked, never, notNow, outcomeOf, ownFetch, turn } from '../../test/support/service/own-fetch.ts'
import { beginSignIn, createClient, finishSignIn, refreshingTokens, type Tokens } from './index.ts'

const authUrl = 'http://localhost'
const app = { authUrl, clientId: 'app' }
const old = { access_token: 'old', refresh_token: 'r' }
const inSeconds = (seconds: number): number => Date.now() / 1000 + seconds
const outage = () => notNow(503, '0', { error: 'temporarily_unavailable' })

/** Returns new-1, new-2 and so on, like the service. */
const renewed = ({ body }: Asked, count: number): Response =>
  body.includes('grant_type=refresh_token')
    ? Response.json({ access_token: `new-${count}`, refresh_token: `r-${count}`, expires_in: 1200 })
    : Response.json({}, { status: 500 })

describe('refreshing tokens', () => {
  test('refresh once for many calls, before they expire, and are reported before they are used', async () => {
    const reported: Tokens[] = []
    const { asked, fetch } = ownFetch((call) =>
      call.address.endsWith('/token') ? renewed(call, 1) : Response.json({ by: call.headers.get('authorization') }),
    )
    const onTokens = async (next: Tokens) => {
      await turn()
      assert.equal(asked.length, 1, 'nothing was called with it')
      reported.push(next)
    }
    const tokens = { ...old, expires_at: inSeconds(10) }
    const token = refreshingTokens({ ...app, authUrl: `${authUrl}/`, tokens, onTokens, fetch })
    const client = createClient({ baseUrl: authUrl, token, fetch })
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.get('/port/v1/users/me')))
    assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))), new Set(['{"by":"Bearer new-1"}']))
    assert.deepEqual(
      asked.filter(({ method }) => method === 'POST').map(({ address }) => address),
      ['http://localhost/token'],
    )
    assert.deepEqual([reported.length, reported[0]?.refresh_token], [1, 'r-1'])
    assert.ok(Math.abs(Number(reported[0]?.expires_at) - inSeconds(1200)) < 60)
  })

  test('do not refresh again for a call that was rejected late, with the previous token', async () => {
    const { asked, fetch } = ownFetch(renewed)
    const source = refreshingTokens({ ...app, tokens: old, fetch })
    assert.deepEqual([await source(), await source('old'), await source('old')], ['old', 'new-1', 'new-1'])
    assert.equal(asked.length, 1)
    assert.equal(await source('new-1'), 'new-2')
    assert.match(String(asked[1]?.body), /refresh_token=r-1&/)
  })

  test('are kept even if storing them fails, because the previous ones no longer work', async () => {
    const { asked, fetch } = ownFetch(renewed)
    const onTokens = () => Promise.reject(new Error('disk full'))
    const source = refreshingTokens({ ...app, tokens: { ...old, expires_at: inSeconds(10) }, onTokens, fetch })
    await assert.rejects(async () => source(), { message: 'disk full' })
    assert.deepEqual([await source(), asked.length], ['new-1', 1])
  })

  test('are used until they expire while a refresh fails, unless they were rejected', async () => {
    let isAway = true
    const { asked, fetch } = ownFetch((call, count) => (isAway ? outage() : renewed(call, count)))
    const source = refreshingTokens({ ...app, tokens: { ...old, expires_at: inSeconds(10) }, fetch })
    assert.equal(await source(), 'old')
    assert.equal(asked.length, 4)
    const [unaware, rejected] = await Promise.allSettled([source(), source('old')])
    assert.deepEqual([unaware.status, rejected.status], ['rejected', 'rejected'])
    const ended = refreshingTokens({ ...app, tokens: { ...old, expires_at: inSeconds(-1) }, fetch })
    await assert.rejects(async () => ended(), { code: 'temporarily_unavailable' })
    isAway = false
    assert.match(await source(), /new-/)
    assert.match(await ended(), /new-/)
  })

  test('retry after 429, but not after a final error', async () => {
    const busy = ownFetch((call, count) =>
      count <= 4 ? notNow(429, '0', { error: 'invalid_client' }) : renewed(call, 5),
    )
    const source = refreshingTokens({ ...app, tokens: old, fetch: busy.fetch })
    await assert.rejects(async () => source('old'), { status: 429 })
    assert.equal(await source('old'), 'new-5')
    const over = ownFetch(() => Response.json({ error: 'invalid_grant' }, { status: 400 }))
    const ended = refreshingTokens({ ...app, tokens: { ...old, expires_at: inSeconds(10) }, fetch: over.fetch })
    for (const _ of [1, 2]) await assert.rejects(async () => ended(), { code: 'invalid_grant' })
    assert.equal(over.asked.length, 1)
  })
})

const signedIn = async (more = '') => {
  const pending = await beginSignIn({ ...app, redirectUri: 'http://localhost:5000/callback' })
  return { pending, callback: `${pending.redirectUri}?code=c-1&state=${pending.state}${more}` }
}

test('a refresh times out early enough to be repeated; a code is exchanged once', async (t) => {
  const { pending, callback } = await signedIn()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { asked, fetch } = ownFetch(never)
  const exchange = outcomeOf(finishSignIn(pending, callback, { fetch }))
  await turn()
  t.mock.timers.tick(29_999)
  await turn()
  assert.deepEqual([exchange, asked.length], [{}, 1])
  t.mock.timers.tick(1)
  await turn()
  assert.deepEqual([exchange.error?.code, asked.length], ['Timeout', 1])
  const refresh = outcomeOf(Promise.resolve(refreshingTokens({ ...app, tokens: old, fetch })('old')))
  for (const ms of [4_000, 375]) {
    await turn()
    t.mock.timers.tick(ms)
  }
  await turn()
  assert.deepEqual([refresh, asked.length], [{}, 3])
})

test('finishing a sign-in requires an absolute URL and the right issuer', async () => {
  const { fetch, asked } = ownFetch(never)
  const { pending, callback } = await signedIn('&iss=stranger')
  await assert.rejects(finishSignIn(pending, callback, { fetch }), { code: 'InvalidAnswer', message: /from stranger/ })
  const relative = callback.slice(pending.redirectUri.length)
  await assert.rejects(finishSignIn(pending, relative, { fetch }), {
    name: 'TypeError',
    message: 'callback must be the absolute URL at which the user returned, such as location.href.',
  })
  const nowhere = { ...app, authUrl: '/auth' }
  await assert.rejects(beginSignIn({ ...nowhere, redirectUri: callback }), /authUrl must be an absolute URL/)
  assert.throws(() => refreshingTokens({ ...nowhere, tokens: old }), /authUrl must be an absolute URL/)
  assert.equal(asked.length, 0)
})
