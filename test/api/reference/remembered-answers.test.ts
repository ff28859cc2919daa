import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomEntityKey } from '../../../src/core/crypto/keys.ts'
import { announce } from '../../../src/database/changes.ts'
import { readRevision } from '../../../src/instruments/store/reference.ts'
import { demoAccounts, demoClients, demoKey, demoPassword } from '../../support/demo.ts'
import { instrumentAddress } from '../../support/reference/address-arbitraries.ts'
import { importTexts, lines } from '../../support/service/import.ts'
import { serviceForFile, type TestService } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'

// Two nodes on one database: one remembers answers, the other makes each one again.
const env = { ACCESS_TOKEN_SECONDS: '86400', REFRESH_TOKEN_SECONDS: '86400', RATE_LIMITS: 'off' }
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

type Sent = Readonly<{ address: string; encoding: string | undefined; user: number; tag: string | undefined }>

/** A response without the headers that differ with every request. */
async function ask({ node, baseUrl }: TestService, { address, encoding, user, tag }: Sent) {
  const headers = {
    authorization: `Bearer ${tokens[user]}`,
    ...(encoding !== undefined && { 'accept-encoding': encoding }),
    ...(tag !== undefined && { 'if-none-match': tag }),
  }
  const url = new URL(baseUrl).pathname + address
  const { statusCode, headers: all, rawPayload } = await node.server.inject({ url, headers })
  const { date: _, 'x-correlation': __, ...same } = all
  return { statusCode, same, body: rawPayload.toString('latin1') }
}

const tag = fc.constantFrom('last', 'last', '*', 'W/"other"', undefined)
const encoding = fc.constantFrom(undefined, undefined, undefined, 'gzip', 'gzip, deflate, br', 'identity')
let lastTag: string | undefined
let requests = 0

const latest: Sent[] = []

async function compareOnce(request: Sent): Promise<void> {
  const [remembered, made] = [await ask(remembering, request), await ask(fresh, request)]
  assert.deepEqual(remembered, made, JSON.stringify(request))
  assert.notEqual(made.statusCode, 401)
  lastTag = made.same.etag as string | undefined
  requests += 1
}

/** Three times, because an answer is remembered when it is made for the second time. */
async function compare(asked: Omit<Sent, 'address'> & { address: number }, addresses: readonly string[]) {
  const address = addresses[asked.address % addresses.length] ?? ''
  for (const tagged of [undefined, asked.tag, undefined])
    await compareOnce({ ...asked, address, tag: tagged === 'last' ? lastTag : tagged })
  latest.unshift({ ...asked, address, tag: undefined })
}

/** Repeats the latest requests after a change, also those of other callers. */
async function change(work: () => Promise<void> | void): Promise<void> {
  await work()
  for (const sent of latest.slice(0, 5)) await compareOnce(sent)
}

type Right = Readonly<{ client: number; ofUser: boolean; account: number | undefined; types: string[] | undefined }>

/** Replaces all rights of a client. There are few different ones, so that clients often have the same. */
async function changeRights({ client, ofUser, account, types }: Right, level: 'View' | 'Trade'): Promise<void> {
  const { ClientKey } = demoClients[client] as { ClientKey: string }
  const accounts = demoAccounts.filter((each) => each.ClientKey === ClientKey)
  const right = {
    client_key: ClientKey,
    account_key: account === undefined ? null : (accounts[account % accounts.length]?.AccountKey ?? null),
    asset_types: types ?? null,
    exchange_ids: null,
    level,
  }
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('access_right').where('client_key', '=', ClientKey).execute()
    await trx
      .insertInto('access_right')
      .values({ ...right, user_key: null })
      .execute()
    if (ofUser && ClientKey === adaClient)
      await trx
        .insertInto('access_right')
        .values({ ...right, user_key: abe, asset_types: ['Stock'] })
        .execute()
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

let imports = 0

async function changeInstrument(): Promise<void> {
  imports += 1
  const Description = `Apple ${imports}`
  await load({
    kind: 'instrument',
    ...{ Uic: 1000, ExchangeId: 'NASDAQ', Symbol: 'AAPL:xnas', CurrencyCode: 'USD', Description },
    As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }],
  })
  const revision = await readRevision(db)
  for (const { node } of nodes) await node.catalogue.reached(revision)
}

/** Around the times at which exchanges open or close, and after midnight. */
const moments = ['14:29', '14:31', '14:35', '20:59', '21:01', '24:30']

function travel(time: string): void {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const shift = { offsetMicroseconds: ((hours - 12) * 60 + minutes) * 60_000_000, frozenAt: undefined }
  for (const { node } of nodes) node.context.clock.travel(shift)
}

const right = fc.record({
  client: fc.nat(demoClients.length - 1),
  ofUser: fc.boolean(),
  account: fc.option(fc.nat(2), { nil: undefined }),
  types: fc.constantFrom<string[] | undefined>(
    undefined,
    ['Stock'],
    ['Stock', 'FxSpot'],
    ['Stock', 'StockOption', 'ContractFutures'],
  ),
})
const level = fc.constantFrom('View' as const, 'Trade' as const)
const request = fc.record({ address: fc.nat(), user: fc.nat(users.length - 1), tag, encoding })
type Step = (addresses: readonly string[]) => Promise<void> | void
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 70,
    arbitrary: request.map(
      (sent): Step =>
        (addresses) =>
          compare(sent, addresses),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(right, level).map(
      ([changed, to]) =>
        () =>
          changeRights(changed, to),
    ),
  },
  { weight: 1, arbitrary: fc.boolean().map((isBelow) => () => change(() => changeOwner(isBelow))) },
  { weight: 1, arbitrary: fc.constant(() => change(changeInstrument)) },
  { weight: 12, arbitrary: fc.constantFrom(...moments).map((time) => () => change(() => travel(time))) },
)

test('a remembered answer equals a fresh one, whatever changes between requests', async () => {
  // Few addresses, so that callers share them and requests repeat after a change.
  const addresses = fc.array(instrumentAddress, { minLength: 6, maxLength: 6, size: 'max' })
  const steps = fc.array(step, { minLength: 80, maxLength: 80, size: 'max' })
  const run = async (some: string[], all: Step[]) => {
    for (const next of all) await next(some)
  }
  await fc.assert(fc.asyncProperty(addresses, steps, run), { numRuns: 6, endOnFailure: true })
  const hits = await Promise.all(nodes.map(hitsOf))
  assert.ok(Number(hits[0]) > requests / 10, `${hits[0]} of ${requests} requests were answered from memory`)
  assert.equal(hits[1], '0')
})

async function hitsOf({ url }: TestService): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return /^refdesk_remembered_answers_total (\d+)$/m.exec(text)?.[1]
}
