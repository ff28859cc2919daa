import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountGroupFields, withDefaults } from '../../src/access/api/fields.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { demoKey } from '../support/demo.ts'
import { readError, readOk } from '../support/reference/rest.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const { url, baseUrl } = await serviceForFile()
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token

type Row = Record<string, unknown>
type Feed = { Data: Row[]; __count?: number; __next?: string; MaxRows: number }

const get = (path: string, token = ada) => getRest(baseUrl, `/port/v1/${path}`, token)
const read = (path: string, token = ada) => readOk<Row>(get(path, token))
const list = (path: string, token = ada) => readOk<Feed>(get(path, token))
const named = (name: string) => encodeURIComponent(demoKey(name))
const column = async (path: string, field: string, token = ada) =>
  (await list(path, token)).Data.map((row) => row[field])

const notFoundText = (parameter: string) => `${parameter} was not found, or you may not see it.`
async function rejects(path: string, parameter: string, token = ada) {
  const response = await get(path, token)
  const body = (await response.json()) as { ErrorCode: string; Message: string }
  assert.deepEqual(
    [response.status, body.ErrorCode, body.Message],
    [404, 'NoResultFound', notFoundText(parameter)],
    path,
  )
}

describe('by key', () => {
  test('the caller’s own user, client and account are those of users/me, clients/me and accounts/me', async () => {
    assert.deepEqual(await read(`users/${named('user ada')}`), await read('users/me'))
    assert.deepEqual(await read(`clients/${named('client ada')}`), await read('clients/me'))
    const { Data } = await list('accounts/me')
    assert.equal(Data.length, 3)
    for (const account of Data)
      assert.deepEqual(await read(`accounts/${encodeURIComponent(String(account.AccountKey))}`), account)
  })

  test('a user, client and account of a sub-client are visible, with the rights that apply there', async () => {
    const user = await read(`users/${named('user bo')}`)
    assert.deepEqual([user.Name, user.LegalAssetTypes], ['bo', ['Stock']])
    const client = await read(`clients/${named('client bo')}`)
    assert.deepEqual(
      [client.ClientId, client.DefaultAccountId, client.LegalAssetTypes],
      ['10002', '9300101', ['Stock']],
    )
    const account = await read(`accounts/${named('account 9300101')}`)
    assert.deepEqual([account.ClientId, account.Currency, account.LegalAssetTypes], ['10002', 'DKK', ['Stock']])
  })

  test('an owner, a stranger and an unknown key are the same 404', async () => {
    for (const [kind, parameter] of [
      ['user', 'UserKey'],
      ['client', 'ClientKey'],
    ] as const) {
      await rejects(`${kind}s/${named(`${kind} ada`)}`, parameter, bo)
      await rejects(`${kind}s/${named(`${kind} cy`)}`, parameter)
      await rejects(`${kind}s/${encodeURIComponent(randomEntityKey())}`, parameter)
    }
    await rejects(`accounts/${named('account 9226397')}`, 'AccountKey', bo)
    await rejects(`accounts/${named('account 9400001')}`, 'AccountKey')
    await rejects(`accounts/${encodeURIComponent(randomEntityKey())}`, 'AccountKey')
  })

  test('a malformed key is a 400 that names it', async () => {
    assert.deepEqual(await readError(get('users/ada')), [400, 'InvalidModelState', 'UserKey'])
    assert.deepEqual(await readError(get('clients/10001')), [400, 'InvalidModelState', 'ClientKey'])
    assert.deepEqual(await readError(get('accounts?ClientKey=10001')), [400, 'InvalidModelState', 'ClientKey'])
  })
})

describe('lists', () => {
  test('users: those of a client by name, with sub-users on request', async () => {
    assert.deepEqual(await column('users', 'Name'), ['ada'])
    assert.deepEqual(await column('users?IncludeSubUsers=true', 'Name'), ['ada', 'bo'])
    assert.deepEqual(await column(`users?ClientKey=${named('client bo')}`, 'Name'), ['bo'])
    assert.deepEqual(await column('users?IncludeSubUsers=true', 'Name', bo), ['bo'])
    assert.deepEqual((await list('users')).Data[0], await read('users/me'))
  })

  test('clients: those that a client owns directly', async () => {
    assert.deepEqual(await column('clients', 'ClientId'), ['10002', '10003'])
    assert.deepEqual(await column(`clients?OwnerKey=${named('client bo')}`, 'ClientId'), [])
    assert.deepEqual((await list('clients')).Data[0], await read(`clients/${named('client bo')}`))
  })

  test('accounts: those of a client by id, with sub-accounts on request', async () => {
    assert.deepEqual(await list('accounts'), await list('accounts/me'))
    assert.deepEqual(await list(`accounts?ClientKey=${named('client ada')}`), await list('accounts/me'))
    assert.deepEqual(await column(`accounts?ClientKey=${named('client bo')}`, 'AccountId'), ['9300101'])
    const own = ['9226397', '9226398', '9226400']
    assert.deepEqual(await column('accounts?IncludeSubAccounts=true', 'AccountId'), [...own, '9300101', '9300201'])
    assert.deepEqual(await column('accounts/me?IncludeSubAccounts=true', 'AccountId'), own)
  })

  test('account groups: those of a client by name, and one by its key', async () => {
    assert.deepEqual(await column('accountgroups/me', 'AccountGroupName'), ['Family', 'Treasury'])
    assert.deepEqual(await list('accountgroups'), await list('accountgroups/me'))
    assert.deepEqual(await column(`accountgroups?ClientKey=${named('client bo')}`, 'AccountGroupName'), ['Savings'])
    const key = named('group ada Family')
    const family = await read(`accountgroups/${key}`)
    assert.deepEqual(family, {
      AccountGroupKey: demoKey('group ada Family'),
      AccountGroupName: 'Family',
      ClientKey: demoKey('client ada'),
      ...withDefaults(accountGroupFields, {}),
    })
    assert.deepEqual(await read(`accountgroups/${key}?ClientKey=${named('client ada')}`), family)
    await rejects(`accountgroups/${key}?ClientKey=${named('client bo')}`, 'AccountGroupKey')
    await rejects(`accountgroups/${key}?ClientKey=${named('client cy')}`, 'ClientKey')
    await rejects(`accountgroups/${key}`, 'AccountGroupKey', bo)
  })

  test('a client that the caller may not see is 404, like an unknown one', async () => {
    for (const path of ['users?ClientKey=', 'accounts?ClientKey=', 'accountgroups?ClientKey=', 'clients?OwnerKey=']) {
      const parameter = path.includes('OwnerKey') ? 'OwnerKey' : 'ClientKey'
      await rejects(`${path}${named('client cy')}`, parameter)
      await rejects(`${path}${named('client ada')}`, parameter, bo)
      await rejects(`${path}${encodeURIComponent(randomEntityKey())}`, parameter)
    }
  })

  for (const path of ['users?IncludeSubUsers=true', 'clients?', 'accounts?IncludeSubAccounts=true', 'accountgroups?'])
    test(`${path} comes in pages that __next walks`, async () => {
      const whole = await list(`${path}&$inlinecount=AllPages`)
      assert.ok(whole.Data.length >= 2)
      assert.deepEqual([whole.__count, whole.MaxRows, whole.__next], [whole.Data.length, 1000, undefined])
      const walked: Row[] = []
      for (let next: string | undefined = `${path}&$top=1`; next !== undefined; ) {
        const { Data, __next } = await list(next)
        assert.equal(Data.length, 1)
        walked.push(...Data)
        next = __next?.slice(`${baseUrl}/port/v1/`.length)
      }
      assert.deepEqual(walked, whole.Data)
      assert.deepEqual(await list(`${path}&$top=0`), { Data: [], MaxRows: 1000 })
    })
})
