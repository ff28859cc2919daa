import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as apps from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { authorizeUrl } from '../../support/sign-in.ts'

type Uri = apps.AppRedirect
type Put = { Data: Uri; FoundAndUpdated: boolean }
type Feed = apps.Feed<Uri>
const { callback, firstUri, makeApp, ok, expectError } = apps

const service = await serviceForFile({ clock: new FixedClock(apps.noon) })
const { db } = service.node.context
const ada = await apps.callerFor(service, 'ada')

const Branding = { Id: 1, Name: 'Default', Description: 'Default sign-in pages' }
const urisOf = (app: apps.App) => `/${app.AppKey}/redirecturis`
const addressOf = (app: apps.App, { RedirectUriId } = firstUri(app)) => `${urisOf(app)}/${RedirectUriId}`
const post = (app: apps.App, body: object) => ada<Put>('POST', urisOf(app), body)
const list = async (app: apps.App) => (await ok<Feed>(ada('GET', urisOf(app)))).Data

/** Whether /authorize accepts the redirect URI: 302 to the sign-in page, or 400 without a redirect. */
async function isAllowed(app: apps.App, uri: string): Promise<boolean> {
  const params = { response_type: 'code', client_id: app.AppKey, redirect_uri: uri }
  const { status } = await fetch(authorizeUrl(service.url, params), { redirect: 'manual' })
  assert.ok(status === 302 || status === 400)
  return status === 302
}

test('returns a new redirect URI, which works immediately (operation 16)', async () => {
  const app = await makeApp(ada)
  const sent = { Uri: 'https://app.example/2', RedirectUriLabel: 'Två', Description: '2 😀' }
  assert.equal(await isAllowed(app, sent.Uri), false)
  const { status, headers, body } = await post(app, { ...sent, BrandingId: 1 })
  assert.equal(status, 201)
  const RedirectUriId = body.Data.RedirectUriId
  assert.ok(RedirectUriId > firstUri(app).RedirectUriId)
  assert.deepEqual(body, { Data: { RedirectUriId, ...sent, Branding }, FoundAndUpdated: false })
  const location = headers.get('location') ?? ''
  assert.equal(location, `${service.baseUrl}/developer/apps${urisOf(app)}/${RedirectUriId}`)
  assert.deepEqual(await ok(ada('GET', location)), body.Data)
  assert.equal(await isAllowed(app, sent.Uri), true)
})

test('a Code app may return to port 80 of this machine: a hint says that it needs rights (operation 16)', async () => {
  const app = await makeApp(ada)
  for (const Uri of ['http://localhost', 'http://localhost/path']) {
    const { status, headers } = await post(app, { Uri })
    assert.equal(status, 201)
    assert.match(headers.get('x-redirect-uri-hint') ?? '', /port is 80, where a program needs administrator rights/)
    assert.equal(await isAllowed(app, Uri), true)
  }
  assert.equal(await isAllowed(app, 'http://localhost/'), true, 'an empty path equals /')
  for (const uri of ['http://localhost:5000/path', 'http://localhost:80/path', 'http://127.0.0.1/path'])
    assert.equal(await isAllowed(app, uri), false, uri)
})

test('updates a redirect URI that the app already has, and keeps its id (operation 16)', async () => {
  const app = await makeApp(ada, { RedirectUri: 'https://app.example' })
  const { RedirectUriId } = firstUri(app)
  const known = { RedirectUriId, Uri: 'https://app.example', Branding }
  const again = async (body: object) => (await ok<Put>(post(app, body), 201)) as Put
  const labelled = { ...known, RedirectUriLabel: 'Home' }
  assert.deepEqual(await again({ Uri: 'https://app.example', RedirectUriLabel: 'Home' }), {
    Data: labelled,
    FoundAndUpdated: true,
  })
  assert.deepEqual(await again({ Uri: 'https://app.example/', Description: 'The same' }), {
    Data: { ...labelled, Description: 'The same' },
    FoundAndUpdated: true,
  })
  assert.deepEqual(await list(app), [{ ...labelled, Description: 'The same' }])
})

test('rejects an invalid redirect URI with the reason, and hints at a probable mistake (operation 16)', async () => {
  const app = await makeApp(ada)
  const mobile = await makeApp(ada, { Flow: 'PKCE' })
  const bad: [object, ...string[]][] = [
    [{}, 'Uri'],
    [{ Uri: '', BrandingId: 2 }, 'Uri', 'BrandingId'],
    [{ Uri: callback, BrandingId: 0 }, 'BrandingId'],
    [{ Uri: callback, Id: 1, uri: callback }, 'Id', 'uri'],
    [{ Uri: callback, Description: 'a\u0000', RedirectUriLabel: '\udc00' }, 'Description', 'RedirectUriLabel'],
    [
      { Uri: callback, Description: 'a'.repeat(1_001), RedirectUriLabel: 'b'.repeat(1_001) },
      'Description',
      'RedirectUriLabel',
    ],
    ...[
      `https://app.example/${'a'.repeat(1_981)}`,
      'not an address',
      '/callback',
      'https://app.example/\u0000',
      'http://app.example/callback',
      'https://app.example/#part',
      'https://user@app.example/',
      'https://*.app.example/',
      'https://app.example/a/../b',
      'https://APP.example/',
      'javascript:alert(1)',
      'com.example.app:/callback',
    ].map((Uri): [object, string] => [{ Uri }, 'Uri']),
  ]
  for (const [body, ...fields] of bad) await expectError(post(app, body), 400, 'InvalidModelState', ...fields)
  assert.deepEqual(await list(app), app.RedirectUris)
  for (const Uri of [
    'http://localhost/callback',
    'com.example.app:/callback',
    `https://a.example/${'a'.repeat(1_982)}`,
  ])
    assert.equal((await post(mobile, { Uri })).headers.get('x-redirect-uri-hint'), null)
  const hinted = await post(app, { Uri: 'https://app.example/?code=1' })
  assert.deepEqual([hinted.status, hinted.body.FoundAndUpdated], [201, false])
  assert.match(hinted.headers.get('x-redirect-uri-hint') ?? '', /^Its query has code/)
})

test('lists redirect URIs in pages by id; an app has at most 50 (operation 15)', async () => {
  const app = await makeApp(ada)
  await sql`insert into redirect_uri (app_key, uri)
    select ${app.AppKey}, 'https://app.example/' || n from generate_series(1, 48) n`.execute(db)
  await ok(post(app, { Uri: 'https://app.example/the-50th' }), 201)
  await expectError(post(app, { Uri: 'https://app.example/one-more' }), 409, 'LimitReached')
  await ok(post(app, { Uri: callback, RedirectUriLabel: 'Updated' }), 201)
  const page = (query: string) => ok<Feed>(ada('GET', query.startsWith('http') ? query : `${urisOf(app)}${query}`))
  const all = await page('?$top=1000')
  assert.deepEqual([all.Data.length, all.MaxRows, all.__next, all.__count], [50, 1_000, undefined, undefined])
  const ids = all.Data.map(({ RedirectUriId }) => RedirectUriId)
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  const first = await page('?$inlinecount=AllPages')
  assert.deepEqual([first.Data, first.__count], [all.Data.slice(0, 20), 50])
  const next = `${service.baseUrl}/developer/apps${urisOf(app)}?$inlinecount=AllPages&$skip=20`
  assert.equal(first.__next, next)
  const second = await page(next)
  assert.deepEqual(second.Data, all.Data.slice(20, 40))
  const last = await page(second.__next ?? '')
  assert.deepEqual(last, { __count: 50, Data: all.Data.slice(40), MaxRows: 1_000 })
  assert.deepEqual(await page('?$top=0&$inlinecount=AllPages'), { __count: 50, Data: [], MaxRows: 1_000 })
  assert.deepEqual(await page('?$skip=50'), { Data: [], MaxRows: 1_000 })
  assert.deepEqual(await page('?$top=30&$skip=20'), { Data: all.Data.slice(20), MaxRows: 1_000 })
  for (const [query, ...fields] of [
    ['?$top=1001&$skip=-1', '$top', '$skip'],
    ['?$top=-1&$inlinecount=x', '$top', '$inlinecount'],
  ] as const)
    await expectError(ada('GET', `${urisOf(app)}${query}`), 400, 'InvalidModelState', ...fields)
})

test('returns one redirect URI and ignores paging parameters (operation 17)', async () => {
  const app = await makeApp(ada)
  for (const query of ['', '?$top=0&$skip=5&$inlinecount=AllPages&$skiptoken=x', '?$top=5000&$skip=-1'])
    assert.deepEqual(await ok(ada('GET', `${addressOf(app)}${query}`)), firstUri(app))
})

test('changes only the members sent, and takes effect immediately (operation 18)', async () => {
  const app = await makeApp(ada)
  let now = firstUri(app)
  const moved = 'https://app.example/moved'
  for (const change of [
    { RedirectUriLabel: 'Label' },
    { Description: 'Text' },
    { Uri: moved },
    { Uri: moved, Description: '' },
    { BrandingId: 1 },
    {},
  ]) {
    const { status, body } = await ada('PATCH', addressOf(app), change)
    assert.deepEqual([status, body], [204, undefined])
    const { BrandingId, ...members } = { BrandingId: 1, ...change }
    now = { ...now, ...members }
    assert.deepEqual(await ok(ada('GET', addressOf(app))), now)
  }
  assert.deepEqual([await isAllowed(app, callback), await isAllowed(app, moved)], [false, true])
  const hinted = await ada('PATCH', addressOf(app), { Uri: 'https://app.example/a//b' })
  assert.match(hinted.headers.get('x-redirect-uri-hint') ?? '', /two slashes/)
})

test('rejects a change to a duplicate or invalid address (operation 18)', async () => {
  const app = await makeApp(ada, { RedirectUri: 'https://app.example/' })
  const { Data: second } = await ok<Put>(post(app, { Uri: 'https://app.example/2' }), 201)
  const before = await list(app)
  const change = (body: object) => ada('PATCH', addressOf(app, second), body)
  for (const Uri of ['https://app.example/', 'https://app.example'])
    await expectError(change({ Uri, Description: 'No' }), 409, 'DuplicateRedirectUri')
  await expectError(change({ Uri: 'http://app.example/', Description: 'No' }), 400, 'InvalidModelState', 'Uri')
  await expectError(change({ BrandingId: 2, Label: 'x' }), 400, 'InvalidModelState', 'BrandingId', 'Label')
  await expectError(change({ Description: 'a\u0000' }), 400, 'InvalidModelState', 'Description')
  assert.deepEqual(await list(app), before)
})

test('a deleted redirect URI stops working immediately, and its id is not reused (operation 19)', async () => {
  const app = await makeApp(ada)
  assert.equal(await isAllowed(app, callback), true)
  const { status, body } = await ada('DELETE', addressOf(app))
  assert.deepEqual([status, body], [204, undefined])
  assert.equal(await isAllowed(app, callback), false)
  for (const method of ['GET', 'DELETE'] as const) await expectError(ada(method, addressOf(app)), 404, 'NoResultFound')
  await expectError(ada('PATCH', addressOf(app), {}), 404, 'NoResultFound')
  const { Data } = await ok<Put>(post(app, { Uri: callback }), 201)
  assert.ok(Data.RedirectUriId > firstUri(app).RedirectUriId)
})

test('the redirect URIs of an inactive app can be read and changed (operations 15, 16, 17, 18, 19)', async () => {
  const app = await makeApp(ada)
  await ok(ada('DELETE', `/${app.AppKey}`), 204)
  const { Data } = await ok<Put>(post(app, { Uri: 'https://app.example/2' }), 201)
  await ok(ada('PATCH', addressOf(app), { Description: 'Inactive' }), 204)
  await ok(ada('DELETE', addressOf(app, Data)), 204)
  const left = { ...firstUri(app), Description: 'Inactive' }
  assert.deepEqual(await list(app), [left])
  assert.deepEqual(await ok(ada('GET', addressOf(app))), left)
})
