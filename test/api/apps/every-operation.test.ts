import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as apps from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { serviceForFile } from '../../support/service/service.ts'

const { firstUri, makeApp, ok, expectError } = apps

const service = await serviceForFile({ clock: new FixedClock(apps.noon) })
const ada = await apps.callerFor(service, 'ada')
const other = { bo: await apps.callerFor(service, 'bo'), cy: await apps.callerFor(service, 'cy') }
const reader = await apps.readOnlyCaller(service, ada)

test('an id of another app and an invalid id are not found: operations 17 to 19 and 22 to 24', async () => {
  const [app, another] = [await makeApp(ada), await makeApp(ada)]
  const of = (list: 'redirecturis' | 'secrets', id: unknown) => `/${app.AppKey}/${list}/${id}`
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? {} : undefined
    for (const id of [firstUri(another).RedirectUriId, 0, -1, Number.MAX_SAFE_INTEGER])
      await expectError(ada(method, of('redirecturis', id), body), 404, 'NoResultFound')
    for (const id of [apps.firstSecret(another).SecretId, 0, -1, Number.MAX_SAFE_INTEGER])
      await expectError(ada(method, of('secrets', id), body), 404, 'UnavailableSecretId')
    for (const id of ['x', '1.5', '99999999999999999999', '%00']) {
      await expectError(ada(method, of('redirecturis', id), body), 400, 'InvalidModelState', 'RedirectUriId')
      await expectError(ada(method, of('secrets', id), body), 400, 'InvalidModelState', 'SecretId')
    }
  }
})

test('another client’s app is indistinguishable from a missing one', async () => {
  const mine = { ada: await makeApp(ada), bo: await makeApp(other.bo) }
  for (const [app, call] of [
    [mine.ada, other.cy],
    [mine.ada, other.bo],
    [mine.bo, ada],
  ] as const) {
    for (const { id, method, path, body } of apps.operationsOn(app)) {
      const foreign = await expectError(call(method, path, body), 404, 'NoResultFound')
      const missing = await expectError(
        call(method, path.replace(app.AppKey, apps.unknownKey), body),
        404,
        'NoResultFound',
      )
      assert.deepEqual(JSON.parse(JSON.stringify(foreign).replace(app.AppKey, apps.unknownKey)), missing, String(id))
    }
  }
  assert.deepEqual(await ok(ada('GET', `/${mine.ada.AppKey}`)), mine.ada)
  assert.deepEqual(await ok(other.bo('GET', `/${mine.bo.AppKey}`)), mine.bo)
})

test('no token, a read-only token and a stale If-Match change nothing', async () => {
  const app = await makeApp(ada)
  const anonymous = apps.callerWith(service, '')
  const stale = { 'if-match': (await ada('GET', `/${app.AppKey}`)).headers.get('etag') ?? '' }
  await ok(ada('PATCH', `/${app.AppKey}`, { Description: 'Newer' }), 204)
  const lists = [{ id: 10, method: 'GET', path: '' } as const, { id: 11, method: 'POST', path: '', body: {} } as const]
  for (const { id, method, path, body } of [...lists, ...apps.operationsOn(app)]) {
    const response = await anonymous(method, path, body)
    assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, 'Bearer'], String(id))
    const valid = id === 11 ? { Name: 'A', Description: '', Flow: 'PKCE' } : body
    if (method === 'GET') assert.equal((await reader(method, path)).status, 200, String(id))
    else await expectError(reader(method, path, valid), 403, 'RequestNotAllowed')
    if (id >= 13 && id <= 24 && id !== 15) await expectError(ada(method, path, body, stale), 412, 'PreconditionFailed')
  }
  assert.deepEqual(await ok(ada('GET', `/${app.AppKey}`)), { ...app, Description: 'Newer' })
})

test('If-Match accepts the current version, a list with it, and *', async () => {
  const app = await makeApp(ada)
  const fresh = async () => (await ada('GET', `/${app.AppKey}`)).headers.get('etag') ?? ''
  const strong = (etag: string) => etag.replace('W/', '')
  for (const { id, method, path, body } of apps.operationsOn(app).filter(({ id }) => id > 14 && id < 25)) {
    const header = id === 16 ? '*' : id === 18 ? `"old", ${strong(await fresh())}` : await fresh()
    assert.ok((await ada(method, path, body, { 'if-match': header })).status < 300, String(id))
  }
  const before = await fresh()
  await ok(ada('PATCH', `/${app.AppKey}`, { Name: 'C' }, { 'if-match': before }), 204)
  await expectError(ada('DELETE', `/${app.AppKey}`, undefined, { 'if-match': before }), 412, 'PreconditionFailed')
  await ok(ada('DELETE', `/${app.AppKey}`, undefined, { 'if-match': await fresh() }), 204)
})

test('a body must be JSON with a JSON content type and no unknown members: operations 11, 13, 16, 18, 21 and 23', async () => {
  const app = await makeApp(ada)
  const create = { id: 11, method: 'POST', path: '', body: { Name: 'A', Description: '', Flow: 'PKCE' } } as const
  const writes = [create, ...apps.operationsOn(app)].filter(({ body }) => body)
  assert.equal(writes.length, 6)
  for (const { method, path, body } of writes) {
    await expectError(ada(method, path, { ...body, Extra: 1 }), 400, 'InvalidModelState', 'Extra')
    await expectError(ada(method, path, '{"Name":'), 400, 'InvalidRequest')
    await expectError(ada(method, path, [body]), 400, 'InvalidModelState', 'Body')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await expectError(ada(method, path, 'Name=A', form), 415, 'InvalidMediaTypeHeader')
  }
  assert.deepEqual(await ok(ada('GET', `/${app.AppKey}`)), app)
})
