import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SecretUse, writeLastUses } from '../../../src/apps/store/last-used.ts'
import { sha256 } from '../../../src/core/crypto/keys.ts'
import * as apps from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoKey } from '../../support/demo.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { exportText, importTexts, lines } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'

type App = apps.App
type Secret = apps.AppSecret & { Secret: string }
type Feed = apps.Feed<apps.AppSecret>
const { firstSecret, makeApp, ok, oneHour, expectError } = apps

const service = await serviceForFile({ clock: new FixedClock(apps.noon) })
/** A second node on the same database, with SECRETS=once. */
const onceService = await serviceForFile({ besides: service, env: { SECRETS: 'once' } })
const { db, lastUsed } = service.node.context
const ada = await apps.callerFor(service, 'ada')
const cy = await apps.callerFor(service, 'cy')
const once = await apps.callerFor(onceService, 'ada')

const secretsOf = (app: App) => `/${app.AppKey}/secrets`
const addressOf = (app: App, { SecretId }: apps.AppSecret = firstSecret(app)) => `${secretsOf(app)}/${SecretId}`
const list = async (app: App, call = ada) => (await ok<Feed>(call('GET', secretsOf(app)))).Data

const authenticates = ({ AppKey }: App, secret: string) => apps.authenticates(service, AppKey, secret)

const short = (secret: Secret) => ({ ...secret, Secret: `${secret.Secret.slice(0, 4)}…${secret.Secret.slice(-4)}` })

test('SECRETS=once: only the response that creates a secret contains it (operations 10, 12, 20, 21, 22, 23, 25)', async () => {
  const created = await once<App>('POST', '', { Name: 'A', Description: '', Flow: 'Code' })
  const app = created.body
  const added = await ok<Secret>(once('POST', secretsOf(app), oneHour), 201)
  const regenerated = await ok<Secret>(once('PATCH', addressOf(app), { Regenerate: true }))
  for (const { Secret } of [firstSecret(app), added, regenerated]) assert.match(Secret, /^[0-9a-f]{32}$/)
  const Secrets = [short(regenerated), short(added)]
  // A value that was never stored completely cannot be listed by another node either.
  for (const call of [once, ada]) {
    for (const path of ['', '/resource'])
      assert.deepEqual(await ok(call('GET', `${path}/${app.AppKey}`)), { ...app, Secrets })
    assert.deepEqual(await list(app, call), Secrets)
    assert.deepEqual(await ok(call('GET', addressOf(app, added))), Secrets[1])
    const { Data } = await ok<apps.Feed<App>>(call('GET', '?IncludeSecrets=true&$top=1000'))
    assert.deepEqual(Data.find(({ AppKey }) => AppKey === app.AppKey)?.Secrets, Secrets)
  }
  const listed = await makeApp(ada)
  assert.deepEqual(await list(listed, once), [short(firstSecret(listed))])
  const fresh = await once<App>('POST', '', { Name: 'B', Description: '', Flow: 'Code' })
  const match = { 'if-match': fresh.headers.get('etag') ?? '' }
  await ok(once('PATCH', `/${fresh.body.AppKey}`, { Name: 'C' }, match), 204)
})

test('SECRETS=once: an imported secret is stored shortened, like a created one', async () => {
  const AppKey = 'ce'.repeat(16)
  const record = { kind: 'app', AppKey, ClientKey: demoKey('client ada'), Name: 'Imported', Flow: 'Code' }
  const given = ['fedcba9876543210'.repeat(2), 'd\u{1F600}\u{1F600}\u{1F600}-with-some-letters']
  for (const Secret of given) noteSecret('secret', Secret)
  const file = { 'f.ndjson': lines({ ...record, Secrets: given.map((Secret) => ({ Secret, ...oneHour })) }) }
  assert.deepEqual((await importTexts(service.database.connection, file, { secrets: 'once' })).errors, [])
  await service.node.context.feed.poll()
  const app = await ok<App>(ada('GET', `/${AppKey}`))
  assert.deepEqual(
    app.Secrets?.map(({ Secret }) => Secret),
    ['fedc…3210', 'd\u{1F600}\u{1F600}\u{1F600}…ters'],
  )
  assert.equal(await authenticates(app, given[0] ?? ''), true)
})

test('neither the database nor an export contains a secret or a token', async () => {
  const values: string[] = []
  const tokens: string[] = []
  for (const call of [ada, once]) {
    const app = await makeApp(call)
    values.push(firstSecret(app).Secret)
    const { access_token, refresh_token } = await apps.signInTo(service, app)
    tokens.push(access_token, refresh_token)
    const added = await ok<Secret>(call('POST', secretsOf(app), oneHour), 201)
    const regenerated = await ok<Secret>(call('PATCH', addressOf(app, added), { Regenerate: true }))
    values.push(added.Secret, regenerated.Secret)
    for (const path of [`/${app.AppKey}`, secretsOf(app), '?IncludeSecrets=true']) await ok(call('GET', path))
  }
  const [stored, exported] = [await apps.everyRow(db), await exportText(service.database.connection)]
  for (const token of tokens)
    for (const form of [token, token.replaceAll('-', ''), Buffer.from(token).toString('hex')])
      assert.ok(!stored.includes(form) && !exported.includes(form))
  for (const value of values) {
    for (const form of apps.encodingsOf(value)) assert.ok(!stored.includes(form) && !exported.includes(form))
    // Proves that the search works: the hash is found, unless a new value replaced it.
    const hash = sha256(value).toString('hex')
    const isReplaced = values.indexOf(value) % 3 === 1
    assert.deepEqual([stored.includes(`\\x${hash}`), exported.includes(hash)], [!isReplaced, !isReplaced])
  }
})

const usedAt = async (secretId: number) => {
  const row = await db
    .selectFrom('app_secret')
    .select('last_used_at')
    .where('secret_id', '=', secretId)
    .executeTakeFirst()
  return row?.last_used_at?.toString() ?? null
}
const later = (seconds: number) => Temporal.Instant.from(apps.noon).add({ seconds })

test('records when a secret was last used, in a response of its own', async () => {
  const app = await makeApp(ada)
  const { SecretId, Secret } = firstSecret(app)
  await apps.signInTo(service, app)
  assert.equal(await usedAt(SecretId), null)
  await lastUsed.flush()
  assert.equal(await usedAt(SecretId), '2026-11-16T12:00:00Z')
  const { body } = await ada<apps.Feed<object>>('GET', `/${app.AppKey}/secrets`)
  assert.deepEqual(Object.keys(body.Data[0] ?? {}).sort(), ['Secret', 'SecretId', 'ValidFrom', 'ValidUntil'])
  const usage = `${service.baseUrl}/x/v1/apps/${app.AppKey}/usage`
  const [ValidFrom, ValidUntil] = ['2026-11-16T12:00:00.000000Z', '2027-11-16T12:00:00.000000Z']
  assert.deepEqual(await ok<apps.Feed<object>>(ada('GET', usage)), {
    Data: [{ SecretId, LastFour: Secret.slice(-4), ValidFrom, ValidUntil, LastUsedAt: '2026-11-16T12:00:00.000000Z' }],
  })
  await expectError(cy('GET', usage), 404, 'NoResultFound')
  const use = (at: Temporal.Instant, secret = Secret): SecretUse => ({
    secretId: SecretId,
    sha256: sha256(secret),
    atMs: at.epochMilliseconds,
  })
  assert.deepEqual(await writeLastUses(db, [use(later(60))]), [])
  assert.deepEqual(await writeLastUses(db, [use(later(30))]), [])
  assert.equal(await usedAt(SecretId), '2026-11-16T12:01:00Z')
  await writeLastUses(db, [use(later(90), 'its previous value')])
  assert.equal(await usedAt(SecretId), '2026-11-16T12:01:00Z')
  await writeLastUses(db, [use(later(-10))], later(-10))
  assert.equal(await usedAt(SecretId), '2026-11-16T11:59:50Z', 'a time from the future is replaced')
  await writeLastUses(db, [use(later(60))], later(60))
  await ok(ada('PATCH', `/${app.AppKey}/secrets/${SecretId}`, { ValidUntil: '2027-01-01T00:00:00Z' }), 204)
  assert.equal(await usedAt(SecretId), '2026-11-16T12:01:00Z')
  await ok(ada('PATCH', `/${app.AppKey}/secrets/${SecretId}`, { Regenerate: true }))
  assert.equal(await usedAt(SecretId), null, 'the new value has not been used')
})

test('a locked secret is skipped and its use is written next time', async () => {
  const [locked, free] = await Promise.all([makeApp(ada), makeApp(ada)])
  const uses = [locked, free].map((app) => firstSecret(app))
  for (const { SecretId: id, Secret } of uses)
    lastUsed.record({ id, sha256: sha256(Secret) }, later(5).epochMilliseconds)
  const [one, two] = uses.map(({ SecretId }) => SecretId) as [number, number]
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('app_secret').select('secret_id').where('secret_id', '=', one).forUpdate().execute()
    await lastUsed.flush()
    assert.deepEqual([await usedAt(one), await usedAt(two)], [null, '2026-11-16T12:00:05Z'])
  })
  await lastUsed.flush()
  assert.equal(await usedAt(one), '2026-11-16T12:00:05Z')
})
