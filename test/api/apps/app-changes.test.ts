import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as apps from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { basic, getRest, postToken, signInForCode } from '../../support/sign-in.ts'

type App = apps.App
type Feed = apps.Feed<App>
const { callback, firstSecret, firstUri, makeApp, noon, ok, expectError } = apps

const service = await serviceForFile({ clock: new FixedClock(noon) })
const { db } = service.node.context
const ada = await apps.callerFor(service, 'ada')

const get = (app: App, call = ada) => ok<App>(call('GET', `/${app.AppKey}`))
const patch = (app: App, body: object) => ada('PATCH', `/${app.AppKey}`, body)
const deactivate = (app: App) => ok(ada('DELETE', `/${app.AppKey}`), 204)

test('changes only the members sent, and returns no body (operation 13)', async () => {
  const app = await makeApp(ada)
  let now = app
  for (const change of [
    { Name: 'New name' },
    { Description: '' },
    { IsTradingEnabled: false },
    { IsTradingEnabled: false, Name: 'Again' },
    { IsTradingEnabled: true },
    { IsTradingEnabled: true },
    { IsActive: true },
    {},
  ]) {
    const { status, body } = await patch(app, change)
    assert.deepEqual([status, body], [204, undefined])
    now = { ...now, ...change }
    assert.deepEqual(await get(app), now)
  }
})

test('a rejected change changes nothing (operation 13)', async () => {
  const app = await makeApp(ada)
  const bad: [object, ...string[]][] = [
    [{ Name: 'Fine', IsActive: false }, 'IsActive'],
    [
      { Name: 'a#', Description: 7, IsActive: 1, IsTradingEnabled: 'true' },
      'Name',
      'Description',
      'IsActive',
      'IsTradingEnabled',
    ],
    [{ Name: 'Fine', Flow: 'PKCE' }, 'Flow'],
    [{ Description: '\u0000' }, 'Description'],
    [[], 'Body'],
  ]
  for (const [body, ...fields] of bad) await expectError(patch(app, body), 400, 'InvalidModelState', ...fields)
  await expectError(ada('PATCH', `/${app.AppKey}`), 400, 'InvalidModelState', 'Body')
  assert.deepEqual(await get(app), app)
})

test('an inactive app accepts only a reactivation, together with other changes (operation 13)', async () => {
  const app = await makeApp(ada)
  const { access_token } = await apps.signInTo(service, app)
  await deactivate(app)
  const inactive = { ...app, IsActive: false }
  for (const change of [{}, { Name: 'B' }, { IsActive: false }, { IsTradingEnabled: false }])
    await expectError(patch(app, change), 409, 'AppInactive')
  assert.deepEqual(await get(app), inactive)
  await sql`update app set status = 'Pending' where app_key = ${app.AppKey}`.execute(db)
  await expectError(patch(app, { IsActive: true, Name: 'B' }), 409, 'UnableToActivateApp')
  assert.deepEqual(await get(app), { ...inactive, Status: 'Pending' })
  await sql`update app set status = 'OK' where app_key = ${app.AppKey}`.execute(db)
  await ok(ada('DELETE', `/${app.AppKey}/redirecturis/${firstUri(app).RedirectUriId}`), 204)
  await expectError(patch(app, { IsActive: true, Name: 'B' }), 409, 'UnableToActivateApp')
  assert.deepEqual(await get(app), { ...inactive, RedirectUris: [] })
  const { Data } = await ok<{ Data: apps.AppRedirect }>(
    ada('POST', `/${app.AppKey}/redirecturis`, { Uri: callback }),
    201,
  )
  const change = { IsActive: true, Name: 'B', Description: 'C', IsTradingEnabled: false }
  await ok(patch(app, change), 204)
  assert.deepEqual(await get(app), { ...app, ...change, RedirectUris: [Data] })
  assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', access_token)).status, 401)
})

test('deactivating ends the sessions, can be repeated, and keeps the app readable (operation 14)', async () => {
  const app = await makeApp(ada)
  const { access_token } = await apps.signInTo(service, app, { user: 'cy' })
  const me = () => getRest(service.baseUrl, '/port/v1/users/me', access_token)
  assert.equal((await me()).status, 200)
  for (let times = 0; times < 2; times++) {
    const { status, body } = await ada('DELETE', `/${app.AppKey}`)
    assert.deepEqual([status, body], [204, undefined])
    assert.equal((await me()).status, 401)
  }
  assert.deepEqual(await get(app), { ...app, IsActive: false })
  const { Data } = await ok<Feed>(ada('GET', '?$top=1000'))
  assert.equal(Data.find(({ AppKey }) => AppKey === app.AppKey)?.IsActive, false)
})

test('giving up trading ends the sessions and invalidates pending codes (operation 13)', async () => {
  const app = await makeApp(ada)
  const { access_token } = await apps.signInTo(service, app)
  const me = async () => (await getRest(service.baseUrl, '/port/v1/users/me', access_token)).status
  const code = await signInForCode(service.url, {
    response_type: 'code',
    client_id: app.AppKey,
    redirect_uri: callback,
    state: 's',
  })
  await ok(patch(app, { Name: 'B', IsTradingEnabled: true }), 204)
  assert.equal(await me(), 200)
  await ok(patch(app, { IsTradingEnabled: false }), 204)
  assert.equal(await me(), 401)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const { body } = await postToken(service.url, form, basic(app.AppKey, firstSecret(app).Secret))
  assert.equal(body.error, 'invalid_grant')
  const reads = await apps.signInTo(service, app)
  await ok(patch(app, { IsTradingEnabled: true }), 204)
  assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', reads.access_token)).status, 200)
})

test('live: an app can withdraw its trading request, but not an approval check (operation 13)', async () => {
  const live = await apps.liveCaller(service)
  const app = await makeApp(live)
  const request = (IsTradingEnabled: boolean) => ok(live('PATCH', `/${app.AppKey}`, { IsTradingEnabled }), 204)
  const { access_token } = await apps.signInTo(service, app)
  assert.equal(app.Status, 'Pending')
  await request(false)
  assert.deepEqual(await get(app, live), { ...app, Status: 'OK' })
  await request(true)
  assert.deepEqual(await get(app, live), app)
  await sql`update app set status = 'PendingUserApprovalCheck' where app_key = ${app.AppKey}`.execute(db)
  for (const wanted of [false, true]) {
    await request(wanted)
    assert.equal((await get(app, live)).Status, 'PendingUserApprovalCheck')
  }
  const me = await getRest(service.baseUrl, '/port/v1/users/me', access_token)
  assert.equal(me.status, 200, 'a read-only session continues')
})

test('live: trading waits for an operator, and the app can read meanwhile (operation 11) (operation 13)', async () => {
  const live = await apps.liveCaller(service)
  const app = await ok<App>(live('POST', '', { Name: 'L', Description: '', Flow: 'Code', RedirectUri: callback }), 201)
  assert.deepEqual([app.Status, app.IsTradingEnabled], ['OK', false])
  const change = (body: object) => live('PATCH', `/${app.AppKey}`, body)
  await ok(change({ IsTradingEnabled: true }), 204)
  assert.deepEqual(await get(app, live), { ...app, Status: 'Pending' })
  const byApp = apps.callerWith(service, (await apps.signInTo(service, app)).access_token)
  assert.equal((await get(app, byApp)).Status, 'Pending')
  await expectError(byApp('PATCH', `/${app.AppKey}`, { Name: 'B' }), 403, 'RequestNotAllowed')
  await ok(live('DELETE', `/${app.AppKey}`), 204)
  await expectError(change({ IsActive: true }), 409, 'UnableToActivateApp')
  await sql`update app set status = 'OK', online_level = 'Trade', offline_level = 'Trade'
    where app_key = ${app.AppKey}`.execute(db)
  await ok(change({ IsActive: true, IsTradingEnabled: true }), 204)
  assert.deepEqual(await get(app, live), { ...app, IsTradingEnabled: true })
  await ok(change({ IsTradingEnabled: false }), 204)
  assert.deepEqual(await get(app, live), app)
  assert.equal((await makeApp(live)).Status, 'Pending')
})
