import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { appRoutes } from '../../src/apps/api/routes.ts'
import type { App, AppRedirect, AppSecret } from '../../src/apps/api/schema.ts'
import { secretSealKey } from '../../src/apps/secrets.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Db } from '../../src/database/open.ts'
import { demoKey } from './demo.ts'
import { testServer } from './http-server.ts'
import { noteSecret } from './runner/log-check.ts'
import { masterKey, type TestService } from './service/service.ts'
import { Browser, basic, obtainTokens, postToken, signInForCode, type TokenBody } from './sign-in.ts'

export type { App, AppRedirect, AppSecret }
export type Feed<Row> = { __count?: number; __next?: string; MaxRows: number; Data: Row[] }
export type ErrorBody = { ErrorCode: string; Message: string; ModelState?: Record<string, string[]> }
export type Answer<Body> = { status: number; headers: Headers; body: Body }
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Call = <Body = ErrorBody>(
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<Body>>

export const callback = 'https://app.example/callback'
export const unknownKey = '0'.repeat(32)
/** One hour from noon, the start of the fixed clocks. */
export const oneHour = { ValidFrom: '2026-11-16T12:00:00Z', ValidUntil: '2026-11-16T13:00:00Z' }
export const noon = '2026-11-16T12:00:00Z'

/** Calls /developer/apps with an access token; without one if it is empty. */
export function callerWith({ baseUrl }: TestService, token: string): Call {
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
  return async (method, path, body, headers = {}) => {
    const response = await fetch(path.startsWith('http') ? path : `${baseUrl}/developer/apps${path}`, {
      method,
      headers: { ...authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: parseBody(await response.text()) }
  }
}

/** Parses a response and notes its secrets for the log check. */
function parseBody(text: string) {
  for (const [, secret] of text.matchAll(/"Secret":"([0-9a-f]{32})"/g)) noteSecret('secret', secret ?? '')
  return text === '' ? undefined : JSON.parse(text)
}

/** The routes as mounted in live, with a session of ada as the caller of every request. */
export async function liveCaller(service: TestService): Promise<Call> {
  const { sid } = decodeJwt<{ sid: string }>((await obtainTokens(service.url)).access_token)
  const { db, clock, feed, config } = service.node.context
  const { server } = testServer()
  const ada = { UserKey: demoKey('user ada'), ClientKey: demoKey('client ada') }
  server.addHook('onRequest', async (request) => {
    request.caller = { ...ada, sessionId: sid, appKey: '', mayWrite: true, expiresAt: 0, isDayToken: false }
  })
  const [secretKey, addresses] = [secretSealKey(masterKey), { publicUrl: config.publicUrl, baseUrl: service.baseUrl }]
  appRoutes(server, { db, clock, feed, secretKey, mode: 'listed', environment: 'live', ...addresses })
  return async (method, path, body, headers = {}) => {
    const content = body === undefined ? {} : { body: body as object }
    const answer = await server.inject({ method, url: `/developer/apps${path}`, headers, ...content })
    const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    return { status: answer.statusCode, headers: new Headers(pairs), body: parseBody(answer.body) }
  }
}

/** Calls as a user signed in to the demo app, which may read and write. */
export async function callerFor(service: TestService, user: string): Promise<Call> {
  return callerWith(service, (await obtainTokens(service.url, { user })).access_token)
}

/** The body of a successful response. */
export async function ok<Body>(answer: Promise<Answer<unknown>>, status = 200): Promise<Body> {
  const { status: given, body } = await answer
  assert.equal(given, status, JSON.stringify(body))
  return body as Body
}

/** Expects an error with this status and code, and with reasons for exactly these fields. */
export async function expectError(answer: Promise<Answer<unknown>>, status: number, code: string, ...fields: string[]) {
  const { status: given, body, headers } = await answer
  const { ErrorCode, Message, ModelState } = body as ErrorBody
  assert.deepEqual([given, ErrorCode], [status, code], JSON.stringify(body))
  assert.ok(Message.length > 10)
  assert.deepEqual(Object.keys(ModelState ?? {}).sort(), fields.toSorted(), JSON.stringify(body))
  for (const reasons of Object.values(ModelState ?? {}))
    assert.ok(reasons.every((reason) => /^\S.{5,}\.$/.test(reason)))
  assert.equal(headers.get('cache-control'), 'no-store')
  return body as ErrorBody
}

/** Creates an app with a redirect URI that may read and write. */
export function makeApp(call: Call, more: object = {}): Promise<App> {
  const app = { Name: 'An app', Description: 'Of a test.', Flow: 'Code', IsTradingEnabled: true, RedirectUri: callback }
  return ok<App>(call('POST', '', { ...app, ...more }), 201)
}

export const firstSecret = ({ Secrets }: App): AppSecret & { Secret: string } => {
  const [{ Secret = '', ...rest } = { SecretId: 0, ValidFrom: '', ValidUntil: '' }] = Secrets ?? []
  return { ...rest, Secret }
}

export const firstUri = ({ RedirectUris: [first] }: App): AppRedirect => {
  assert.ok(first)
  return first
}

/** Whether /token accepts this secret: only then it complains about the code. */
export async function authenticates({ url }: TestService, appKey: string, secret: string): Promise<boolean> {
  const form = { grant_type: 'authorization_code', code: 'none', redirect_uri: callback }
  const { error } = (await postToken(url, form, basic(appKey, secret))).body
  assert.ok(error === 'invalid_grant' || error === 'invalid_client', String(error))
  return error === 'invalid_grant'
}

/** Signs in to a Code app at a node and exchanges the code there. */
export async function signInTo(
  { url }: TestService,
  app: App,
  options: { user?: string; secret?: string; browser?: Browser } = {},
): Promise<TokenBody> {
  const { user = 'ada', secret = firstSecret(app).Secret, browser = new Browser() } = options
  const redirect_uri = firstUri(app).Uri
  const params = { response_type: 'code', client_id: app.AppKey, redirect_uri, state: 'some' }
  const code = await signInForCode(url, params, { user, browser })
  const form = { grant_type: 'authorization_code', code, redirect_uri }
  const { status, body } = await postToken(url, form, basic(app.AppKey, secret))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Calls as ada through an app that may only read (§5.4). */
export async function readOnlyCaller(service: TestService, call: Call): Promise<Call> {
  const reader = await makeApp(call, { Name: 'Reader', IsTradingEnabled: false })
  return callerWith(service, (await signInTo(service, reader)).access_token)
}

export type Operation = { id: number; method: Method; path: string; body?: object }

/** Every operation on one app, with a request that succeeds. The app has a redirect URI and a secret. */
export function operationsOn(app: App): Operation[] {
  const at = `/${app.AppKey}`
  const [uris, secrets] = [`${at}/redirecturis`, `${at}/secrets`]
  const [uri, secret] = [`${uris}/${firstUri(app).RedirectUriId}`, `${secrets}/${firstSecret(app).SecretId}`]
  return [
    { id: 12, method: 'GET', path: at },
    { id: 13, method: 'PATCH', path: at, body: { Name: 'B' } },
    { id: 14, method: 'DELETE', path: at },
    { id: 15, method: 'GET', path: uris },
    { id: 16, method: 'POST', path: uris, body: { Uri: 'https://app.example/other' } },
    { id: 17, method: 'GET', path: uri },
    { id: 18, method: 'PATCH', path: uri, body: { Description: 'B' } },
    { id: 19, method: 'DELETE', path: uri },
    { id: 20, method: 'GET', path: secrets },
    { id: 21, method: 'POST', path: secrets, body: oneHour },
    { id: 22, method: 'GET', path: secret },
    { id: 23, method: 'PATCH', path: secret, body: { Regenerate: true } },
    { id: 24, method: 'DELETE', path: secret },
    { id: 25, method: 'GET', path: `/resource${at}` },
  ]
}

/** One hour from now, by a clock that may have moved on since noon. */
export const nextHour = (clock: Clock) => ({
  ValidFrom: clock.now().toString(),
  ValidUntil: clock.now().add({ hours: 1 }).toString(),
})

/** The whole database as text; bytes in hex. */
export async function everyRow(db: Db): Promise<string> {
  const tables = await sql<{ name: string }>`select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public'`.execute(db)
  assert.ok(tables.rows.length > 20)
  const dumps = tables.rows.map(async ({ name }) => {
    const { rows } = await sql<{ row: string }>`select replace(t::text, '\\\\', '\\') as row
      from ${sql.raw(name)} t`.execute(db)
    return rows.map(({ row }) => row).join('\n')
  })
  return (await Promise.all(dumps)).join('\n')
}

/** A secret in plain, base64 and hex, of its characters and of the bytes they encode. */
export function encodingsOf(secret: string): string[] {
  const [letters, bytes] = [Buffer.from(secret), Buffer.from(secret, 'hex')]
  const encoded = [letters, bytes].flatMap((each) => [each.toString('base64').replace(/=+$/, ''), each.toString('hex')])
  return [secret, secret.toUpperCase(), ...encoded, encodeURIComponent(encoded[0] ?? '')]
}
