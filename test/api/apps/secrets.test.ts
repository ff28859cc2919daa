import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as apps from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest } from '../../support/sign-in.ts'

type App = apps.App
type Secret = apps.AppSecret & { Secret: string }
type Feed = apps.Feed<apps.AppSecret>
const { firstSecret, makeApp, ok, oneHour, expectError } = apps

const service = await serviceForFile({ clock: new FixedClock(apps.noon) })
const { db } = service.node.context
const ada = await apps.callerFor(service, 'ada')
const reader = await apps.readOnlyCaller(service, ada)

const secretsOf = (app: App) => `/${app.AppKey}/secrets`
const addressOf = (app: App, { SecretId }: apps.AppSecret = firstSecret(app)) => `${secretsOf(app)}/${SecretId}`
const post = (app: App, body: object = oneHour) => ada<Secret>('POST', secretsOf(app), body)
const patch = (app: App, body: object) => ada<Secret>('PATCH', addressOf(app), body)
const list = async (app: App, call = ada) => (await ok<Feed>(call('GET', secretsOf(app)))).Data
const hour = { ValidFrom: '2026-11-16T12:00:00.000000Z', ValidUntil: '2026-11-16T13:00:00.000000Z' }

const authenticates = ({ AppKey }: App, secret: string) => apps.authenticates(service, AppKey, secret)

test('returns a new secret, which works immediately next to the others (operation 21)', async () => {
  const app = await makeApp(ada)
  const { status, headers, body } = await post(app)
  assert.equal(status, 201)
  assert.match(body.Secret, /^[0-9a-f]{32}$/)
  assert.ok(body.SecretId > firstSecret(app).SecretId)
  assert.deepEqual(body, { SecretId: body.SecretId, Secret: body.Secret, ...hour })
  const location = headers.get('location') ?? ''
  assert.equal(location, `${service.baseUrl}/developer/apps${addressOf(app, body)}`)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(await ok(ada('GET', location)), body)
  for (const { Secret } of [firstSecret(app), body]) assert.equal(await authenticates(app, Secret), true)
  const other = await makeApp(ada)
  assert.equal(await authenticates(other, body.Secret), false)
})

test('accepts any RFC 3339 time and returns UTC (operation 21)', async () => {
  const app = await makeApp(ada)
  const sent = { ValidFrom: '2025-01-01T01:00:00.5+01:00', ValidUntil: '2027-01-01T00:00:00.500000Z' }
  const { ValidFrom, ValidUntil } = await ok<Secret>(post(app, sent), 201)
  assert.deepEqual([ValidFrom, ValidUntil], ['2025-01-01T00:00:00.500000Z', '2027-01-01T00:00:00.500000Z'])
  const later = await ok<Secret>(
    post(app, { ValidFrom: '2030-01-01T00:00:00Z', ValidUntil: '2032-01-01T00:00:00Z' }),
    201,
  )
  assert.equal(await authenticates(app, later.Secret), false)
})

test('a secret ends in the future, after its start, and within two years of it (operation 21)', async () => {
  const app = await makeApp(ada)
  const { ValidFrom, ValidUntil } = oneHour
  const bad: [object, ...string[]][] = [
    [{}, 'ValidFrom', 'ValidUntil'],
    [{ ValidUntil }, 'ValidFrom'],
    [{ ValidFrom: '2026-11-16', ValidUntil: 'later' }, 'ValidFrom', 'ValidUntil'],
    [{ ValidFrom: '2026-02-30T00:00:00Z', ValidUntil: 1 }, 'ValidFrom', 'ValidUntil'],
    [{ ValidFrom: '2026-11-16T12:00:60Z', ValidUntil: '2026-11-16T12:00:00' }, 'ValidFrom', 'ValidUntil'],
    [{ ValidFrom: '2026-11-16T12:00:00.1234567Z', ValidUntil }, 'ValidFrom'],
    [{ ...oneHour, Secret: 'x' }, 'Secret'],
    [{ ValidFrom: '2026-01-01T00:00:00Z', ValidUntil: apps.noon }, 'ValidUntil'],
    [{ ValidFrom: ValidUntil, ValidUntil }, 'ValidUntil'],
    [{ ValidFrom, ValidUntil: '2028-11-16T12:00:00.000001Z' }, 'ValidUntil'],
    [{ ValidFrom: '9999-12-31T12:00:00Z', ValidUntil: '9999-12-31T23:00:00-12:00' }, 'ValidUntil'],
  ]
  for (const [body, ...fields] of bad) await expectError(post(app, body), 400, 'InvalidModelState', ...fields)
  assert.deepEqual(await list(app), app.Secrets)
})

test('a Code app has at most ten secrets, other apps have none (operation 21)', async () => {
  const app = await makeApp(ada)
  for (let count = 2; count <= 10; count++) await ok(post(app), 201)
  await expectError(post(app), 409, 'LimitReached')
  await ok(ada('DELETE', addressOf(app)), 204)
  await ok(post(app), 201)
  for (const Flow of ['PKCE', 'Implicit']) {
    const secretless = await makeApp(ada, { Flow })
    await expectError(post(secretless), 409, 'NoSecretsOfFlow')
    assert.deepEqual(await list(secretless), [])
  }
})

test('lists secrets in pages by id, without values for a read-only token (operation 20)', async () => {
  const app = await makeApp(ada)
  const created = [firstSecret(app), await ok<Secret>(post(app), 201), await ok<Secret>(post(app), 201)]
  const page = (query: string) => ok<Feed>(ada('GET', query.startsWith('http') ? query : `${secretsOf(app)}${query}`))
  assert.deepEqual(await page(''), { Data: created, MaxRows: 1_000 })
  const first = await page('?$top=2&$inlinecount=AllPages')
  const __next = `${service.baseUrl}/developer/apps${secretsOf(app)}?$top=2&$inlinecount=AllPages&$skip=2`
  assert.deepEqual(first, { __count: 3, __next, Data: created.slice(0, 2), MaxRows: 1_000 })
  assert.deepEqual(await page(__next), { __count: 3, Data: created.slice(2), MaxRows: 1_000 })
  assert.deepEqual(await page('?$top=0&$inlinecount=AllPages'), { __count: 3, Data: [], MaxRows: 1_000 })
  assert.deepEqual(await page('?$skip=3&$top=1000'), { Data: [], MaxRows: 1_000 })
  const bad = ada('GET', `${secretsOf(app)}?$top=1001&$skip=-1&$inlinecount=1`)
  await expectError(bad, 400, 'InvalidModelState', '$top', '$skip', '$inlinecount')
  assert.deepEqual(
    await list(app, reader),
    created.map(({ Secret, ...times }) => times),
  )
  // The API allows ten; more than one page needs the database.
  await sql`insert into app_secret (app_key, secret_sha256, valid_from, valid_until)
    select ${app.AppKey}, sha256(n::text::bytea), '2026-01-01', '2027-01-01' from generate_series(1, 18) n`.execute(db)
  const full = await page('')
  assert.deepEqual([full.Data.length, full.__next?.endsWith('?$skip=20')], [20, true])
  assert.equal(full.Data[3]?.Secret, '…', 'the value of an imported hash is unknown')
})

test('returns one secret, without its value for a read-only token (operation 22)', async () => {
  const app = await makeApp(ada)
  const { status, headers, body } = await ada('GET', addressOf(app))
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
  const { Secret, ...times } = firstSecret(app)
  assert.deepEqual(body, { ...times, Secret })
  assert.deepEqual(await ok(reader('GET', addressOf(app))), times)
  const usage = `${service.baseUrl}/x/v1/apps/${app.AppKey}/usage`
  assert.deepEqual(await ok(reader('GET', usage)), { Data: [times] }, 'not even its last characters')
})

test('changing the validity keeps the value and returns no body (operation 23)', async () => {
  const app = await makeApp(ada)
  let now: apps.AppSecret = firstSecret(app)
  for (const change of [
    { ValidUntil: '2026-11-16T12:30:00.000000Z' },
    { ValidFrom: '2024-11-16T12:30:00.000000Z' },
    { ValidFrom: '2026-11-16T13:00:00.000000Z', ValidUntil: '2026-11-16T14:00:00.000000Z', Regenerate: false },
    hour,
    {},
    { Regenerate: false },
  ]) {
    const { status, body } = await patch(app, change)
    assert.deepEqual([status, body], [204, undefined])
    const { Regenerate, ...times } = { Regenerate: false, ...change }
    now = { ...now, ...times }
    assert.deepEqual(await list(app), [now])
    assert.equal(await authenticates(app, firstSecret(app).Secret), now.ValidFrom < '2026-11-16T12:30')
  }
  const bad: [object, ...string[]][] = [
    [
      { ValidFrom: 'x', ValidUntil: 2, Regenerate: 'yes', Secret: 'x' },
      'ValidFrom',
      'ValidUntil',
      'Regenerate',
      'Secret',
    ],
    [{ ValidUntil: apps.noon, Regenerate: true }, 'ValidUntil'],
    [{ ValidFrom: '2026-11-16T13:00:00Z' }, 'ValidUntil'],
    [{ ValidFrom: '2024-11-16T12:59:59Z' }, 'ValidUntil'],
  ]
  for (const [body, ...fields] of bad) await expectError(patch(app, body), 400, 'InvalidModelState', ...fields)
  assert.deepEqual(await list(app), [now])
})

test('a regenerated value replaces the old one immediately (operation 23)', async () => {
  const app = await makeApp(ada)
  const old = firstSecret(app)
  assert.equal(await authenticates(app, old.Secret), true)
  const { status, headers, body } = await patch(app, { Regenerate: true })
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
  assert.notEqual(body.Secret, old.Secret)
  assert.deepEqual(body, { ...old, Secret: body.Secret })
  assert.deepEqual(await list(app), [body])
  assert.deepEqual([await authenticates(app, old.Secret), await authenticates(app, body.Secret)], [false, true])
  const both = await ok<Secret>(patch(app, { Regenerate: true, ...oneHour }))
  // An expired secret cannot be regenerated.
  await sql`update app_secret set valid_until = ${apps.noon}::timestamptz where app_key = ${app.AppKey}`.execute(db)
  await expectError(patch(app, { Regenerate: true }), 400, 'InvalidModelState', 'ValidUntil')
  await ok(patch(app, { ValidUntil: oneHour.ValidUntil }), 204)
  assert.deepEqual(both, { SecretId: old.SecretId, Secret: both.Secret, ...hour })
})

test('a deleted secret stops working immediately; deleting the last valid one ends the sessions (operation 24)', async () => {
  const app = await makeApp(ada)
  const spare = await ok<Secret>(post(app), 201)
  await ok(post(app, { ValidFrom: oneHour.ValidUntil, ValidUntil: '2026-11-17T00:00:00Z' }), 201)
  const { access_token } = await apps.signInTo(service, app)
  const me = async () => (await getRest(service.baseUrl, '/port/v1/users/me', access_token)).status
  const { status, body } = await ada('DELETE', addressOf(app))
  assert.deepEqual([status, body, await me()], [204, undefined, 200])
  assert.deepEqual(
    [await authenticates(app, firstSecret(app).Secret), await authenticates(app, spare.Secret)],
    [false, true],
  )
  for (const method of ['GET', 'DELETE'] as const)
    await expectError(ada(method, addressOf(app)), 404, 'UnavailableSecretId')
  await expectError(patch(app, { Regenerate: true }), 404, 'UnavailableSecretId')
  await ok(ada('DELETE', addressOf(app, spare)), 204)
  assert.equal(await me(), 401, 'the remaining one is not valid yet')
})

test('the secrets of an inactive app can be read but not changed (operations 20, 21, 22, 23, 24)', async () => {
  const app = await makeApp(ada)
  await ok(ada('DELETE', `/${app.AppKey}`), 204)
  for (const write of [post(app), patch(app, { Regenerate: true }), patch(app, hour), ada('DELETE', addressOf(app))])
    await expectError(write, 409, 'AppInactive')
  assert.deepEqual(await list(app), app.Secrets)
  assert.deepEqual(await ok(ada('GET', addressOf(app))), firstSecret(app))
})
