import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { AccessRightRecord } from '../../src/access/api/schema.ts'
import { AccessDirectory } from '../../src/access/directory.ts'
import { announceClients, putAccessRights, putClients } from '../../src/access/store/import.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { Problem } from '../../src/core/problem.ts'
import { announce, ChangeFeed } from '../../src/database/changes.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createClient, grantSilently, holdRightReads, type TestClient } from '../support/service/access.ts'
import { testDatabase } from '../support/service/postgres.ts'
import { testLog } from '../support/service/service.ts'

const database = await testDatabase()
const { db, close } = openDatabase(database.connection)
const feed = new ChangeFeed(db, database.connection, testLog())
await feed.start()
after(async () => {
  await feed.stop()
  await close()
  await database.drop()
})

async function announceClient(key: string): Promise<void> {
  await announce(db, [{ topic: 'client', key }])
  await feed.poll()
}

const addClient = (owner?: string) => createClient(db, owner)
const grant = (clientKey: string, right: Partial<AccessRightRecord>) => grantSilently(db, clientKey, right)

let directory: AccessDirectory
let top: TestClient
let below: TestClient
let stranger: TestClient

beforeEach(async () => {
  directory = new AccessDirectory(db, feed)
  top = await addClient()
  below = await addClient((await addClient(top.key)).key)
  stranger = await addClient()
  await grant(top.key, { AssetTypes: ['Stock'] })
  await grant(below.key, { AssetTypes: ['Bond'] })
  await feed.poll()
})

const sees = async ({ caller }: TestClient, assetType: string, ask = {}): Promise<boolean> =>
  (await directory.viewOf(caller, ask)).isVisible(assetType, 'NYSE')

async function errorOf({ caller }: TestClient, ask: object): Promise<[string, string]> {
  const answer = await (async () => directory.viewOf(caller, ask))().catch((error: unknown) => error)
  assert.ok(answer instanceof Problem, String(answer))
  return [answer.code, answer.message]
}

test('a caller has the rights of their client on all its accounts', async () => {
  const view = await directory.viewOf(top.caller, {})
  assert.equal(view.isVisible('Stock', 'NYSE'), true)
  assert.equal(view.isVisible('Bond', 'NYSE'), false)
  assert.deepEqual(
    view.tradingAccounts('Stock', 'NYSE'),
    top.accounts.map(({ id }) => id),
  )
})

test('a user with rights of their own has exactly those', async () => {
  await grant(top.key, { UserKey: top.user, AssetTypes: ['Etf'], ExchangeIds: ['NYSE'], Level: 'View' })
  const view = await directory.viewOf(top.caller, {})
  assert.deepEqual([view.isVisible('Etf', 'NYSE'), view.isVisible('Etf', 'LSE')], [true, false])
  assert.equal(view.isVisible('Stock', 'NYSE'), false)
  assert.deepEqual(view.tradingAccounts('Etf', 'NYSE'), [])
})

test('an AccountKey limits visibility and trading to that account', async () => {
  const [first, second] = top.accounts
  await grant(top.key, { AccountKey: first?.key ?? '', AssetTypes: ['Etf'] })
  const ask = { AccountKey: second?.key }
  assert.equal(await sees(top, 'Etf'), true)
  assert.equal(await sees(top, 'Etf', ask), false)
  const view = await directory.viewOf(top.caller, ask)
  assert.deepEqual(view.tradingAccounts('Stock', 'NYSE'), [second?.id])
})

test('the ClientKey of a sub-client, at any depth, gives that client’s own rights', async () => {
  await grant(top.key, { UserKey: top.user, AssetTypes: ['Etf'] })
  await grant(below.key, { UserKey: below.user, AssetTypes: ['Fund'] })
  // The caller's own rights apply only in their own client.
  await grant(below.key, { UserKey: top.user, AssetTypes: ['Etf'] })
  const view = await directory.viewOf(top.caller, { ClientKey: below.key, AccountKey: below.accounts[0]?.key })
  assert.deepEqual(view.tradingAccounts('Bond', 'NYSE'), [below.accounts[0]?.id])
  for (const assetType of ['Etf', 'Fund', 'Stock']) assert.equal(view.isVisible(assetType, 'NYSE'), false)
  assert.equal(await sees(top, 'Etf', { ClientKey: top.key }), true)
})

test('another client’s key gives the same error as an unknown one, naming the parameter', async () => {
  const keys = [stranger.key, randomEntityKey()]
  for (const ClientKey of keys)
    assert.deepEqual(await errorOf(top, { ClientKey }), [
      'NoResultFound',
      'ClientKey was not found, or you may not see it.',
    ])
  // An owner is not visible to its sub-clients.
  assert.equal((await errorOf(below, { ClientKey: top.key }))[0], 'NoResultFound')
  for (const AccountKey of [stranger.accounts[0]?.key, below.accounts[0]?.key, randomEntityKey()])
    assert.deepEqual(await errorOf(top, { AccountKey }), [
      'NoResultFound',
      'AccountKey was not found, or you may not see it.',
    ])
  const ask = { ClientKey: below.key, AccountKey: top.accounts[0]?.key }
  assert.match((await errorOf(top, ask))[1], /^AccountKey/)
})

test('a cycle of owners does not block', async () => {
  const one = await addClient()
  const other = await addClient(one.key)
  await db.updateTable('client').set({ owner_client_key: other.key }).where('client_key', '=', one.key).execute()
  assert.equal((await errorOf(top, { ClientKey: one.key }))[0], 'NoResultFound')
  await directory.viewOf(one.caller, { ClientKey: other.key })
})

test('a caller whose client was removed sees nothing', async () => {
  const gone = { ...top, caller: { ...top.caller, ClientKey: randomEntityKey() } }
  assert.equal(await sees(gone, 'Stock'), false)
  assert.equal((await errorOf(gone, { AccountKey: top.accounts[0]?.key }))[0], 'NoResultFound')
})

test('keeps rights, and returns them without a promise, until the change feed names the client', async () => {
  const view = await directory.viewOf(top.caller, {})
  const inSubClient = await directory.viewOf(top.caller, { ClientKey: below.key })
  await grant(top.key, { AssetTypes: ['Bond'] })
  assert.equal(directory.viewOf(top.caller, {}), view)
  assert.equal(directory.viewOf(top.caller, { ClientKey: below.key }), inSubClient)
  await announceClient(stranger.key)
  assert.equal(await sees(top, 'Bond'), false)
  await announceClient(top.key)
  assert.equal(await sees(top, 'Bond'), true)
  assert.notEqual((await directory.viewOf(top.caller, {})).signature, view.signature)
})

test('an imported right takes effect when it is announced', async () => {
  assert.equal(await sees(top, 'Bond'), false)
  await announceClients(db, await putAccessRights(db, [{ ClientKey: top.key, AssetTypes: ['Bond'], Level: 'View' }]))
  await feed.poll()
  assert.equal(await sees(top, 'Bond'), true)
})

test('a client that moved to another owner is no longer visible to the old one', async () => {
  assert.equal(await sees(top, 'Bond', { ClientKey: below.key }), true)
  await db.updateTable('client').set({ owner_client_key: stranger.key }).where('client_key', '=', below.key).execute()
  await announceClient(below.key)
  assert.equal((await errorOf(top, { ClientKey: below.key }))[0], 'NoResultFound')
  assert.equal(await sees(stranger, 'Bond', { ClientKey: below.key }), true)
})

test('finds a client that was created after it was first requested', async () => {
  const record = { ClientKey: randomEntityKey(), ClientId: 'late', Name: 'Late', OwnerClientKey: top.key }
  const ask = { ClientKey: record.ClientKey }
  assert.equal((await errorOf(top, ask))[0], 'NoResultFound')
  await db.transaction().execute((trx) => putClients(trx, [record]))
  assert.equal(await sees(top, 'Stock', ask), false)
})

test('concurrent requests for a client cause one query', async () => {
  const held = await holdRightReads(database.connection)
  const views = Array.from({ length: 5 }, () => directory.viewOf(top.caller, {}))
  await held.waiting(1)
  await held.release()
  assert.equal(new Set(await Promise.all(views)).size, 1)
})

test('the clients of a list are read by one query, and cached', async () => {
  let queries = 0
  const counting = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      queries++
      return result
    },
  })
  directory = new AccessDirectory(counting, feed)
  directory.prepare([top, below, stranger, top].map(({ key }) => ({ clientKey: key })))
  const typesOf = () => Promise.all([top, below, stranger].map(({ key }) => directory.legalAssetTypes(key, null)))
  assert.deepEqual(await typesOf(), [['Stock'], ['Bond'], []])
  directory.prepare([{ clientKey: top.key }, { clientKey: below.key }])
  assert.deepEqual(await typesOf(), [['Stock'], ['Bond'], []])
  assert.equal(queries, 1)
  await announceClient(below.key)
  assert.deepEqual(await typesOf(), [['Stock'], ['Bond'], []])
  assert.equal(queries, 2)
})

test('does not cache a read that started before a change', async () => {
  const held = await holdRightReads(database.connection)
  const early = directory.viewOf(top.caller, {})
  await held.waiting(1)
  await announceClient(top.key)
  await held.release()
  const view = await early
  assert.notEqual(await directory.viewOf(top.caller, {}), view)
})

test('does not cache a failed read', async () => {
  const held = await holdRightReads(database.connection)
  const failing = Promise.resolve(directory.viewOf(top.caller, {})).then(
    () => 'answered',
    () => 'failed',
  )
  await held.waiting(1)
  await held.cancel()
  assert.equal(await failing, 'failed')
  await held.release()
  assert.equal(await sees(top, 'Stock'), true)
})

test('evicts the least recently used client; unknown clients evict none', async () => {
  directory = new AccessDirectory(db, feed, 2)
  const first = await directory.viewOf(top.caller, {})
  const second = await directory.viewOf(below.caller, {})
  for (let round = 0; round < 5; round++) await errorOf(top, { ClientKey: randomEntityKey() })
  assert.equal(await directory.viewOf(top.caller, {}), first)
  await directory.viewOf(stranger.caller, {})
  assert.equal(await directory.viewOf(top.caller, {}), first)
  assert.notEqual(await directory.viewOf(below.caller, {}), second)
})

/** A feed whose gap can be simulated without waiting half an hour. */
class FeedWithGap extends ChangeFeed {
  readonly #handlers: (() => void | Promise<void>)[] = []

  override onGap(handler: () => void | Promise<void>): void {
    this.#handlers.push(handler)
  }

  async reportGap(): Promise<void> {
    for (const handler of this.#handlers) await handler()
  }
}

test('reads everything again after a gap in the feed', async () => {
  const gapped = new FeedWithGap(db, database.connection, testLog())
  directory = new AccessDirectory(db, gapped)
  const view = await directory.viewOf(top.caller, {})
  assert.equal(await directory.viewOf(top.caller, {}), view)
  await gapped.reportGap()
  assert.notEqual(await directory.viewOf(top.caller, {}), view)
})
