import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { demoKey } from '../../src/sim/demo-records.ts'
import { serviceForFile } from '../support/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const { url, baseUrl } = await serviceForFile()
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
const idsOf = ({ Data }: Accounts) => Data.map(({ AccountId }) => AccountId)

test('users/me tells who the token’s user is', async () => {
  const { LegalAssetTypes, ...user } = await read('/port/v1/users/me', bo)
  assert.deepEqual(LegalAssetTypes, ['Stock'])
  assert.deepEqual(user, {
    Active: true,
    ClientKey: demoKey('client bo'),
    Culture: 'en-GB',
    Language: 'en',
    Name: 'bo',
    TimeZoneId: 0,
    UserId: 'bo',
    UserKey: demoKey('user bo'),
  })
})

test('clients/me tells the token’s client and its first account', async () => {
  const { LegalAssetTypes, ...client } = await read('/port/v1/clients/me', ada)
  assert.ok(Array.isArray(LegalAssetTypes) && LegalAssetTypes.length > 10)
  assert.deepEqual(client, {
    ClientId: '10001',
    ClientKey: demoKey('client ada'),
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
      AccountGroupKey: demoKey('group ada Family'),
      AccountId: '9226397',
      AccountKey: demoKey('account 9226397'),
      AccountType: 'Normal',
      Active: true,
      ClientId: '10001',
      ClientKey: demoKey('client ada'),
      Currency: 'EUR',
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

test('somebody else’s key in place of me is 404', async () => {
  const response = await getRest(baseUrl, `/port/v1/users/${encodeURIComponent(demoKey('user bo'))}`, ada)
  assert.deepEqual(
    [response.status, ((await response.json()) as { ErrorCode: string }).ErrorCode],
    [404, 'NoResultFound'],
  )
})
