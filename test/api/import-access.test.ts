import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { randomEntityKey, sha256 } from '../../src/core/crypto/keys.ts'
import { demoKey } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { importTexts, lines } from '../support/service/import.ts'
import { serviceForFile, startService } from '../support/service/service.ts'
import { basic, codeRequest, getRest, postToken, signInForCode, type TokenBody } from '../support/sign-in.ts'

const service = await serviceForFile()
const { db } = service.node.context
const load = (...records: object[]) => importTexts(service.database.connection, { 'f.ndjson': lines(...records) })

const client = { kind: 'client', ClientKey: randomEntityKey(), ClientId: '900', Name: 'Nine' }
const account = {
  kind: 'account',
  AccountKey: randomEntityKey(),
  AccountId: '901',
  ClientKey: client.ClientKey,
  Currency: 'EUR',
}
const user = { kind: 'user', UserKey: randomEntityKey(), Name: 'nina', ClientKey: client.ClientKey }
const right = { kind: 'accessRight', ClientKey: client.ClientKey, AccountKey: account.AccountKey, Level: 'View' }
const app = {
  kind: 'app',
  AppKey: 'ab'.repeat(16),
  Name: 'Nine Charts',
  ClientKey: client.ClientKey,
  Flow: 'Code',
  RedirectUris: [{ Uri: 'https://nine.example/callback', RedirectUriLabel: 'main' }],
}
const Password = 'nina-has-a-password'
const Secret = 'c0ffee'.repeat(5)
noteSecret('password', Password)
noteSecret('secret', Secret)

const appWithSecret = () => ({ ...app, Secrets: [{ Secret }] })

const statusOf = async ({ access_token }: TokenBody): Promise<number> =>
  (await getRest(service.baseUrl, '/port/v1/users/me', access_token)).status

async function tokensOf(name: string): Promise<TokenBody> {
  const redirect_uri = 'https://nine.example/callback'
  const params = { ...codeRequest, client_id: app.AppKey, redirect_uri }
  const code = await signInForCode(service.url, params, { user: name, password: Password })
  const form = { grant_type: 'authorization_code', code, redirect_uri }
  const { body } = await postToken(service.url, form, basic(app.AppKey, Secret))
  assert.equal(await statusOf(body), 200)
  return body
}

/** Every run is announced to those who follow changes. */
const aRun = 'history '

/** What was announced since, each time that it was. */
async function announced(work: () => Promise<unknown>): Promise<string[]> {
  const last = await db
    .selectFrom('change')
    .select((eb) => eb.fn.max('change_id').as('id'))
    .executeTakeFirst()
  await work()
  const rows = await db
    .selectFrom('change')
    .select(['topic', 'key'])
    .where('change_id', '>', last?.id ?? 0)
    .execute()
  return rows.map(({ topic, key }) => `${topic} ${key}`).toSorted()
}

test('imports users and apps; plain passwords and secrets work and are stored hashed', async () => {
  const keys = await announced(async () => {
    const { counts, errors } = await load(appWithSecret(), right, { ...user, Password }, account, client)
    assert.deepEqual(errors, [])
    const added = { added: 1 }
    assert.deepEqual(counts, { client: added, account: added, user: added, accessRight: added, app: added })
  })
  assert.deepEqual(keys, [`app ${app.AppKey}`, `client ${client.ClientKey}`, aRun])
  await service.node.context.feed.poll()
  const tokens = await tokensOf('nina')
  const me = await getRest(service.baseUrl, '/port/v1/users/me', tokens.access_token)
  assert.equal(((await me.json()) as { Name: string }).Name, 'nina')
})

test('importing the same file twice changes and announces nothing', async () => {
  const keys = await announced(async () => {
    const { counts } = await load(client, account, { ...user, Password }, right, appWithSecret())
    for (const count of Object.values(counts)) assert.deepEqual(count, { unchanged: 1 })
  })
  assert.deepEqual(keys, [])
})

test('a moved account is announced for both clients; two accounts can swap ids', async () => {
  const second = { ...client, ClientKey: randomEntityKey(), ClientId: '910' }
  const other = { ...account, AccountKey: randomEntityKey(), AccountId: '902' }
  await load(second, other)
  const keys = await announced(async () => {
    const moved = { ...account, AccountId: '902', ClientKey: second.ClientKey }
    const { errors, counts } = await load(moved, { ...other, AccountId: '901' }, { ...right, delete: true })
    assert.deepEqual([errors, counts], [[], { account: { changed: 2 }, accessRight: { removed: 1 } }])
  })
  assert.deepEqual(keys, [`client ${client.ClientKey}`, `client ${second.ClientKey}`, aRun].toSorted())
  await load(account, other, right)
  const { counts, notes } = await load({ ...second, delete: true }, { ...other, delete: true })
  assert.deepEqual(counts, { client: { removed: 1 }, account: { removed: 1 } })
  assert.deepEqual(notes, ['Removed: client 910.'])
})

test('a disabled or removed user is signed out at once, also on a node that starts later', async () => {
  for (const record of [
    { ...user, Password, Disabled: true },
    { ...user, delete: true },
  ]) {
    await load({ ...user, Password })
    await service.node.context.feed.poll()
    const tokens = await tokensOf('nina')
    assert.deepEqual(Object.keys((await load(record)).counts), ['user'])
    await service.node.context.feed.poll()
    assert.equal(await statusOf(tokens), 401)
    const later = await startService({ besides: service })
    const answer = await getRest(later.baseUrl, '/port/v1/users/me', tokens.access_token)
    await later.close()
    assert.equal(answer.status, 401)
  }
})

test('a user who moves to another client is signed out, because tokens name the client', async () => {
  const second = { ...client, ClientKey: randomEntityKey(), ClientId: '920' }
  await load(second, { ...user, Password })
  await service.node.context.feed.poll()
  const tokens = await tokensOf('nina')
  const moved = { ...user, ClientKey: second.ClientKey, Password }
  assert.deepEqual((await load(moved)).counts, { user: { changed: 1 } })
  await service.node.context.feed.poll()
  assert.equal(await statusOf(tokens), 401)
  await load(user, { ...second, delete: true })
})

test('an app has exactly the redirect URIs and secrets of its record; without a valid secret its sessions end', async () => {
  await load({ ...user, Password })
  await service.node.context.feed.poll()
  const tokens = await tokensOf('nina')
  const Secrets = [
    {
      SecretSha256: sha256('another one').toString('hex'),
      ValidUntil: '2026-01-01T00:00:00Z',
      ValidFrom: '2025-01-01T00:00:00Z',
    },
  ]
  const { counts } = await load({ ...app, RedirectUris: [{ Uri: 'https://nine.example/back' }], Secrets })
  assert.deepEqual(counts, { app: { changed: 1 } })
  const uris = await db.selectFrom('redirect_uri').select('uri').where('app_key', '=', app.AppKey).execute()
  assert.deepEqual(uris, [{ uri: 'https://nine.example/back' }])
  await service.node.context.feed.poll()
  assert.equal(await statusOf(tokens), 401)
})

test('an app that loses trading loses its sessions', async () => {
  const trading = { Online: 'Trade', Offline: 'Trade' }
  await load({ ...user, Password }, { ...appWithSecret(), Levels: trading })
  await service.node.context.feed.poll()
  const tokens = await tokensOf('nina')
  await load({ ...appWithSecret(), Name: 'Renamed', Levels: trading })
  await service.node.context.feed.poll()
  assert.equal(await statusOf(tokens), 200)
  await load({ ...appWithSecret(), Levels: { ...trading, Offline: 'Read' } })
  await service.node.context.feed.poll()
  assert.equal(await statusOf(tokens), 401)
})

test('a dry run checks everything and changes nothing', async () => {
  const texts = { f: lines({ ...client, delete: true }, { ...client, ClientKey: randomEntityKey() }) }
  const { counts } = await importTexts(service.database.connection, texts, { isDryRun: true })
  assert.deepEqual(counts, { client: { added: 1, removed: 1 } })
  const rows = await db.selectFrom('client').select('client_key').where('client_id', '=', '900').execute()
  assert.deepEqual(rows, [{ client_key: client.ClientKey }])
})

test('an import that is interrupted before its commit says so and changes nothing', async () => {
  const texts = { f: lines({ ...client, delete: true }) }
  const signal = AbortSignal.abort(new Error('Interrupted. Nothing was changed.'))
  await assert.rejects(importTexts(service.database.connection, texts, { signal }), /Interrupted/)
  const rows = await db.selectFrom('client').select('client_key').where('client_id', '=', '900').execute()
  assert.equal(rows.length, 1)
})

test('removes a client with everything that belongs to it; absent records are no error', async () => {
  const gone = { ...client, delete: true }
  const { counts, notes } = await load(gone, { ...right, delete: true })
  assert.deepEqual(counts, { client: { removed: 1 }, accessRight: { removed: 1 } })
  assert.deepEqual(notes, ['Removed: client 900 with 1 account, 1 user and 1 app.'])
  const { rows } = await sql`select body::jsonb -> 'detail' as detail from
    (select body, seq from audit_log union all select body, 9e9 + id from audit_inbox) logged
    where body::jsonb ->> 'kind' = 'AppChanged' and body::jsonb ->> 'app' = ${app.AppKey}
    order by seq desc limit 1`.execute(db)
  assert.deepEqual(rows, [{ detail: { imported: true, removed: true } }])
  assert.deepEqual((await load(gone, { ...right, delete: true })).counts, {})
  const again = await load(gone, { kind: 'app', AppKey: app.AppKey, delete: true })
  assert.deepEqual(again.counts, {})
  assert.deepEqual(again.notes, [`2 records to delete were not found: client ${client.ClientKey}, app ${app.AppKey}.`])
})

test('names 20 removed clients, and counts the others', async () => {
  const numbered = (_: unknown, at: number) => ({ ...client, ClientKey: randomEntityKey(), ClientId: `8${at}` })
  const clients = Array.from({ length: 22 }, numbered)
  await load(...clients)
  const remove = async (...some: object[]) => (await load(...some.map((one) => ({ ...one, delete: true })))).notes
  assert.equal((await remove(...clients.slice(0, 21))).at(-1), 'and 1 more client.')
  assert.equal((await remove(...clients.slice(21))).length, 1)
})

test('accepts only argon2id hashes of limited cost', async () => {
  const hash = (start: string) => `${start}$c29tZXNhbHQxMjM0NTY$${'A'.repeat(43)}`
  const errorsWith = async (PasswordHash: string) => (await load(client, { ...user, PasswordHash })).errors.join()
  for (const start of [
    '$argon2i$v=19$m=19456,t=2,p=1',
    '$argon2id$v=19$m=4294967295,t=2,p=1',
    '$argon2id$v=19$m=1048577,t=2,p=1',
    '$argon2id$v=19$m=19456,t=21,p=1',
    '$argon2id$v=19$m=19456,t=0,p=1',
    '$argon2id$v=19$m=19456,t=2,p=17',
    '$argon2id$v=19$m=7,t=2,p=1',
  ])
    assert.match(await errorsWith(hash(start)), /^f\.ndjson:2 user \S+, field PasswordHash: Must be an argon2id/, start)
  assert.equal(await errorsWith(hash('$argon2id$v=19$m=1048576,t=20,p=16')), '')
})

test('rejects removing a client that owns others', async () => {
  const { errors } = await load({ kind: 'client', ClientKey: demoKey('client ada'), delete: true })
  assert.match(errors.join(), /field delete: Still owns 2 other clients, such as 10002\./)
})
