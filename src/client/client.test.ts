import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { never, notNow, outcomeOf, ownFetch, turn } from '../../test/support/service/own-fetch.ts'
import { type Client, type ClientOptions, createClient } from './index.ts'

const baseUrl = 'http://localhost/sim/openapi'
const newApp = { body: { Name: 'Mine', Description: 'Once', Flow: 'PKCE' } } as const
const ok = (): Response => Response.json({ Data: [] })

function desk(answer: Parameters<typeof ownFetch>[0], more: Partial<ClientOptions> = {}) {
  const { asked, fetch } = ownFetch(answer)
  return { asked, client: createClient({ baseUrl, token: 'a', fetch, ...more }) }
}

const refusal = (code: string, message = /./) => ({ name: 'RefdeskError', code, message })

test('a call does not compile when the API document says otherwise', () => {
  // Never called: the compiler is the test.
  const wrong = async ({ get, post, rows, request }: Client) => [
    // @ts-expect-error there is no such path
    await get('/ref/v1/nothing'),
    // @ts-expect-error the origin's, not the REST interface's
    await post('/token'),
    // @ts-expect-error the path needs its values
    await get('/ca/v2/events/{EventId}'),
    // @ts-expect-error no such parameter
    await get('/ref/v1/instruments', { query: { Keyword: 'apple' } }),
    // @ts-expect-error no such asset type
    await get('/ref/v1/instruments', { query: { AssetTypes: ['Stonk'] } }),
    // @ts-expect-error the body lacks what an app needs
    await post('/developer/apps', { body: { Name: 'Mine' } }),
    // @ts-expect-error no such member in the answer
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
    test(`${status} with Retry-After repeats any call, without it only what changes nothing`, async (t) => {
      const told = desk((_, count) => (count === 1 ? notNow(status, '0') : ok()))
      await told.client.post('/developer/apps', newApp)
      assert.equal(told.asked.length, 2)
      const bare = () => desk((_, count) => (count === 1 ? notNow(status) : ok()))
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

  test('are waited for no longer than the caller wants, all waits together', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { asked, client } = desk(() => notNow(503, '40', { ErrorCode: 'Busy' }))
    const call = outcomeOf(client.get('/developer/apps'))
    await turn()
    assert.deepEqual([asked.length, call], [1, {}])
    t.mock.timers.tick(40_000)
    await turn()
    assert.deepEqual([asked.length, call.error?.code], [2, 'Busy'])
  })

  test('leave no timer behind, neither after an answer nor when the caller gives up', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const before = timers()
    await desk(ok).client.get('/developer/apps')
    assert.equal(timers(), before)
    const giving = new AbortController()
    const call = outcomeOf(desk(() => notNow(503, '30')).client.get('/developer/apps', { signal: giving.signal }))
    await turn()
    assert.deepEqual([timers(), call], [before + 1, {}])
    giving.abort(new Error('enough'))
    await turn()
    assert.deepEqual([timers(), call.error?.message], [before, 'enough'])
    const calling = new AbortController()
    const { asked, client } = desk(never)
    const slow = outcomeOf(client.get('/developer/apps', { signal: calling.signal }))
    await turn()
    calling.abort()
    await turn()
    assert.deepEqual([timers(), slow.error?.name, asked.length], [before, 'AbortError', 1])
    assert.equal(asked[0]?.signal.aborted, true)
  })
})

test('a late answer is one that never came; each call may say what is late', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { asked, client } = desk(never)
  const call = outcomeOf(client.post('/developer/apps', { ...newApp, timeoutMs: 10 }))
  const other = outcomeOf(client.post('/developer/apps', newApp))
  await turn()
  t.mock.timers.tick(10)
  await turn()
  assert.deepEqual([call.error?.code, other, asked.length], ['Timeout', {}, 2])
  assert.match(String(call.error?.message), /POST \S+\/developer\/apps was not answered within 10 ms/)
  t.mock.timers.tick(30_000)
  await turn()
  assert.deepEqual([other.error?.code, asked.length], ['Timeout', 2])
})

describe('a token', () => {
  test('that is refused is not sent again', async () => {
    const { asked, client } = desk(() => new Response('', { status: 401 }))
    await assert.rejects(client.get('/developer/apps'), refusal('Unauthorized'))
    assert.deepEqual([asked.length, asked[0]?.headers.get('authorization')], [1, 'Bearer a'])
  })

  test('that no header can carry is not shown either', async () => {
    const { asked, client } = desk(ok, { token: 'se\ncret' })
    await assert.rejects(client.get('/developer/apps'), {
      name: 'TypeError',
      message: 'The token cannot be sent: it has a line break or another character that no token has.',
    })
    assert.equal(asked.length, 0)
    await desk(ok, { token: 'read from a file\n' }).client.get('/developer/apps')
  })

  test('whose own function fails passes its error on, and need not be waited for', async () => {
    const failing = desk(ok, { token: () => Promise.reject(new RangeError('no more')) })
    await assert.rejects(failing.client.get('/developer/apps'), { name: 'RangeError', message: 'no more' })
    const slow = desk(ok, { token: () => new Promise<string>(() => undefined) })
    const signal = AbortSignal.abort(new Error('enough'))
    await assert.rejects(slow.client.get('/developer/apps', { signal }), { message: 'enough' })
  })
})

describe('an answer', () => {
  test('that is not the JSON that was asked for is none of the interface', async () => {
    const page = () => new Response('<h1>Sign in to the network</h1>', { headers: { 'content-type': 'text/html' } })
    for (const answer of [page, () => new Response(''), () => new Response('OK')]) {
      const { asked, client } = desk(answer)
      await assert.rejects(client.get('/developer/apps'), refusal('InvalidAnswer', /is the address right/))
      assert.equal(asked[0]?.headers.get('accept'), 'application/json')
    }
  })

  test('is text where text was asked for', async () => {
    const { asked, client } = desk(() => new Response('a,b'))
    assert.equal(await client.get('/ca/v2/events', { headers: { Accept: 'text/csv' } }), 'a,b')
    assert.equal(asked[0]?.headers.get('accept'), 'text/csv')
    assert.equal(await client.get('/ref/isalive'), 'a,b')
  })
})

describe('a walk over pages', () => {
  const walk = (answer: Parameters<typeof ownFetch>[0]) => Array.fromAsync(desk(answer).client.rows('/developer/apps'))

  test('asks for no page that nobody wants', async () => {
    const { asked, client } = desk((_, count) =>
      Response.json({ Data: [{ AppKey: `${count}` }], __next: `${baseUrl}/developer/apps?$skip=${count}` }),
    )
    for await (const { AppKey } of client.rows('/developer/apps')) if (AppKey === '2') break
    assert.equal(asked.length, 2)
  })

  test('does not go in circles, however large', async () => {
    for (const size of [1, 2, 3]) {
      const { asked, client } = desk((_, count) => {
        assert.ok(count < 10)
        const skip = count % size
        return Response.json({ Data: [], __next: `${baseUrl}/developer/apps${skip ? `?$skip=${skip}` : ''}` })
      })
      await assert.rejects(Array.fromAsync(client.rows('/developer/apps')), refusal('InvalidAnswer', /been before/))
      assert.equal(asked.length, size)
    }
  })

  test('goes to no address that is none, and over nothing but pages', async () => {
    for (const __next of ['/developer/apps?$skip=1', 'http://', 'next', '', 7, null])
      await assert.rejects(
        walk(() => Response.json({ Data: [], __next })),
        refusal('InvalidAnswer', /no whole address/),
      )
    for (const body of [null, {}, 'rows', { Data: 1 }])
      await assert.rejects(
        walk(() => Response.json(body)),
        refusal('InvalidAnswer', /no page/),
      )
  })
})
