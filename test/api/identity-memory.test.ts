import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { setUserDisabled } from '../../src/auth/commands/users.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { demoKey, demoPassword } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { readOk } from '../support/reference/rest.ts'
import { importTexts, lines } from '../support/service/import.ts'
import { serviceForFile, type TestService } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const one = await serviceForFile()
const two = await serviceForFile({ besides: one })
const nodes = [one, two]

type Row = Record<string, unknown>
const client = { kind: 'client', ClientKey: randomEntityKey(), ClientId: '700', Name: 'Seven' }
const group = { AccountGroupKey: randomEntityKey(), Name: 'First' }
const account = { kind: 'account', AccountKey: randomEntityKey(), AccountId: '701', Currency: 'EUR' }
const owned = { ...account, ClientKey: client.ClientKey, AccountGroupKey: group.AccountGroupKey }
const user = { kind: 'user', UserKey: randomEntityKey(), Name: 'sven', ClientKey: client.ClientKey }
const right = { kind: 'accessRight', ClientKey: client.ClientKey, AssetTypes: ['Stock'], Level: 'View' }

/** Imports as a process of its own does, and lets every node read the changes. */
async function load(...records: object[]): Promise<void> {
  const { errors } = await importTexts(one.database.connection, { 'f.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  for (const { node } of nodes) await node.context.feed.poll()
}

await load({ ...client, AccountGroups: [group] }, owned, { ...user, Password: demoPassword }, right)
const { access_token: sven } = await obtainTokens(one.url, { user: 'sven' })
const { access_token: ada } = await obtainTokens(one.url)

const read = (node: TestService, path: string, token = sven) => readOk<Row>(getRest(node.baseUrl, path, token))
const first = async (node: TestService, path: string, token = sven) => {
  const { Data } = (await read(node, path, token)) as { Data: Row[] }
  return Data[0] ?? {}
}

/** What each operation of identity shows of the records, on one node. */
async function shown(node: TestService) {
  const [me, ofClient, inList] = [
    await read(node, '/port/v1/users/me'),
    await read(node, '/port/v1/clients/me'),
    await first(node, '/port/v1/accounts/me'),
  ]
  return {
    user: me.Name,
    listed: (await first(node, '/port/v1/users')).Name,
    language: (await read(node, `/port/v1/users/${encodeURIComponent(user.UserKey)}`)).Language,
    types: me.LegalAssetTypes,
    client: ofClient.Name,
    currency: [inList.Currency, ofClient.DefaultCurrency],
    group: [inList.AccountGroupName, (await first(node, '/port/v1/accountgroups/me')).AccountGroupName],
    session: (await read(node, '/root/v1/user')).UserId,
  }
}

const before = {
  user: 'sven',
  listed: 'sven',
  language: 'en',
  types: ['Stock'],
  client: 'Seven',
  currency: ['EUR', 'EUR'],
  group: ['First', 'First'],
  session: 'sven',
}

test('an import is shown by the next request on every node', async () => {
  for (const node of nodes) assert.deepEqual(await shown(node), before)

  const renamed = { ...user, Name: 'svea', Language: 'sv', Password: demoPassword }
  await load({ ...client, Name: 'Sept', AccountGroups: [{ ...group, Name: 'Second' }] }, renamed)
  await load({ ...owned, Currency: 'SEK' }, { ...right, AssetTypes: ['Bond'] })

  for (const node of nodes)
    assert.deepEqual(await shown(node), {
      user: 'svea',
      listed: 'svea',
      language: 'sv',
      types: ['Bond', 'Stock'],
      client: 'Sept',
      currency: ['SEK', 'SEK'],
      group: ['Second', 'Second'],
      session: 'svea',
    })
})

test('what is in memory is served while the tables are locked', async () => {
  await shown(one)
  const locking = new pg.Client(one.database.connection)
  await locking.connect()
  try {
    await locking.query('begin')
    await locking.query(
      'lock table service_user, client, account, account_group, access_right, session in access exclusive mode',
    )
    assert.equal((await shown(one)).user, 'svea')
  } finally {
    await locking.query('rollback')
    await locking.end()
  }
})

test('a user who moves to another client is listed there, and no longer in the first', async () => {
  const target = { ...client, ClientKey: randomEntityKey(), ClientId: '710', OwnerClientKey: demoKey('client ada') }
  const origin = { ...target, ClientKey: randomEntityKey(), ClientId: '720' }
  const mover = { kind: 'user', UserKey: randomEntityKey(), Name: 'mo', ClientKey: origin.ClientKey }
  await load(target, origin, mover)
  const namesIn = async (node: TestService, { ClientKey }: { ClientKey: string }) => {
    const path = `/port/v1/users?ClientKey=${encodeURIComponent(ClientKey)}`
    return ((await read(node, path, ada)) as { Data: Row[] }).Data.map(({ Name }) => Name)
  }
  for (const node of nodes) assert.deepEqual([await namesIn(node, origin), await namesIn(node, target)], [['mo'], []])

  await load({ ...mover, ClientKey: target.ClientKey })

  for (const node of nodes) assert.deepEqual([await namesIn(node, origin), await namesIn(node, target)], [[], ['mo']])
})

test('a disabled user is not active, on every node', async () => {
  const path = `/port/v1/users?ClientKey=${encodeURIComponent(demoKey('client bo'))}`
  for (const node of nodes) assert.equal((await first(node, path, ada)).Active, true)

  for (const disabled of [true, false]) {
    await setUserDisabled(one.node.context, 'bo', disabled, () => {})
    for (const { node } of nodes) await node.context.feed.poll()
    for (const node of nodes) assert.equal((await first(node, path, ada)).Active, !disabled)
  }
})

test('the last login is that of the newest session: at once on the node of the sign-in, soon on the others', async () => {
  const lastLogin = async (node: TestService) => (await read(node, '/port/v1/users/me', ada)).LastLoginTime
  const earlier = await lastLogin(one)
  assert.equal(await lastLogin(two), earlier)

  await obtainTokens(one.url)

  const later = await lastLogin(one)
  assert.ok(String(later) > String(earlier))
  await eventually(async () => ((await lastLogin(two)) === later ? true : undefined))
})
