import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountFields, clientFields, withDefaults } from '../../src/access/api/fields.ts'
import { putClients, putUsers } from '../../src/access/store/import.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { hashPassword } from '../../src/core/crypto/passwords.ts'
import { openDatabase } from '../../src/database/open.ts'
import { demoKey, demoPassword } from '../support/demo.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const { url, baseUrl, database } = await serviceForFile()
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token

const read = async (path: string, token: string) => {
  const response = await getRest(baseUrl, path, token)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  return (await response.json()) as Record<string, unknown>
}
type Accounts = {
  Data: { AccountId?: string; LegalAssetTypes?: string[] }[]
  __next?: string
  __count?: number
  MaxRows: number
}
const accounts = async (query: string, token = ada) => (await read(`/port/v1/accounts/me${query}`, token)) as Accounts
/** Creates a client with these accounts, inserted in another order than they are listed, and a token of its user. */
async function clientWithAccounts(ids: string[]): Promise<{ token: string; first: string }> {
  const { db, close } = openDatabase(database.connection, 1)
  const ClientKey = randomEntityKey()
  const rows = ids.map((account_id) => ({ account_id, account_key: randomEntityKey() }))
  const PasswordHash = await hashPassword(demoPassword)
  await db.transaction().execute(async (trx) => {
    await putClients(trx, [{ ClientKey, ClientId: '30001', Name: 'Many Accounts' }])
    const user = { UserKey: randomEntityKey(), Name: 'mia', ClientKey, PasswordHash }
    await putUsers(trx, [user], Temporal.Now.instant())
    const accountRows = rows.toReversed().map((row) => ({ ...row, client_key: ClientKey, currency: 'EUR' }))
    await trx.insertInto('account').values(accountRows).execute()
  })
  await close()
  return { token: (await obtainTokens(url, { user: 'mia' })).access_token, first: rows[0]?.account_key ?? '' }
}
const idsOf = ({ Data }: Accounts) => Data.map(({ AccountId }) => AccountId)

test('users/me returns the user of the token', async () => {
  const { LegalAssetTypes, LastLoginTime, ...user } = await read('/port/v1/users/me', bo)
  assert.deepEqual(LegalAssetTypes, ['Stock'])
  const sessions = (await read('/x/v1/sessions', bo)) as { Data: { CreatedAt: string; IsCurrent: boolean }[] }
  assert.equal(LastLoginTime, sessions.Data.find(({ IsCurrent }) => IsCurrent)?.CreatedAt)
  assert.deepEqual(user, {
    Active: true,
    ClientKey: demoKey('client bo'),
    Culture: 'en-GB',
    Language: 'en',
    LastLoginStatus: 'Successful',
    MarketDataViaOpenApiTermsAccepted: true,
    Name: 'bo',
    TimeZoneId: 0,
    UserId: 'bo',
    UserKey: demoKey('user bo'),
  })
})

test('clients/me returns the client of the token and its first account', async () => {
  const { LegalAssetTypes, ...client } = await read('/port/v1/clients/me', ada)
  assert.ok(Array.isArray(LegalAssetTypes) && LegalAssetTypes.length > 10)
  assert.deepEqual(client, {
    ...withDefaults(clientFields, {}),
    ClientId: '10001',
    ClientKey: demoKey('client ada'),
    CurrencyDecimals: 2,
    DefaultAccountId: '9226397',
    DefaultAccountKey: demoKey('account 9226397'),
    DefaultCurrency: 'EUR',
    Name: 'Ada Holding',
  })
})

describe('accounts/me', () => {
  test('lists the accounts of the client of the token by id, and no other client’s', async () => {
    const feed = await accounts('')
    assert.deepEqual(idsOf(feed), ['9226397', '9226398', '9226400'])
    assert.deepEqual([feed.MaxRows, feed.__count, feed.__next], [1000, undefined, undefined])
    assert.deepEqual(idsOf(await accounts('', bo)), ['9300101'])
    const { LegalAssetTypes, ...first } = feed.Data[0] ?? {}
    assert.ok(LegalAssetTypes?.includes('Stock'))
    assert.deepEqual(first, {
      ...withDefaults(accountFields, { IsTrialAccount: true }),
      CreationDate: '2012-03-01T09:00:00.000000Z',
      AccountGroupKey: demoKey('group ada Family'),
      AccountGroupName: 'Family',
      AccountId: '9226397',
      AccountKey: demoKey('account 9226397'),
      AccountType: 'Normal',
      Active: true,
      ClientId: '10001',
      ClientKey: demoKey('client ada'),
      Currency: 'EUR',
      CurrencyDecimals: 2,
      DisplayName: '9226397',
    })
  })

  test('comes in pages; __next is absolute, keeps the query, and is absent on the last', async () => {
    const first = await accounts('?$top=2&$inlinecount=allpages')
    assert.deepEqual([idsOf(first), first.__count], [['9226397', '9226398'], 3])
    assert.equal(first.__next, `${baseUrl}/port/v1/accounts/me?$top=2&$inlinecount=allpages&$skip=2`)
    const last = await accounts((first.__next ?? '').slice(`${baseUrl}/port/v1/accounts/me`.length))
    assert.deepEqual([idsOf(last), last.__count, last.__next], [['9226400'], 3, undefined])
  })

  test('$top=0 gives the count alone, $skip past the end no rows', async () => {
    assert.deepEqual(await accounts('?$top=0&$inlinecount=AllPages'), { __count: 3, Data: [], MaxRows: 1000 })
    assert.deepEqual(await accounts('?$skip=99'), { Data: [], MaxRows: 1000 })
    assert.deepEqual(idsOf(await accounts('?$top=1000')).length, 3)
  })

  test('names every bad field at once', async () => {
    const response = await getRest(baseUrl, '/port/v1/accounts/me?$top=1001&$skip=x', ada)
    const body = (await response.json()) as { ErrorCode: string; Message: string; ModelState: Record<string, string[]> }
    assert.deepEqual([response.status, body.ErrorCode], [400, 'InvalidModelState'])
    assert.deepEqual(Object.keys(body), ['ErrorCode', 'Message', 'ModelState'])
    assert.deepEqual(Object.keys(body.ModelState).sort(), ['$skip', '$top'])
  })
})

describe('a client with more accounts than a page can have', async () => {
  const ids = Array.from({ length: 1_050 }, (_, index) => String(70_000_000 + index))
  const { token, first } = await clientWithAccounts(ids)

  for (const top of [1000, 100])
    test(`is walked by __next with $top=${top}: every account once, in order`, async () => {
      const seen: (string | undefined)[] = []
      for (let next: string | undefined = `?$top=${top}`; next !== undefined; ) {
        const page = await accounts(next, token)
        assert.ok(page.Data.length > 0 && page.Data.length <= top)
        seen.push(...idsOf(page))
        next = page.__next?.slice(`${baseUrl}/port/v1/accounts/me`.length)
      }
      assert.deepEqual(seen, ids)
    })

  test('is counted whole, on every page', async () => {
    for (const query of ['?$top=1000', '?$top=0', '?$skip=1049', '?$skip=99999'])
      assert.equal((await accounts(`${query}&$inlinecount=AllPages`, token)).__count, 1_050, query)
  })

  test('has the first of them by id as its default', async () => {
    const { DefaultAccountId, DefaultAccountKey } = await read('/port/v1/clients/me', token)
    assert.deepEqual([DefaultAccountId, DefaultAccountKey], ['70000000', first])
  })

  test('has no rows beyond any end', async () => {
    for (const skip of ['1050', '2147483648', '9007199254740991'])
      assert.deepEqual(await accounts(`?$skip=${skip}`, token), { Data: [], MaxRows: 1000 })
  })
})

for (const path of ['users', 'clients', 'accounts'])
  test(`${path}/me is 401 without a token and 405 for another method`, async () => {
    assert.equal((await fetch(`${baseUrl}/port/v1/${path}/me`)).status, 401)
    const post = await fetch(`${baseUrl}/port/v1/${path}/me`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada}` },
    })
    const body = (await post.json()) as { ErrorCode: string }
    assert.deepEqual([post.status, body.ErrorCode], [405, 'RequestNotAllowed'])
    assert.match(post.headers.get('allow') ?? '', /\bGET\b/)
    assert.doesNotMatch(post.headers.get('allow') ?? '', /\bPOST\b/)
  })
