import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listAppAuditEntries } from '../../../src/apps/store/audit.ts'
import { appendAudit } from '../../../src/audit/append.ts'
import {
  type App,
  type Call,
  callback,
  callerFor,
  expectError,
  type Feed,
  firstSecret,
  firstUri,
  makeApp,
  noon,
  type Operation,
  ok,
  operationsOn,
  readOnlyCaller,
  signInTo,
  unknownKey,
} from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoKey } from '../../support/demo.ts'
import { importTexts, lines } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'

const clock = new FixedClock(noon)
const service = await serviceForFile({ clock })
/** A second node with SECRETS=once. */
const onceService = await serviceForFile({ besides: service, env: { SECRETS: 'once' } })
const { db } = service.node.context
const [ada, cy] = await Promise.all([callerFor(service, 'ada'), callerFor(service, 'cy')])
const once = await callerFor(onceService, 'ada')
const reader = await readOnlyCaller(service, ada)

type Entry = { At: string; Kind: string; User?: { UserKey: string; Name?: string }; Detail?: Record<string, unknown> }
const auditOf = (appKey: string, query = '') => `${service.baseUrl}/x/v1/apps/${appKey}/audit${query}`
const readAudit = (appKey: string, query = '') => ok<Feed<Entry>>(ada('GET', auditOf(appKey, query)))

/** The audit detail of creating an app. */
const created = (app: App) => ({
  created: true,
  name: 'An app',
  flow: 'Code',
  status: 'OK',
  trading: true,
  uri: callback,
  secret: firstSecret(app).SecretId,
})

/** Entries appear in the feed once they are chained. */
async function chained(): Promise<void> {
  while ((await db.selectFrom('audit_inbox').select('id').limit(1).execute()).length > 0) await sleep(50)
}

test('lists the changes of an app and who made them, newest first, without sign-ins', async () => {
  const app = await makeApp(ada)
  await signInTo(service, app, { user: 'cy' })
  await ok(ada('PATCH', `/${app.AppKey}`, { Name: 'Renamed' }), 204)
  await ok(ada('GET', `/${app.AppKey}/secrets`))
  const change = { at: noon, kind: 'AppChanged', app: app.AppKey } as const
  await appendAudit(db, { ...change, user: demoKey('user gone') })
  await appendAudit(db, { ...change, detail: { active: false } })
  await chained()
  const User = { UserKey: demoKey('user ada'), Name: 'ada' }
  const At = '2026-11-16T12:00:00.000000Z'
  assert.deepEqual(await readAudit(app.AppKey, '?$inlinecount=AllPages'), {
    __count: 5,
    Data: [
      { At, Kind: 'AppChanged', Detail: { active: false } },
      { At, Kind: 'AppChanged', User: { UserKey: demoKey('user gone') } },
      { At, Kind: 'SecretRevealed', User, Detail: { secrets: String(firstSecret(app).SecretId) } },
      { At, Kind: 'AppChanged', User, Detail: { name: 'Renamed' } },
      { At, Kind: 'AppChanged', User, Detail: created(app) },
    ],
    MaxRows: 1000,
  })
})

test('new entries do not shift the pages of the feed', async () => {
  const { AppKey } = await makeApp(ada)
  const rename = (name: string) => ok(ada('PATCH', `/${AppKey}`, { Name: name }), 204)
  for (const name of ['one', 'two', 'three']) await rename(name)
  await chained()
  const first = await readAudit(AppKey, '?$top=2')
  await rename('four')
  await chained()
  const second = await ok<Feed<Entry>>(ada('GET', first.__next ?? ''))
  const names = [...first.Data, ...second.Data].map(({ Detail }) => Detail?.name)
  assert.deepEqual([names, second.__next], [['three', 'two', 'one', 'An app'], undefined])
  const skipped = await readAudit(AppKey, '?$top=1&$skip=1')
  assert.deepEqual(skipped.Data[0]?.Detail, { name: 'three' })
  assert.deepEqual(await readAudit(AppKey, '?$top=0'), { Data: [], MaxRows: 1000 })
})

test('another client’s app and a missing one return the same 404', async () => {
  const { AppKey } = await makeApp(ada)
  const foreign = await expectError(cy('GET', auditOf(AppKey)), 404, 'NoResultFound')
  assert.deepEqual(foreign, await expectError(cy('GET', `/${AppKey}`), 404, 'NoResultFound'))
  await expectError(ada('GET', auditOf(unknownKey)), 404, 'NoResultFound')
  await expectError(ada('GET', auditOf(AppKey, '?$top=1001')), 400, 'InvalidModelState', '$top')
  await expectError(ada('GET', auditOf(AppKey, '?$skiptoken=nonsense')), 400, 'InvalidModelState', '$skiptoken')
})

/** The audit entries of an app, oldest first; the first is its creation. */
async function auditEntries({ AppKey }: App): Promise<{ kind: string; detail: object | null }[]> {
  const { entries } = await listAppAuditEntries(db, AppKey, { top: 100, skip: 0, before: undefined })
  return entries.map(({ kind, detail }) => ({ kind, detail })).toReversed()
}

type Created = { Data: { RedirectUriId: number }; SecretId: number }
const revealing = [10, 12, 20, 22, 25]
/** The audit detail of each changing operation of `operationsOn`. */
const changing: Record<number, (app: App, answer: Created) => object> = {
  13: () => ({ name: 'B' }),
  14: () => ({ active: false }),
  16: (_app, { Data }) => ({ redirectUri: Data.RedirectUriId, uri: 'https://app.example/other', added: true }),
  18: (app) => ({ redirectUri: firstUri(app).RedirectUriId, uri: callback }),
  19: (app) => ({ redirectUri: firstUri(app).RedirectUriId, uri: callback, removed: true }),
  21: (_app, { SecretId }) => ({ secret: SecretId, added: true, ...anHour }),
  23: (app) => ({ ...validity(app), secret: firstSecret(app).SecretId, regenerated: true }),
  24: (app) => ({ secret: firstSecret(app).SecretId, removed: true }),
}
const anHour = { validFrom: '2026-11-16T12:00:00.000000Z', validUntil: '2026-11-16T13:00:00.000000Z' }
const validity = (app: App) => ({ validFrom: firstSecret(app).ValidFrom, validUntil: firstSecret(app).ValidUntil })

const list: Operation = { id: 10, method: 'GET', path: '?IncludeSecrets=true&$top=1' }

/** Runs each operation on a new app, the newest there is. */
async function runEach(creator: Call, caller: Call) {
  const done: { id: number; app: App; answer: Created }[] = []
  const { length } = operationsOn(await makeApp(creator))
  for (let at = 0; at <= length; at++) {
    clock.advance(1)
    const app = await makeApp(creator)
    const { id, method, path, body } = operationsOn(app)[at] ?? list
    const { status, body: answer } = await caller<Created>(method, path, body)
    const isForbidden = caller === reader && method !== 'GET'
    assert.equal(status >= 400 ? status : 200, isForbidden ? 403 : 200, `operation ${id}`)
    done.push({ id, app, answer })
  }
  return done
}

test('every operation logs exactly what it changed and which secrets it returned (operations 10 to 25)', async () => {
  const cases: [string, Call, Call, { writes: boolean; reveals: boolean }][] = [
    ['a writer', ada, ada, { writes: true, reveals: true }],
    ['a read-only token', ada, reader, { writes: false, reveals: false }],
    ['a writer, SECRETS=once', ada, once, { writes: true, reveals: false }],
    ['a writer, app created with SECRETS=once', once, ada, { writes: true, reveals: false }],
  ]
  const ran = []
  for (const [name, creator, caller, logs] of cases) ran.push({ name, logs, done: await runEach(creator, caller) })
  await chained()
  for (const { name, logs, done } of ran)
    for (const { id, app, answer } of done) {
      const [first, ...rest] = await auditEntries(app)
      assert.deepEqual(first, { kind: 'AppChanged', detail: created(app) }, name)
      const change = logs.writes && changing[id]?.(app, answer)
      const secrets = String(firstSecret(app).SecretId)
      const expected = [
        ...(change ? [{ kind: 'AppChanged', detail: change }] : []),
        ...(logs.reveals && revealing.includes(id) ? [{ kind: 'SecretRevealed', detail: { secrets } }] : []),
      ]
      assert.deepEqual(rest, expected, `${name}: operation ${id}`)
    }
})

test('a request that changes nothing is not logged; a changed address is logged with the old one', async () => {
  const app = await makeApp(ada)
  const [at, uri, secret] = [`/${app.AppKey}`, firstUri(app), firstSecret(app)]
  const [uris, secrets] = [`${at}/redirecturis`, `${at}/secrets/${secret.SecretId}`]
  const { ValidFrom, ValidUntil } = secret
  for (const [path, body] of [
    [at, {}],
    [at, { Name: app.Name, Description: app.Description, IsActive: true, IsTradingEnabled: true }],
    [`${uris}/${uri.RedirectUriId}`, {}],
    [`${uris}/${uri.RedirectUriId}`, { BrandingId: 1 }],
    [`${uris}/${uri.RedirectUriId}`, { Uri: uri.Uri }],
    [secrets, {}],
    [secrets, { Regenerate: false }],
    [secrets, { ValidFrom, ValidUntil }],
  ] as const)
    await ok(ada('PATCH', path, body), 204)
  await ok(ada('POST', uris, { Uri: uri.Uri }), 201)
  const moved = 'https://app.example/moved'
  await ok(ada('PATCH', `${uris}/${uri.RedirectUriId}`, { Uri: moved }), 204)
  for (const _ of [1, 2]) await ok(ada('DELETE', at), 204)
  await chained()
  assert.deepEqual(
    (await auditEntries(app)).map(({ detail }) => detail),
    [created(app), { redirectUri: uri.RedirectUriId, uri: moved, before: callback }, { active: false }],
  )
})

test('the owner sees what an import changed, without a user', async () => {
  const { connection } = service.database
  const load = async (...records: object[]) => {
    const { errors } = await importTexts(connection, { 'f.ndjson': lines(...records) })
    assert.deepEqual(errors, [])
  }
  const [AppKey, Secret] = ['ef'.repeat(16), 'a secret of sixteen letters']
  const app = { kind: 'app', AppKey, ClientKey: demoKey('client ada'), Name: 'Imported', Flow: 'Code' }
  const changed = { ...app, Name: 'Renamed', RedirectUris: [{ Uri: callback }], Secrets: [{ Secret }] }
  for (const record of [app, app, changed, changed]) await load(record)
  await chained()
  const { Data } = await readAudit(AppKey)
  assert.deepEqual(
    Data.map(({ At: _, ...rest }) => rest),
    [
      { Kind: 'AppChanged', Detail: { imported: true, changed: 'Name, RedirectUris, Secrets' } },
      { Kind: 'AppChanged', Detail: { imported: true, added: true, name: 'Imported' } },
    ],
  )
  await load({ kind: 'app', AppKey, delete: true })
  await load({ kind: 'app', AppKey, delete: true })
  await chained()
  const { entries } = await listAppAuditEntries(db, AppKey, { top: 10, skip: 0, before: undefined })
  assert.deepEqual([entries.length, entries[0]?.detail], [3, { imported: true, removed: true }])
})
