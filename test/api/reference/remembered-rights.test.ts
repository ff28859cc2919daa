import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announce } from '../../../src/database/changes.ts'
import { demoKey } from '../../support/demo.ts'
import { readError } from '../../support/reference/rest.ts'
import { serviceForFile, type TestService } from '../../support/service/service.ts'
import { basic, getRest, obtainTokens } from '../../support/sign-in.ts'

// Tokens are valid for a day, because the tests travel in time.
const env = { ACCESS_TOKEN_SECONDS: '86400', REFRESH_TOKEN_SECONDS: '86400' }
const service = await serviceForFile({ reference: true, env })
const { db, feed } = service.node.context
const [ada, cy] = [await obtainTokens(service.url), await obtainTokens(service.url, { user: 'cy' })]
const adaKey = encodeURIComponent(demoKey('client ada'))
const cyKey = encodeURIComponent(demoKey('client cy'))

const ask = (query: string, { access_token }: { access_token: string }, of: TestService = service) =>
  getRest(of.baseUrl, `/ref/v1/instruments${query}`, access_token)

async function hitsOf({ url }: TestService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^refdesk_remembered_answers_total (\d+)$/m.exec(text)?.[1])
}

/** Sends a request until its answer comes from memory, and returns that answer. */
async function remembered(query: string, as: { access_token: string }, of: TestService = service): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = await hitsOf(of)
    const response = await ask(query, as, of)
    const body = await response.text()
    assert.equal(response.status, 200, body)
    if ((await hitsOf(of)) > before) return body
  }
  throw new Error(`${query} is never answered from memory`)
}

/** Both clients may see everything and trade nothing: their views have the same signature. */
async function makeViewOnly(): Promise<void> {
  const keys = [demoKey('client ada'), demoKey('client cy')]
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('access_right').where('client_key', 'in', keys).execute()
    const all = { user_key: null, account_key: null, asset_types: null, exchange_ids: null, level: 'View' as const }
    for (const client_key of keys)
      await trx
        .insertInto('access_right')
        .values({ client_key, ...all })
        .execute()
    await announce(
      trx,
      keys.map((key) => ({ topic: 'client', key })),
    )
  })
  await feed.poll()
}

await makeViewOnly()

test('clients with equal rights share answers, unless an address names what only one of them may use', async () => {
  const shared = '/details/1000/Stock?FieldGroups=OrderSetting'
  const body = await remembered(shared, ada)
  // The first request reads the rights of the client.
  assert.equal(await (await ask(shared, cy)).text(), body)
  const before = await hitsOf(service)
  assert.equal(await (await ask(shared, cy)).text(), body)
  assert.equal(await hitsOf(service), before + 1)
  const account = encodeURIComponent(demoKey('account 9226397'))
  for (const named of [
    `ClientKey=${adaKey}`,
    `clientkey=${adaKey}`,
    `%43lientKey=${adaKey}`,
    `AccountKey=${account}`,
  ]) {
    assert.equal((await ask(`${shared}&${named}`, cy)).status, 404)
    await remembered(`${shared}&${named}`, ada)
    const hits = await hitsOf(service)
    for (let again = 0; again < 3; again++)
      assert.deepEqual(await readError(ask(`${shared}&${named}`, cy)), [404, 'NoResultFound'], named)
    assert.equal(await hitsOf(service), hits)
  }
})

test('two keys in one address are an error for both clients, again and again', async () => {
  const details = '/details/1000/Stock'
  for (const query of [`?ClientKey=${adaKey}&ClientKey=${cyKey}`, `?ClientKey=${adaKey}&CLIENTKEY=${cyKey}`])
    for (const as of [ada, cy, ada, cy, ada])
      assert.deepEqual(await readError(ask(`${details}${query}`, as)), [400, 'InvalidModelState', 'ClientKey'], query)
})

test('an answer in memory is given only to a valid token, and to HEAD without its body', async () => {
  const query = '?Keywords=apple&IncludeNonTradable=true&$top=3'
  const own = await obtainTokens(service.url, { user: 'cy' })
  await remembered(query, own)
  const head = await fetch(`${service.baseUrl}/ref/v1/instruments${query}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${own.access_token}` },
  })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  const revoked = await fetch(`${service.url}/revoke`, {
    method: 'POST',
    headers: { authorization: basic() },
    body: new URLSearchParams({ token: own.access_token }),
  })
  assert.equal(revoked.status, 200)
  assert.equal((await ask(query, own)).status, 401)
  assert.equal((await ask(query, { access_token: `${cy.access_token}x` })).status, 401)
  assert.equal((await ask(query, cy)).status, 200)
})

test('after travelling back in time, an answer from later is not given', async () => {
  const schedule = '/tradingschedule/1000/Stock'
  const travelTo = (minutesAfterNoon: number) =>
    service.node.context.clock.travel({ offsetMicroseconds: minutesAfterNoon * 60_000_000, frozenAt: undefined })
  try {
    travelTo(149)
    const beforeOpening = await (await ask(schedule, ada)).text()
    travelTo(155)
    assert.notEqual(await remembered(schedule, ada), beforeOpening)
    travelTo(149)
    assert.equal(await (await ask(schedule, ada)).text(), beforeOpening)
  } finally {
    travelTo(0)
  }
})

test('COMPAT=vendor remembers its own answers', async () => {
  const vendorEnv = { ...env, COMPAT: 'vendor' }
  const vendor = await serviceForFile({ besides: service, env: vendorEnv })
  const fresh = await serviceForFile({ besides: service, env: vendorEnv, answerBytes: 0 })
  const differs: string[] = []
  for (const query of [
    '/details/1000/Stock',
    '/details?$top=50',
    '/contractoptionspaces/18',
    '/details?AssetTypes=Bond',
  ]) {
    const body = await remembered(query, ada, vendor)
    assert.equal(body, await (await ask(query, ada, fresh)).text(), query)
    if (body !== (await remembered(query, ada))) differs.push(query)
  }
  assert.ok(differs.length > 0, 'no answer differs between the profiles')
})
