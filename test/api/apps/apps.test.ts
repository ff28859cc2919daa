import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as apps from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoApps, demoKey, demoPassword, demoUsers } from '../../support/demo.ts'
import { importTexts, lines } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'

type App = apps.App
type Feed = apps.Feed<App>
const { callback, firstSecret, firstUri, makeApp, noon, ok, expectError } = apps

const service = await serviceForFile({ clock: new FixedClock(noon) })
const { db } = service.node.context
const ada = await apps.callerFor(service, 'ada')
const bo = await apps.callerFor(service, 'bo')
const cy = await apps.callerFor(service, 'cy')
const reader = await apps.readOnlyCaller(service, ada)

const Branding = { Id: 1, Name: 'Default', Description: 'Default sign-in pages' }
const get = (app: App, call = ada) => ok<App>(call('GET', `/${app.AppKey}`))
const patch = (app: App, body: object) => ada('PATCH', `/${app.AppKey}`, body)

test('creates an app with a first secret that is valid for a year (operation 11)', async () => {
  const sent = { Name: "Ada's [best] @pp-1!", Description: 'Två ord 😀', Flow: 'code', RedirectUri: callback }
  const { status, headers, body } = await ada<App>('POST', '', sent)
  assert.equal(status, 201)
  assert.match(body.AppKey, /^[0-9a-f]{32}$/)
  assert.match(firstSecret(body).Secret, /^[0-9a-f]{32}$/)
  assert.deepEqual(body, {
    AppKey: body.AppKey,
    Name: sent.Name,
    Description: sent.Description,
    Flow: 'Code',
    IsActive: true,
    IsTradingEnabled: false,
    ManualOrderIndicationDefault: 'Manual',
    ManualOrderIndicator: 'NotRequired',
    Status: 'OK',
    CreatedBy: { Name: 'ada', UserKey: demoKey('user ada') },
    Endpoints: { AuthorizationEndpoint: `${service.url}/authorize`, TokenEndpoint: `${service.url}/token` },
    Branding: [Branding],
    RedirectUris: [{ RedirectUriId: firstUri(body).RedirectUriId, Uri: callback, Branding }],
    Secrets: [
      {
        SecretId: firstSecret(body).SecretId,
        Secret: firstSecret(body).Secret,
        ValidFrom: '2026-11-16T12:00:00.000000Z',
        ValidUntil: '2027-11-16T12:00:00.000000Z',
      },
    ],
  })
  const location = headers.get('location') ?? ''
  assert.equal(location, `${service.baseUrl}/developer/apps/${body.AppKey}`)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store')
  const read = await ada<App>('GET', location)
  assert.deepEqual(read.body, body)
  assert.equal(headers.get('etag'), read.headers.get('etag'))
})

test('a new app has the requested flow, trading and redirect URI; only a Code app has a secret (operation 11)', async () => {
  for (const Flow of ['PKCE', 'Implicit', 'Code'])
    for (const IsTradingEnabled of [true, false]) {
      const app = await makeApp(ada, { Flow, IsTradingEnabled, RedirectUri: undefined })
      assert.deepEqual([app.Flow, app.IsTradingEnabled, app.Status], [Flow, IsTradingEnabled, 'OK'])
      assert.deepEqual([app.RedirectUris, app.Secrets?.length], [[], Flow === 'Code' ? 1 : 0])
    }
  const hinted = await ada('POST', '', {
    Name: 'x',
    Description: '',
    Flow: 'Code',
    RedirectUri: 'https://app/callback',
  })
  assert.equal(hinted.status, 201)
  assert.match(hinted.headers.get('x-redirect-uri-hint') ?? '', /no dot/)
})

test('rejects a new app with every bad field (operation 11)', async () => {
  const good = { Name: 'A', Description: '', Flow: 'Code' }
  const bad: [object, ...string[]][] = [
    [{}, 'Name', 'Description', 'Flow'],
    [{ ...good, Name: '' }, 'Name'],
    [{ ...good, Name: '   ' }, 'Name'],
    [{ ...good, Name: 'a'.repeat(101) }, 'Name'],
    [{ ...good, Name: 'a\u0000' }, 'Name'],
    [{ ...good, Name: 'a<b>' }, 'Name'],
    [{ ...good, Name: 1, Flow: 'Device', Extra: 1 }, 'Name', 'Flow', 'Extra'],
    [{ ...good, Description: 'a\u0000b' }, 'Description'],
    [{ ...good, Description: 'half \ud83d' }, 'Description'],
    [{ ...good, Description: 'a'.repeat(1_001) }, 'Description'],
    [{ ...good, Description: null, name: 'B' }, 'Description', 'name'],
    [{ ...good, IsTradingEnabled: 'yes' }, 'IsTradingEnabled'],
    [{ ...good, RedirectUri: '' }, 'RedirectUri'],
    [{ ...good, RedirectUri: 'http://app.example/' }, 'RedirectUri'],
    [{ ...good, RedirectUri: 'https://app.example/\u0000' }, 'RedirectUri'],
    [{ ...good, Flow: 'Implicit', RedirectUri: 'com.example:/callback' }, 'RedirectUri'],
  ]
  const before = await ok<Feed>(ada('GET', '?$inlinecount=AllPages'))
  for (const [body, ...fields] of bad) await expectError(ada('POST', '', body), 400, 'InvalidModelState', ...fields)
  assert.deepEqual(await ok<Feed>(ada('GET', '?$inlinecount=AllPages')), before)
})

test('lists apps newest first in pages of 20; a client has at most 100 (operation 10)', async () => {
  assert.deepEqual(await ok(cy('GET', '')), { Data: [], MaxRows: 1_000 })
  await sql`insert into app (app_key, client_key, name, description, flow, created_at)
    select md5(n::text), ${demoKey('client cy')}, 'App ' || n, '', 'PKCE', '2026-01-01'::timestamptz + n / 2 * interval '1 day'
    from generate_series(1, 99) n`.execute(db)
  const list = (query: string) => ok<Feed>(cy('GET', `?${query}`))
  const all = await list('$top=1000')
  assert.deepEqual([all.Data.length, all.__count, all.__next], [99, undefined, undefined])
  const days = all.Data.map(({ Name, AppKey }) => [Math.floor(Number(Name.slice(4)) / 2), AppKey] as const)
  assert.deepEqual(
    days,
    days.toSorted(([a, x], [b, y]) => b - a || (x < y ? -1 : 1)),
  )
  const walked: App[] = []
  for (let next: string | undefined = '?$INLINECOUNT=allpages&includesecrets=TRUE'; next; ) {
    const page: Feed = await ok<Feed>(cy('GET', next))
    assert.deepEqual([page.__count, page.MaxRows], [99, 1_000])
    walked.push(...page.Data)
    next = page.__next
    if (next) assert.match(next, new RegExp(`^${service.baseUrl}/developer/apps\\?.*\\$skip=${walked.length}$`))
    if (next) assert.equal(page.Data.length, 20)
  }
  assert.deepEqual(
    walked.map(({ Secrets, ...rest }) => rest),
    all.Data,
  )
  assert.deepEqual(await list('$top=0&$inlinecount=AllPages'), { __count: 99, Data: [], MaxRows: 1_000 })
  assert.deepEqual(await list('$skip=99'), { Data: [], MaxRows: 1_000 })
  assert.deepEqual((await list('$top=1&$skip=98&$inlinecount=None')).Data, all.Data.slice(98))
  const another = () => cy('POST', '', { Name: 'A', Description: '', Flow: 'PKCE' })
  const responses = await Promise.all([another(), another(), another(), another()])
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409])
  await expectError(another(), 409, 'LimitReached')
})

test('reports all invalid parameters at once (operation 10)', async () => {
  const bad: [string, ...string[]][] = [
    ['$top=1001&$skip=-1', '$top', '$skip'],
    ['$top=-1&$inlinecount=Some', '$top', '$inlinecount'],
    ['$top=two&IncludeSecrets=maybe', '$top', 'IncludeSecrets'],
    ['$top=1&$TOP=2&$skip=99999999999999999999', '$top', '$skip'],
  ]
  for (const [query, ...fields] of bad) await expectError(ada('GET', `?${query}`), 400, 'InvalidModelState', ...fields)
})

test('a list includes secrets on request and is never cached (operation 10)', async () => {
  const app = await makeApp(ada)
  const listed = async (query: string, call = ada) => {
    const { body, headers } = await call<Feed>('GET', `?$top=1000&${query}`)
    assert.equal(headers.get('cache-control'), 'no-store')
    return body.Data.find(({ AppKey }) => AppKey === app.AppKey)
  }
  const { Secrets, ...rest } = app
  for (const query of ['', 'IncludeSecrets=false']) assert.deepEqual(await listed(query), rest)
  assert.deepEqual(await listed('IncludeSecrets=true'), app)
  const { Secret, ...times } = firstSecret(app)
  assert.deepEqual(await listed('IncludeSecrets=true', reader), { ...rest, Secrets: [times] })
  const flows = (await ok<Feed>(ada('GET', '?$top=1000'))).Data.filter(({ Name }) => Name.startsWith('Pocket'))
  assert.equal(flows.length, demoApps.length, 'the app of the console is not listed')
})

for (const [operation, path] of [
  ['12', ''],
  ['25', '/resource'],
] as const)
  test(`an app has an ETag that changes with it: operation ${operation}`, async () => {
    const app = await makeApp(ada)
    const address = `${path}/${app.AppKey}`
    const { status, headers, body } = await ada<App>('GET', address)
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
    assert.deepEqual(body, app)
    const etag = headers.get('etag') ?? ''
    assert.match(etag, /^W\/"[\w-]{27}"$/)
    assert.equal((await ada('GET', address, undefined, { 'if-none-match': etag })).status, 304)
    for (const change of [
      () => patch(app, { Description: 'Other' }),
      () => ada('POST', `/${app.AppKey}/redirecturis`, { Uri: 'https://app.example/2' }),
      () => ada('POST', `/${app.AppKey}/secrets`, apps.oneHour),
    ]) {
      const before = (await ada('GET', address)).headers.get('etag')
      assert.ok((await change()).status < 300)
      assert.notEqual((await ada('GET', address)).headers.get('etag'), before)
    }
    const { Secret, ...times } = firstSecret(app)
    const seen = await ok<App>(reader('GET', address))
    assert.deepEqual(seen.Secrets?.[0], times)
    assert.ok(seen.Secrets?.every((secret) => !('Secret' in secret)))
  })

test('both paths return the same response (operation 12) (operation 25)', async () => {
  const app = await makeApp(ada)
  const [plain, resource] = [await ada('GET', `/${app.AppKey}`), await ada('GET', `/Resource/${app.AppKey}/`)]
  assert.deepEqual(resource.body, plain.body)
  for (const name of ['etag', 'cache-control', 'content-type', 'vary'])
    assert.equal(resource.headers.get(name), plain.headers.get(name))
})

test('all users of a client share its apps, and no one else sees them (operation 10) (operation 12)', async () => {
  const app = await makeApp(ada)
  const colleague = { ...demoUsers[0], kind: 'user', UserKey: demoKey('user eve'), Name: 'eve', Password: demoPassword }
  assert.deepEqual((await importTexts(service.database.connection, { 'u.ndjson': lines(colleague) })).errors, [])
  const eve = await apps.callerFor(service, 'eve')
  assert.deepEqual(await get(app, eve), app)
  await ok(eve('PATCH', `/${app.AppKey}`, { Name: 'Of eve' }), 204)
  const boApp = await makeApp(bo)
  for (const [call, own] of [[ada, app] as const, [bo, boApp] as const]) {
    const keys = (await ok<Feed>(call('GET', '?$top=1000'))).Data.map(({ AppKey }) => AppKey)
    assert.deepEqual(
      [app.AppKey, boApp.AppKey].filter((key) => keys.includes(key)),
      [own.AppKey],
    )
  }
})
