import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomEntityKey } from '../../../src/core/crypto/keys.ts'
import { announce } from '../../../src/database/changes.ts'
import { readRevision } from '../../../src/instruments/store/reference.ts'
import { demoAccounts, demoClients, demoKey, demoPassword } from '../../support/demo.ts'
import { instrumentRequest } from '../../support/reference/request-arbitraries.ts'
import { importTexts, lines } from '../../support/service/import.ts'
import { serviceForFile, type TestService } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'

// Two nodes on one database: one remembers answers, the other makes each one again.
const env = { ACCESS_TOKEN_SECONDS: '86400', RATE_LIMITS: 'off' }
const remembering = await serviceForFile({ reference: true, env })
const fresh = await serviceForFile({ besides: remembering, env, answerBytes: 0 })
const nodes = [remembering, fresh]
const { connection } = remembering.database
const { db } = remembering.node.context

const adaClient = demoKey('client ada')
const abe = randomEntityKey()
await load({ kind: 'user', UserKey: abe, Name: 'abe', ClientKey: adaClient, Password: demoPassword })
const users = ['ada', 'abe', 'bo', 'cy']
const tokens: string[] = []
for (const user of users) tokens.push((await obtainTokens(remembering.url, { user })).access_token)

async function load(record: object): Promise<void> {
  const { errors } = await importTexts(connection, { 'change.ndjson': lines(record) })
  assert.deepEqual(errors, [])
}

const pollFeeds = () => Promise.all(nodes.map(({ node }) => node.context.feed.poll()))

type Sent = Readonly<{ path: string; encoding: string | undefined; user: number; tag: string | undefined }>

/** Everything of a response but what differs from request to request. */
async function ask({ node, baseUrl }: TestService, { path, encoding, user, tag }: Sent) {
  const headers = {
    authorization: `Bearer ${tokens[user]}`,
    ...(encoding !== undefined && { 'accept-encoding': encoding }),
    ...(tag !== undefined && { 'if-none-match': tag }),
  }
  const url = new URL(baseUrl).pathname + path
  const { statusCode, headers: all, rawPayload } = await node.server.inject({ method: 'GET', url, headers })
  const { date: _, 'x-correlation': __, ...same } = all
  return { statusCode, same, body: rawPayload.toString('latin1') }
}

const past: Sent[] = []
let lastTag: string | undefined
let requests = 0

/** Three times, because an answer is remembered when it is made for the second time. */
async function compare(sent: Sent): Promise<void> {
  for (const tag of [undefined, sent.tag, undefined]) {
    const request = { ...sent, tag }
    const [remembered, made] = [await ask(remembering, request), await ask(fresh, request)]
    assert.deepEqual(remembered, made, JSON.stringify(request))
    lastTag = made.same.etag as string | undefined
    requests += 1
    if (made.statusCode === 200) past.push(request)
  }
}

type Right = Readonly<{ client: number; ofUser: boolean; account: number | undefined; types: string[] | undefined }>

async function changeRights({ client, ofUser, account, types }: Right, level: 'View' | 'Trade'): Promise<void> {
  const { ClientKey } = demoClients[client] as { ClientKey: string }
  const accounts = demoAccounts.filter((each) => each.ClientKey === ClientKey)
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('access_right').where('client_key', '=', ClientKey).where('level', '=', level).execute()
    const right = {
      client_key: ClientKey,
      account_key: account === undefined ? null : (accounts[account % accounts.length]?.AccountKey ?? null),
      user_key: ofUser && ClientKey === adaClient ? abe : null,
      asset_types: types ?? null,
      exchange_ids: null,
      level,
    }
    await trx.insertInto('access_right').values(right).execute()
    await announce(trx, [{ topic: 'client', key: ClientKey }])
  })
  await pollFeeds()
}

async function changeOwner(isBelow: boolean): Promise<void> {
  const bo = demoKey('client bo')
  await db.transaction().execute(async (trx) => {
    const owner = { owner_client_key: isBelow ? adaClient : null }
    await trx.updateTable('client').set(owner).where('client_key', '=', bo).execute()
    await announce(trx, [{ topic: 'client', key: bo }])
  })
  await pollFeeds()
}

async function changeInstrument(Description: string): Promise<void> {
  await load({
    kind: 'instrument',
    ...{ Uic: 1000, ExchangeId: 'NASDAQ', Symbol: 'AAPL:xnas', CurrencyCode: 'USD', Description },
    As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }],
  })
  const revision = await readRevision(db)
  for (const { node } of nodes) await node.catalogue.reached(revision)
}

function travel(minutes: number): void {
  const shift = { offsetMicroseconds: minutes * 60_000_000, frozenAt: undefined }
  for (const { node } of nodes) node.context.clock.travel(shift)
}

const user = fc.nat(users.length - 1)
const tag = fc.constantFrom('last', 'last', '*', 'W/"other"', undefined)
const tagText = (kind: string | undefined) => (kind === 'last' ? lastTag : kind)
const step: fc.Arbitrary<() => Promise<void> | void> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.tuple(instrumentRequest, user, tag).map(
      ([request, who, kind]) =>
        () =>
          compare({ ...request, user: who, tag: tagText(kind) }),
    ),
  },
  {
    // Another caller, or the same one after something changed, at an address that was requested before.
    weight: 40,
    arbitrary: fc.tuple(fc.nat(), user, tag).map(([index, who, kind]) => async () => {
      const before = past.at(-1 - (index % 40))
      if (before) await compare({ ...before, user: who, tag: tagText(kind) })
    }),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.record({
          client: fc.nat(demoClients.length - 1),
          ofUser: fc.boolean(),
          account: fc.option(fc.nat(2), { nil: undefined }),
          types: fc.option(fc.subarray(['Stock', 'CfdOnStock', 'FxSpot', 'StockOption', 'ContractFutures']), {
            nil: undefined,
          }),
        }),
        fc.constantFrom('View' as const, 'Trade' as const),
      )
      .map(
        ([right, level]) =>
          () =>
            changeRights(right, level),
      ),
  },
  { weight: 1, arbitrary: fc.boolean().map((isBelow) => () => changeOwner(isBelow)) },
  { weight: 1, arbitrary: fc.constantFrom('Apple', 'Apple Inc.').map((name) => () => changeInstrument(name)) },
  { weight: 4, arbitrary: fc.nat(22 * 60).map((minutes) => () => travel(minutes)) },
)

test('a remembered answer equals a fresh one, whatever changes between requests', async () => {
  const run = async (steps: (() => Promise<void> | void)[]) => {
    for (const next of steps) await next()
  }
  const steps = fc.array(step, { minLength: 50, maxLength: 50, size: 'max' })
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: 8, endOnFailure: true })
  const hits = await Promise.all(nodes.map(hitsOf))
  assert.ok(Number(hits[0]) > requests / 4, `${hits[0]} of ${requests} requests were answered from memory`)
  assert.equal(hits[1], '0')
})

async function hitsOf({ url }: TestService): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return /^refdesk_remembered_answers_total (\d+)$/m.exec(text)?.[1]
}
