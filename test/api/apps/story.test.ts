import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { plusSeconds } from '../../../src/core/clock.ts'
import * as apps from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { eventually } from '../../support/eventually.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { serviceForFile, type TestService } from '../../support/service/service.ts'
import { authorizeUrl, basic, getRest, postToken, signIn, signInForCode } from '../../support/sign-in.ts'

type App = apps.App
type Secret = apps.AppSecret & { Secret: string }
const { callback, firstSecret, makeApp, ok, expectError } = apps

const clock = new FixedClock(apps.noon)
const one = await serviceForFile({ clock })
const two = await serviceForFile({ besides: one })
const atOne = await apps.callerFor(one, 'ada')
const atTwo = await apps.callerFor(two, 'ada')

/** Waits until a change made at one node is visible at another. */
const until = (condition: () => Promise<boolean>) => eventually(async () => (await condition()) || undefined)
const inSeconds = (seconds: number): string => plusSeconds(clock.now(), seconds).toString()

/** Signs in with openid-client through one node, as a load balancer would route it: both nodes have the URL of the first. */
async function signInByLibrary(node: TestService, { AppKey }: App, secret: string) {
  const viaNode: client.CustomFetch = (url, init) => fetch(url.replace(one.url, node.url), init as RequestInit)
  const config = await client.discovery(new URL(one.url), AppKey, secret, undefined, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
    [client.customFetch]: viaNode,
  })
  const expectedState = client.randomState()
  const address = client.buildAuthorizationUrl(config, { redirect_uri: callback, state: expectedState })
  const back = await signIn(node.url, Object.fromEntries(address.searchParams))
  const { access_token, refresh_token = '' } = await client.authorizationCodeGrant(config, back, { expectedState })
  noteSecret('access token', access_token)
  noteSecret('refresh token', refresh_token)
  return { access_token, refresh_token }
}

async function tokenWorks(node: TestService, token: string): Promise<boolean> {
  const { status } = await getRest(node.baseUrl, '/port/v1/users/me', token)
  assert.ok(status === 200 || status === 401)
  return status === 200
}

/** Whether a node accepts this secret: only then it complains about the code. */
async function secretWorks(node: TestService, { AppKey }: App, secret: string): Promise<boolean> {
  const form = { grant_type: 'authorization_code', code: 'none', redirect_uri: callback }
  const { error } = (await postToken(node.url, form, basic(AppKey, secret))).body
  assert.ok(error === 'invalid_grant' || error === 'invalid_client', String(error))
  return error === 'invalid_grant'
}

async function allowsSignIn(node: TestService, { AppKey }: App): Promise<boolean> {
  const params = { response_type: 'code', client_id: AppKey, redirect_uri: callback }
  return (await fetch(authorizeUrl(node.url, params), { redirect: 'manual' })).status === 302
}

test('the life of an app over two nodes: created, signed in to, secret rotated, deactivated, reactivated', async () => {
  const app = await makeApp(atOne, { Name: 'Story', RedirectUri: undefined })
  const path = `/${app.AppKey}`
  const old = firstSecret(app)
  assert.equal(await allowsSignIn(two, app), false)
  await ok(atOne('POST', `${path}/redirecturis`, { Uri: callback }), 201)
  await until(() => allowsSignIn(two, app))
  const tokens = await signInByLibrary(two, app, old.Secret)
  for (const node of [one, two]) assert.equal(await tokenWorks(node, tokens.access_token), true)

  // Rotation: the next secret starts in one minute, the old one ends in two.
  const times = { ValidFrom: inSeconds(60), ValidUntil: inSeconds(3_600) }
  const next = await ok<Secret>(atOne('POST', `${path}/secrets`, times), 201)
  await ok(atTwo('PATCH', `${path}/secrets/${old.SecretId}`, { ValidUntil: inSeconds(120) }), 204)
  for (const node of [one, two]) {
    assert.equal(await secretWorks(node, app, next.Secret), false, 'not valid yet')
    assert.equal(await secretWorks(node, app, old.Secret), true)
  }
  clock.advance(60)
  for (const node of [one, two]) {
    await until(() => secretWorks(node, app, next.Secret))
    assert.equal(await secretWorks(node, app, old.Secret), true)
  }
  clock.advance(60)
  for (const node of [one, two]) await until(async () => !(await secretWorks(node, app, old.Secret)))
  await ok(atOne('DELETE', `${path}/secrets/${old.SecretId}`), 204)
  assert.deepEqual((await ok<App>(atTwo('GET', path))).Secrets, [next])
  for (const node of [one, two]) assert.equal(await tokenWorks(node, tokens.access_token), true)
  const grant = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const refreshed = (await postToken(two.url, grant, basic(app.AppKey, next.Secret))).body
  assert.equal(await tokenWorks(one, refreshed.access_token), true)

  // Codes that are pending when their redirect URI is deleted, and when the app is deactivated.
  const other = `${callback}/other`
  const { Data } = await ok<{ Data: { RedirectUriId: number } }>(
    atOne('POST', `${path}/redirecturis`, { Uri: other }),
    201,
  )
  const codeFor = (redirect_uri: string) =>
    signInForCode(one.url, { response_type: 'code', client_id: app.AppKey, redirect_uri, state: 's' })
  const exchange = async (code: string, redirect_uri: string) => {
    const form = { grant_type: 'authorization_code', code, redirect_uri }
    return (await postToken(one.url, form, basic(app.AppKey, next.Secret))).body.error
  }
  const [exchanged, lost, pending] = [await codeFor(other), await codeFor(other), await codeFor(callback)]
  assert.equal(await exchange(exchanged, other), undefined)
  await ok(atOne('DELETE', `${path}/redirecturis/${Data.RedirectUriId}`), 204)
  assert.equal(await exchange(lost, other), 'invalid_grant')

  // Deactivated at the second node: immediately there, and at the first when it is notified.
  await ok(atTwo('DELETE', path), 204)
  const isDeactivated = async (node: TestService) =>
    !(await tokenWorks(node, tokens.access_token)) &&
    !(await tokenWorks(node, refreshed.access_token)) &&
    !(await allowsSignIn(node, app)) &&
    !(await secretWorks(node, app, next.Secret))
  assert.equal(await isDeactivated(two), true)
  await until(() => isDeactivated(one))

  const inactive = await ok<App>(atOne('GET', path))
  await expectError(atOne('PATCH', path, { Name: 'Not now' }), 409, 'AppInactive')
  assert.deepEqual(await ok<App>(atTwo('GET', path)), inactive)
  await ok(atOne('PATCH', path, { IsActive: true, Name: 'Story 2' }), 204)
  assert.deepEqual(await ok<App>(atTwo('GET', path)), { ...inactive, IsActive: true, Name: 'Story 2' })
  await until(() => allowsSignIn(one, app))
  assert.equal(await exchange(pending, callback), 'invalid_grant')
  await until(() => allowsSignIn(two, app))
  const again = await signInByLibrary(two, app, next.Secret)
  const last = { ...grant, refresh_token: refreshed.refresh_token }
  for (const node of [one, two]) {
    assert.equal(await tokenWorks(node, again.access_token), true)
    for (const { access_token } of [tokens, refreshed]) assert.equal(await tokenWorks(node, access_token), false)
    assert.equal((await postToken(node.url, last, basic(app.AppKey, next.Secret))).body.error, 'invalid_grant')
  }
})

type Result = apps.Answer<never>
const statuses = (results: Result[]) => results.map(({ status }) => status).sort()

test('thirty concurrent writes to one app over two nodes are serialized', async () => {
  const app = await makeApp(atOne, { RedirectUri: 'https://app.example/0' })
  const path = `/${app.AppKey}`
  const uriAt = (n: number) => `https://app.example/${n}`
  type Put = { Data: apps.AppRedirect; FoundAndUpdated: boolean }
  const add = async (n: number) =>
    (await ok<Put>(atOne('POST', `${path}/redirecturis`, { Uri: uriAt(n) }), 201)).Data.RedirectUriId
  const uris = [await add(1), await add(2), await add(3), await add(4)]
  for (let count = 2; count <= 8; count++) await ok(atOne('POST', `${path}/secrets`, apps.nextHour(clock)), 201)
  const before = await ok<App>(atTwo('GET', path))
  const [deleted, rotated] = (before.Secrets ?? []).map(({ SecretId }) => SecretId)

  let turn = 0
  /** Alternates between the nodes. */
  const write = (method: 'POST' | 'PATCH' | 'DELETE', rest: string, body?: object): Promise<Result> =>
    (turn++ % 2 === 0 ? atOne : atTwo)<never>(method, `${path}${rest}`, body)
  const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
  const groups = [
    times(6, (n) => write('PATCH', '', { Name: `Name ${n}`, Description: `Text ${n}` })),
    times(2, (n) => write('PATCH', '', { IsTradingEnabled: n === 0 })),
    times(8, (n) => write('POST', '/redirecturis', { Uri: uriAt(10 + (n >> 1)), RedirectUriLabel: `Label ${n}` })),
    times(4, (n) => write('DELETE', `/redirecturis/${uris[n >> 1]}`)),
    times(2, (n) => write('PATCH', `/redirecturis/${uris[2 + n]}`, { Uri: uriAt(20) })),
    times(4, () => write('POST', '/secrets', apps.nextHour(clock))),
    times(2, () => write('DELETE', `/secrets/${deleted}`)),
    times(2, () => write('PATCH', `/secrets/${rotated}`, { Regenerate: true })),
  ]
  assert.equal(groups.flat().length, 30)
  const done = await Promise.all(groups.map((group) => Promise.all(group)))
  const [names = [], trading = [], posts = [], deletes = [], moves = [], added = [], removed = [], regenerated = []] =
    done
  const after = await ok<App>(atOne('GET', path))
  assert.deepEqual(await ok<App>(atTwo('GET', path)), after)

  // The members of one change stay together: those of the last writer.
  assert.deepEqual(statuses([...names, ...trading]), Array(8).fill(204))
  assert.match(`${after.Name} ${after.Description}`, /^Name (\d) Text \1$/)
  assert.deepEqual([after.IsActive, after.Flow, after.Status], [true, 'Code', 'OK'])

  // Of two that add one address, the first creates it and the second updates its label.
  assert.deepEqual(statuses(posts), Array(8).fill(201))
  const made = times(4, (n) => {
    const pair = posts.slice(2 * n, 2 * n + 2).map(({ body }) => body as Put)
    const [first, second] = pair.toSorted((a, b) => Number(a.FoundAndUpdated) - Number(b.FoundAndUpdated))
    assert.deepEqual([first?.FoundAndUpdated, second?.FoundAndUpdated], [false, true])
    assert.equal(first?.Data.RedirectUriId, second?.Data.RedirectUriId)
    return second?.Data
  })
  // Of two that delete one address, one finds it; of two that change to one address, one succeeds.
  assert.deepEqual(statuses(deletes), [204, 204, 404, 404])
  assert.deepEqual(statuses(moves), [204, 409])
  const moved = moves.map(({ status }, n) => (status === 204 ? uriAt(20) : uriAt(3 + n)))
  const expected = [uriAt(0), ...moved, ...made.map((each) => each?.Uri)]
  assert.deepEqual(after.RedirectUris.map(({ Uri }) => Uri).sort(), expected.sort())
  for (const each of made)
    assert.deepEqual(
      after.RedirectUris.find(({ Uri }) => Uri === each?.Uri),
      each,
    )

  // Eight secrets, one deleted once: two or three more fit, and there are never more than ten.
  assert.deepEqual(statuses(removed), [204, 404])
  const fit = added.filter(({ status }) => status === 201).map(({ body }) => body as Secret)
  assert.deepEqual(statuses(added), [...Array(fit.length).fill(201), ...Array(4 - fit.length).fill(409)])
  assert.ok(fit.length === 2 || fit.length === 3, `${fit.length} were added`)
  assert.equal(after.Secrets?.length, 7 + fit.length)
  for (const secret of fit)
    assert.deepEqual(
      after.Secrets?.find(({ SecretId }) => SecretId === secret.SecretId),
      secret,
    )
  assert.deepEqual(statuses(regenerated), [200, 200])
  const value = after.Secrets?.find(({ SecretId }) => SecretId === rotated)?.Secret
  assert.equal(regenerated.filter(({ body }) => (body as Secret).Secret === value).length, 1)

  assertNewIds(
    before.RedirectUris.map(({ RedirectUriId }) => RedirectUriId),
    [...made.map((each) => each?.RedirectUriId ?? 0), await add(30)],
  )
  await ok(atTwo('DELETE', `${path}/secrets/${rotated}`), 204)
  const last = fit.length === 3 ? [] : [await ok<Secret>(atTwo('POST', `${path}/secrets`, apps.nextHour(clock)), 201)]
  assertNewIds(
    (before.Secrets ?? []).map(({ SecretId }) => SecretId),
    [...fit, ...last].map(({ SecretId }) => SecretId),
  )
})

/** An id is never reused, not even after a deletion. */
function assertNewIds(before: readonly number[], made: readonly number[]): void {
  assert.equal(new Set([...before, ...made]).size, before.length + made.length)
  assert.ok(Math.min(...made) > Math.max(...before))
}
