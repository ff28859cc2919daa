import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientAccessRow, UserAccessRow } from '../../src/access/api/operator-schema.ts'
import { setOperator } from '../../src/auth/commands/users.ts'
import { readOk } from '../support/reference/rest.ts'
import { importTexts, lines } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl } = service
await setOperator(service.node.context, 'ada', true, () => {})
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token

type Feed<Row> = { Data: Row[]; __next?: string; MaxRows: number }
const users = (query = '') => readOk<Feed<UserAccessRow>>(getRest(baseUrl, `/x/v1/users${query}`, ada))
const clients = (query = '') => readOk<Feed<ClientAccessRow>>(getRest(baseUrl, `/x/v1/clients${query}`, ada))

test('an operator lists the users of all clients with what they may see and trade', async () => {
  const { Data } = await users()
  assert.deepEqual(
    Data.map(({ Name, ClientId, Operator }) => [Name, ClientId, Operator]),
    [
      ['ada', '10001', true],
      ['bo', '10002', false],
      ['cy', '20001', false],
    ],
  )
  const [first, second] = Data
  assert.deepEqual(
    first?.Access.map(({ Level, ExchangeIds, IsOnAllAccounts }) => [Level, ExchangeIds, IsOnAllAccounts]),
    [
      ['View', undefined, false],
      ['Trade', undefined, false],
    ],
  )
  assert.ok(first?.LastLoginTime)
  assert.deepEqual(second?.Access, [
    { Level: 'View', AssetTypes: ['Stock'], IsOnAllAccounts: true },
    { Level: 'Trade', AssetTypes: ['Stock'], IsOnAllAccounts: true },
  ])
})

test('an operator lists all clients with their accounts', async () => {
  const { Data } = await clients()
  const rows = Data.map((row) => [row.ClientId, row.OwnerClientId, row.UserCount, row.AccountCount, row.AccountIds])
  assert.deepEqual(rows[0], ['10001', undefined, 1, 3, ['9226397', '9226398', '9226400']])
  assert.deepEqual(rows[2], ['10003', '10001', 0, 1, ['9300201']])
})

test('a text selects by name and by client, and pages follow each other', async () => {
  const named = async (query: string) => (await users(query)).Data.map(({ Name }) => Name)
  assert.deepEqual(await named('?Keywords=AD'), ['ada'])
  assert.deepEqual(await named('?Keywords=20001'), ['cy'])
  assert.deepEqual(await named('?Keywords=%25'), [])
  const first = await users('?$top=2&Keywords=0')
  assert.deepEqual(
    first.Data.map(({ Name }) => Name),
    ['ada', 'bo'],
  )
  const next = (first.__next ?? '').replace(`${baseUrl}/x/v1/users`, '')
  assert.deepEqual(await named(next), ['cy'])
  assert.equal((await users(next)).__next, undefined)
})

test('rights of a user replace those of the client, and long lists of exchanges are cut', async () => {
  const { Data } = await users('?Keywords=cy')
  const { UserKey, ClientKey } = Data[0] ?? assert.fail()
  const ExchangeIds = Array.from({ length: 30 }, (_, index) => `X${String(index).padStart(2, '0')}`)
  const right = { kind: 'accessRight', ClientKey, UserKey, AssetTypes: ['Bond'], ExchangeIds, Level: 'View' }
  await importTexts(service.database.connection, { 'rights.ndjson': lines(right) })
  await service.node.context.feed.poll()
  const [own] = (await users('?Keywords=cy')).Data
  assert.equal(own?.HasOwnRights, true)
  const shown = { ExchangeIds: ExchangeIds.slice(0, 20), ExchangeCount: 30, IsOnAllAccounts: true }
  assert.deepEqual(own?.Access, [{ Level: 'View', AssetTypes: ['Bond'], ...shown }])
})

test('other users get 403, and so does a former operator', async () => {
  const statuses = async (token: string) => {
    const answers = ['/x/v1/users', '/x/v1/clients'].map((path) => getRest(baseUrl, path, token))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  assert.deepEqual(await statuses(bo), [403, 403])
  assert.deepEqual(await statuses(ada), [200, 200])
  await setOperator(service.node.context, 'ada', false, () => {})
  assert.deepEqual(await statuses(ada), [403, 403])
  await setOperator(service.node.context, 'ada', true, () => {})
})
