import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ClientRecord } from '../../src/access/api/schema.ts'
import { putAccounts, putClients } from '../../src/access/store/import.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { openDatabase } from '../../src/database/open.ts'
import { testDatabase } from '../support/service/postgres.ts'

const database = await testDatabase()
const { db, close } = openDatabase(database.connection, 2)
after(async () => {
  await close()
  await database.drop()
})

const group = (Name: string) => ({ AccountGroupKey: randomEntityKey(), Name })
const client = (ClientId: string) => ({ ClientKey: randomEntityKey(), ClientId, Name: `Client ${ClientId}` })
const put = (record: ClientRecord) => db.transaction().execute((trx) => putClients(trx, [record]))

async function groupNames({ ClientKey }: { ClientKey: string }): Promise<string[]> {
  const groups = db.selectFrom('account_group').select('name').where('client_key', '=', ClientKey).orderBy('name')
  return (await groups.execute()).map(({ name }) => name)
}
async function groupOf(accountId: string): Promise<string | null> {
  const account = db.selectFrom('account').select('account_group_key').where('account_id', '=', accountId)
  return (await account.executeTakeFirstOrThrow()).account_group_key
}

test('a client has the account groups of its record, with their latest names', async () => {
  const [one, two, three] = [group('One'), group('Two'), group('Three')]
  const [own, other] = [client('1'), client('2')]
  await put({ ...own, AccountGroups: [one, two] })
  await put({ ...other, AccountGroups: [group('Other')] })
  await put({ ...own, AccountGroups: [{ ...two, Name: 'Two, renamed' }, three] })
  assert.deepEqual(await groupNames(own), ['Three', 'Two, renamed'])
  await put(own)
  assert.deepEqual(await groupNames(own), [])
  assert.deepEqual(await groupNames(other), ['Other'])
})

test('accounts of a removed group stay without a group; other accounts keep theirs', async () => {
  const [kept, removed] = [group('Kept'), group('Removed')]
  const owner = client('3')
  await put({ ...owner, AccountGroups: [kept, removed] })
  const account = { ClientKey: owner.ClientKey, Currency: 'EUR' }
  for (const [AccountId, { AccountGroupKey }] of Object.entries({ a: kept, b: removed }))
    await putAccounts(db, [{ ...account, AccountKey: randomEntityKey(), AccountId, AccountGroupKey }])
  await put({ ...owner, AccountGroups: [kept] })
  assert.deepEqual([await groupOf('a'), await groupOf('b')], [kept.AccountGroupKey, null])
})

test('a group that moved to another client is not removed by the next record of the first', async () => {
  const moved = group('Moved')
  const [from, to] = [client('4'), client('5')]
  await put({ ...from, AccountGroups: [moved] })
  await put({ ...to, AccountGroups: [moved] })
  await put(from)
  assert.deepEqual([await groupNames(from), await groupNames(to)], [[], ['Moved']])
})
