import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { never, notNow, outcomeOf, ownFetch, turn } from '../../test/support/service/own-fetch.ts'
import { type Client, type ClientOptions, createClient } from './index.ts'

const baseUrl = 'http://localhost/sim/openapi'
const newApp = { body: { Name: 'Mine', Description: 'Once', Flow: 'PKCE' } } as const
const ok = (): Response => Response.json({ Data: [] })

function clientOf(answer: Parameters<typeof ownFetch>[0], more: Partial<ClientOptions> = {}) {
  const { asked, fetch } = ownFetch(answer)
  return { asked, client: createClient({ baseUrl, token: 'a', fetch, ...more }) }
}

const failure = (code: string, message = /./) => ({ name: 'RefdeskError', code, message })

test('a call that contradicts the API document does not compile', () => {
  // Never called: the compiler is the test.
  const wrong = async ({ get, post, rows, request }: Client) => [
    // @ts-expect-error there is no such path
    await get('/ref/v1/nothing'),
    // @ts-expect-error not part of the REST API
    await post('/token'),
    // @ts-expect-error the path needs its values
    await get('/ca/v2/events/{EventId}'),
    // @ts-expect-error no such parameter
    await get('/ref/v1/instruments', { query: { Keyword: 'apple' } }),
    // @ts-expect-error no such asset type
    await get('/ref/v1/instruments', { query: { AssetTypes: ['Stonk'] } }),
    // @ts-expect-error the body lacks what an app needs
    await post('/developer/apps', { body: { Name: 'Mine' } }),
    // @ts-expect-error no such field in the response
    (await get('/port/v1/users/me')).Password,
    // @ts-expect-error it has no pages
    rows('/port/v1/users/me'),
    // @ts-expect-error it cannot be posted
    await request('post', '/ca/v2/events'),
  ]
  assert.equal(typeof wrong, 'function')
})

describe('429 and 503', () => {
  for (const status of [429, 503])
    test(`${status} with Retry-After retries any call, without it only reads`, async (t) => {
      const withRetryAfter = clientOf((_, count) => (count === 1 ? notNow(status, '0') : ok()))
      await withRetryAfter.client.post('/developer/apps', newApp)
      assert.equal(withRetryAfter.asked.length, 2)
      const bare = () => clientOf((_, count) => (count === 1 ? notNow(status) : ok()))
      const writing = bare()
      await assert.rejects(writing.client.post('/developer/apps', newApp), { name: 'RefdeskError', status })
      assert.equal(writing.asked.length, 1)
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const reading = bare()
      const call = outcomeOf(reading.client.get('/developer/apps'))
      await turn()
      assert.deepEqual([reading.asked.length, call], [1, {}])
      t.mock.timers.tick(375)
      await turn()
      assert.deepEqual([reading.asked.length, call], [2, { value: { Data: [] } }])
    })

  test('stop being retried when all waits together exceed the limit', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { asked, client } = clientOf(() => notNow(503, '40', { ErrorCode: 'Busy' }))
    const call = outcomeOf(client.get('/developer/apps'))
    await turn()
    assert.deepEqual([asked.length, call], [1, {}])
    t.mock.timers.tick(40_000)
    await turn()
    assert.deepEqual([asked.length, call.error?.code], [2, 'Busy'])
  })

  test('leave no timer behind, neither after a response nor when the caller aborts', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const before = timers()
    await clientOf(ok).client.get('/developer/apps')
    assert.equal(timers(), before)
    const giving = new AbortController()
    const call = outcomeOf(clientOf(() => notNow(503, '30')).client.get('/developer/apps', { signal: giving.signal }))
    await turn()
    assert.deepEqual([timers(), call], [before + 1, {}])
    giving.abort(new Error('enough'))
    await turn()
    assert.deepEqual([timers(), call.error?.message], [before, 'enough'])
    const calling = new AbortController()
    const { asked, client } = clientOf(never)
    const slow = outcomeOf(client.get('/developer/apps', { signal: calling.signal }))
    await turn()
    calling.abort()
    await turn()
    assert.deepEqual([timers(), slow.error?.name, asked.length], [before, 'AbortError', 1])
    assert.equal(asked[0]?.signal.aborted, true)
  })
})

test('a late response is a timeout; each call can set its own', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { asked, client } = clientOf(never)
  const call = outcomeOf(client.post('/developer/apps', { ...newApp, timeoutMs: 10 }))
  const other = outcomeOf(client.post('/developer/apps', newApp))
  await turn()
  t.mock.timers.tick(10)
  await turn()
  assert.deepEqual([call.error?.code, other, asked.length], ['Timeout', {}, 2])
  assert.match(String(call.error?.message), /POST \S+\/developer\/apps got no response within 10 ms/)
  t.mock.timers.tick(30_000)
  await turn()
  assert.deepEqual([other.error?.code, asked.length], ['Timeout', 2])
})

describe('a token', () => {
  test('that is rejected is not sent again', async () => {
    const { asked, client } = clientOf(() => new Response('', { status: 401 }))
    await assert.rejects(client.get('/developer/apps'), failure('Unauthorized'))
    assert.deepEqual([asked.length, asked[0]?.headers.get('authorization')], [1, 'Bearer a'])
  })

  test('that is invalid in a header is not shown in the error', async () => {
    const { asked, client } = clientOf(ok, { token: 'se\ncret' })
    await assert.rejects(client.get('/developer/apps'), {
      name: 'TypeError',
      message: 'The token cannot be sent: it has a line break or another character that no token has.',
    })
    assert.equal(asked.length, 0)
    await clientOf(ok, { token: 'read from a file\n' }).client.get('/developer/apps')
  })

  test('function passes its error on, and an aborted call does not wait for it', async () => {
    const failing = clientOf(ok, { token: () => Promise.reject(new RangeError('no more')) })
    await assert.rejects(failing.client.get('/developer/apps'), { name: 'RangeError', message: 'no more' })
    const slow = clientOf(ok, { token: () => new Promise<string>(() => undefined) })
    const signal = AbortSignal.abort(new Error('enough'))
    await assert.rejects(slow.client.get('/developer/apps', { signal }), { message: 'enough' })
  })
})

describe('a response', () => {
  test('that is not JSON is an error', async () => {
    const page = () => new Response('<h1>Sign in to the network</h1>', { headers: { 'content-type': 'text/html' } })
    for (const answer of [page, () => new Response(''), () => new Response('OK')]) {
      const { asked, client } = clientOf(answer)
      await assert.rejects(client.get('/developer/apps'), failure('InvalidAnswer', /is the address right/))
      assert.equal(asked[0]?.headers.get('accept'), 'application/json')
    }
  })

  test('is text if text was requested', async () => {
    const { asked, client } = clientOf(() => new Response('a,b'))
    assert.equal(await client.get('/ca/v2/events', { headers: { Accept: 'text/csv' } }), 'a,b')
    assert.equal(asked[0]?.headers.get('accept'), 'text/csv')
    assert.equal(await client.get('/ref/isalive'), 'a,b')
  })
})

describe('paging', () => {
  const walk = (answer: Parameters<typeof ownFetch>[0]) =>
    Array.fromAsync(clientOf(answer).client.rows('/developer/apps'))

  test('requests no page that is not needed', async () => {
    const { asked, client } = clientOf((_, count) =>
      Response.json({ Data: [{ AppKey: `${count}` }], __next: `${baseUrl}/developer/apps?$skip=${count}` }),
    )
    for await (const { AppKey } of client.rows('/developer/apps')) if (AppKey === '2') break
    assert.equal(asked.length, 2)
  })

  test('detects circles of any size', async () => {
    for (const size of [1, 2, 3]) {
      const { asked, client } = clientOf((_, count) => {
        assert.ok(count < 10)
        const skip = count % size
        return Response.json({ Data: [], __next: `${baseUrl}/developer/apps${skip ? `?$skip=${skip}` : ''}` })
      })
      await assert.rejects(
        Array.fromAsync(client.rows('/developer/apps')),
        failure('InvalidAnswer', /was already read/),
      )
      assert.equal(asked.length, size)
    }
  })

  test('rejects an invalid next URL, and a response that is not a page', async () => {
    for (const __next of ['/developer/apps?$skip=1', 'http://', 'next', '', 7, null])
      await assert.rejects(
        walk(() => Response.json({ Data: [], __next })),
        failure('InvalidAnswer', /is not absolute/),
      )
    for (const body of [null, {}, 'rows', { Data: 1 }])
      await assert.rejects(
        walk(() => Response.json(body)),
        failure('InvalidAnswer', /not a page/),
      )
  })
})
