import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { ClientAccessRow, UserAccessRow, UserDetails } from '../../src/access/api/operator-schema.ts'
import { setOperator } from '../../src/auth/commands/users.ts'
import { randomEntityKey, randomHex } from '../../src/core/crypto/keys.ts'
import type { RunRecord } from '../../src/data/api/history-schema.ts'
import type { RunView } from '../../src/data/api/run-schema.ts'
import { readRunRange } from '../../src/data/store/history-runs.ts'
import { demoKey } from '../support/demo.ts'
import { importClient } from '../support/http/import-client.ts'
import { readOk } from '../support/reference/rest.ts'
import { exchange, importTexts, instrument, lines } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl } = service
const { db } = service.node.context
await setOperator(service.node.context, 'ada', true, () => {})
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token

const unknownUser = 'AAAAAAAAAAAAAAAAAAAAAA=='

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

test('an operator sees a user with the accounts of the client and the apps that the user has sessions with', async () => {
  const path = `/x/v1/users/${encodeURIComponent(demoKey('user ada'))}`
  const { Access, Apps, HasMoreApps, ...user } = await readOk<UserDetails>(getRest(baseUrl, path, ada))

  assert.deepEqual([user.Name, user.ClientId, user.AccountCount], ['ada', '10001', 3])
  assert.deepEqual(user.AccountIds, ['9226397', '9226398', '9226400'])
  assert.deepEqual(Access, (await users('?Keywords=ada')).Data[0]?.Access)
  const [app] = Apps
  assert.ok(app?.ConsentTime)
  assert.deepEqual([Apps.length, app.SessionCount, HasMoreApps], [1, 1, false])
  assert.equal((await getRest(baseUrl, path, bo)).status, 403)
  assert.equal((await getRest(baseUrl, `/x/v1/users/${unknownUser}`, bo)).status, 403)
  assert.equal((await getRest(baseUrl, `/x/v1/users/${unknownUser}`, ada)).status, 404)
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

const imports = importClient(`${baseUrl}/x/v1/imports`, ada)
const runPath = (run: number, end = '') => `/x/v1/runs/${run}${end}`
const readRun = (run: number) => readOk<RunView>(getRest(baseUrl, runPath(run), ada))
const recordsOf = (run: number, query = '') =>
  readOk<Feed<RunRecord>>(getRest(baseUrl, runPath(run, `/records${query}`), ada))
const isSame = { Unchanged: 0, Removed: 0 }

/** Sends records, applies them and returns the import. */
async function apply(...records: object[]) {
  const { ImportId, Errors } = await imports.sendAndCheck({ 'some.ndjson': lines(...records) })
  assert.deepEqual(Errors, [])
  const { body } = await imports.call('POST', `${baseUrl}/x/v1/imports/${ImportId}/apply`)
  return imports.settled(body)
}

async function undo(run: number) {
  const { status, body } = await imports.call('POST', `${baseUrl}${runPath(run, '/undo')}`)
  assert.equal(status, 201)
  return imports.settled(body)
}

test('a run has what it changed, by kind and by record with the fields that differ', async () => {
  const importAll = async (...records: object[]) =>
    (await importTexts(service.database.connection, { 'some.ndjson': lines(...records) })).run ?? assert.fail()
  const Run = await importAll(exchange, instrument(930_001), instrument(930_002))
  const right = { kind: 'accessRight', ClientKey: demoKey('client cy'), ExchangeIds: ['LSE'], Level: 'View' }
  const next = await importAll(instrument(930_001, { Description: 'Other' }), right, { ...right, Level: 'Trade' })

  const { Time, ...found } = await readRun(Run)
  const Changes = [
    { Kind: 'exchange', Added: 1, Changed: 0, ...isSame },
    { Kind: 'instrument', Added: 2, Changed: 0, ...isSame },
  ]
  assert.deepEqual(found, { Changes, Revision: found.Revision, Run, Source: 'some.ndjson' })
  const first = await recordsOf(Run, '?Kind=instrument&$top=1')
  const rest = await recordsOf(Run, new URL(first.__next ?? '').search)
  assert.deepEqual(
    [...first.Data, ...rest.Data].map(({ Kind, Id, Change }) => [Kind, Id, Change]),
    ['930001', '930002'].map((id) => ['instrument', id, 'Added']),
  )
  assert.equal(rest.__next, undefined)
  const { Data } = await recordsOf(next)
  assert.deepEqual(
    Data.map(({ Kind, Change, Fields }) => [Kind, Change, Fields.find(({ Name }) => /Desc|Level/.test(Name))]),
    [
      ['instrument', 'Changed', { Name: 'Description', Before: 'Instrument 930001', After: 'Other' }],
      ['accessRight', 'Added', { Name: 'Level', After: 'View' }],
      ['accessRight', 'Added', { Name: 'Level', After: 'Trade' }],
    ],
  )
  const { Data: runs, __next } = await readOk<Feed<RunView>>(getRest(baseUrl, '/x/v1/runs?$top=1', ada))
  const older = await readOk<Feed<RunView>>(getRest(baseUrl, `/x/v1/runs${new URL(__next ?? '').search}`, ada))
  assert.deepEqual([runs[0]?.Run, older.Data[0]?.Run], [next, Run])
})

test('an undo is checked like an import, says what goes with a client, and is applied once', async () => {
  const [ClientKey, UserKey, AppKey] = [randomEntityKey(), randomEntityKey(), randomHex()]
  const applied = await apply(
    { kind: 'client', ClientKey, ClientId: '93000', Name: 'Undone' },
    { kind: 'user', UserKey, Name: 'undone', ClientKey },
    {
      kind: 'app',
      AppKey,
      ClientKey,
      Name: 'Undone',
      Flow: 'PKCE',
      RedirectUris: [{ Uri: 'https://undone.example/' }],
    },
  )
  const run = applied.Run ?? assert.fail()
  await sql`insert into consent (user_key, app_key, given_at) values (${UserKey}, ${AppKey}, now())`.execute(db)

  const checked = await undo(run)

  assert.deepEqual([checked.State, checked.Undoes, checked.Errors, checked.Run], ['Checked', run, [], undefined])
  assert.deepEqual(
    checked.Changes.map(({ Kind, Removed }) => [Kind, Removed]),
    [
      ['client', 1],
      ['user', 1],
    ],
  )
  assert.ok(
    checked.Notes.includes(
      'Removed with their clients, users and accounts: 1 app and 1 consent. They do not come back.',
    ),
    checked.Notes.join('\n'),
  )
  assert.ok(checked.Notes.includes('Removed: client 93000 with 1 app.'))
  assert.deepEqual(
    checked.Records?.map(({ Kind, Id, Change, Fields }) => [Kind, Id, Change, Fields.at(-1)?.After]).sort(),
    [
      ['client', ClientKey, 'Removed', undefined],
      ['user', UserKey, 'Removed', undefined],
    ],
  )
  assert.equal((await clients('?Keywords=93000')).Data.length, 1)

  const path = `${baseUrl}/x/v1/imports/${checked.ImportId}/apply`
  const [one] = await Promise.all([imports.call('POST', path), imports.call('POST', path)])
  const done = await imports.settled(one.body)

  assert.deepEqual([done.State, done.Undoes], ['Applied', run])
  assert.equal((await clients('?Keywords=93000')).Data.length, 0)
  assert.deepEqual([(await readRun(run)).UndoneBy, (await readRun(done.Run ?? 0)).Undoes], [done.Run, run])
  assert.equal((await imports.settled(applied)).UndoneBy, done.Run)
  const refused = await imports.call('POST', `${baseUrl}/x/v1/imports/${(await undo(run)).ImportId}/apply`)
  assert.deepEqual([refused.status, refused.body.Message], [409, 'The run cannot be undone. Errors says why.'])
})

test('other users get 403, and so does a former operator', async () => {
  const { last: run } = (await readRunRange(db)) ?? assert.fail()
  const paths = ['/x/v1/users', '/x/v1/clients', '/x/v1/runs', runPath(run), runPath(run, '/records')]
  const statuses = async (token: string) => {
    const answers = paths.map((path) => getRest(baseUrl, path, token))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  assert.deepEqual(await statuses(bo), [403, 403, 403, 403, 403])
  assert.deepEqual(await statuses(ada), [200, 200, 200, 200, 200])
  assert.equal((await imports.call('POST', `${baseUrl}${runPath(1, '/undo')}`, { token: bo })).status, 403)
  await setOperator(service.node.context, 'ada', false, () => {})
  assert.deepEqual(await statuses(ada), [403, 403, 403, 403, 403])
  await setOperator(service.node.context, 'ada', true, () => {})
})
