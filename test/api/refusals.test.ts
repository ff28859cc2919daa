import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setOperator } from '../../src/auth/commands/users.ts'
import { callerWith, firstSecret, firstUri, makeApp, ok, signInTo, unknownKey } from '../support/apps.ts'
import { demoApp } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import {
  examplesOf,
  type Operation,
  readOperations,
  requestTypeOf,
  unknownNames,
  validBodies,
} from '../support/openapi/operations.ts'
import { administer } from '../support/service/postgres.ts'
import { serviceForFile } from '../support/service/service.ts'
import { authorizeUrl, basic, codeRequest, obtainTokens } from '../support/sign-in.ts'

/** Every operation returns the common errors that the API document lists for it. The service of every test checks that the
 *  responses match the document (test/support/openapi/response-check.ts). */
const service = await serviceForFile({
  reference: true,
  env: { RATE_LIMIT_SESSION_MINUTE: '1', RATE_LIMIT_REFDATA_MINUTE: '1' },
})
const { url, baseUrl } = service

const operations = await readOperations(service)
const isBelowBase = ({ address, security }: Operation) => address.startsWith(`${baseUrl}/`) && security?.length !== 0
const those = (status: number, of: (operation: Operation) => boolean = isBelowBase) =>
  operations.filter((each) => of(each) && String(status) in each.responses)

type Ask = {
  token?: string
  named?: Record<string, string>
  query?: string
  headers?: Record<string, string>
  body?: string
}

/** Calls an operation, by default as ada, for an unknown resource and with a valid body. */
async function ask(operation: Operation, more: Ask = {}) {
  const { operationId, method, address } = operation
  const { token = tokens.ada, named = {}, query = '', headers = {} } = more
  const body = more.body ?? (validBodies[operationId] && JSON.stringify(validBodies[operationId]))
  const path = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? unknownNames[name] ?? 'unknown')
  const answer = await fetch(`${path}${query}`, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': requestTypeOf(operation) }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  const code = text.startsWith('{') ? (JSON.parse(text) as { ErrorCode?: string }).ErrorCode : undefined
  return { status: answer.status, code, text: `${method} ${path}: ${answer.status} ${text.slice(0, 300)}` }
}

async function rejectsAll(chosen: Operation[], status: number, code: RegExp, more: (operation: Operation) => Ask) {
  assert.ok(chosen.length > 0)
  for (const operation of chosen) {
    const answer = await ask(operation, more(operation))
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.code ?? '', code, answer.text)
  }
}

const tokens = { ada: '', reader: '' }
/** Identifiers of existing resources. */
const real: Record<string, string> = {}

before(async () => {
  await setOperator(service.node.context, 'ada', true, () => {})
  tokens.ada = (await obtainTokens(url)).access_token
  const call = callerWith(service, tokens.ada)
  const app = await makeApp(call)
  const reader = await makeApp(call, { Name: 'Reader', IsTradingEnabled: false })
  tokens.reader = (await signInTo(service, reader)).access_token
  const events = await ok<{ Data: { EventId: string }[] }>(call('GET', `${baseUrl}/ca/v2/events`))
  Object.assign(real, {
    AppKey: app.AppKey,
    RedirectUriId: firstUri(app).RedirectUriId,
    SecretId: String(firstSecret(app).SecretId),
    EventId: events.Data[0]?.EventId,
  })
})

const isWithBody = (operation: Operation) => isBelowBase(operation) && operation.requestBody !== undefined
/** These return OAuth errors or pages, which other tests check. */
const isSignIn = ({ operationId }: Operation) =>
  ['authorize', 'grantTokens', 'revokeToken', 'introspectToken'].includes(operationId)
const isTagged = (operation: Operation) =>
  isBelowBase(operation) && operation.parameters?.some(({ name }) => name === 'If-Match') === true

test('304: the caller already has the current version', () =>
  rejectsAll(those(304), 304, /^$/, (operation) => ({
    named: { ...examplesOf(operation, 'path'), ...real },
    query: `?${new URLSearchParams(examplesOf(operation, 'query'))}`,
    headers: { 'if-none-match': '*' },
  })))

test('400: an unreadable body, too many query parameters', () =>
  rejectsAll(
    those(400, (operation) => !isSignIn(operation)),
    400,
    /^InvalidRequest$/,
    (operation) => (isWithBody(operation) ? { body: '{' } : { query: `?${'x=1&'.repeat(201)}` }),
  ))

test('401: no token', () => rejectsAll(those(401), 401, /^Unauthorized$/, () => ({ token: '' })))

test('403: a read-only token of a user who is no operator', async () => {
  await setOperator(service.node.context, 'ada', false, () => {})
  // Only some kinds of changes are for operators.
  const needed = ({ operationId }: Operation) => (operationId === 'listChanges' ? { Kinds: 'client' } : {})
  await rejectsAll(those(403), 403, /^RequestNotAllowed$/, (operation) => ({
    token: tokens.reader,
    query: `?${new URLSearchParams({ ...examplesOf(operation, 'query'), ...needed(operation) })}`,
  }))
  await setOperator(service.node.context, 'ada', true, () => {})
})

test('404: an unknown resource', () =>
  rejectsAll(
    those(404, ({ address }) => address.includes('{')),
    404,
    /^(NoResultFound|IllegalInstrumentId|UnavailableSecretId)$/,
    () => ({}),
  ))

test('412: an outdated version', () =>
  rejectsAll(those(412, isTagged), 412, /^PreconditionFailed$/, () => ({
    named: real,
    headers: { 'if-match': '"old"' },
  })))

/** test/api/imports.test.ts sends a body that is too large to import. */
const isSmall = ({ operationId }: Operation) => operationId !== 'createImport'

test('413: a body that is too large', () =>
  rejectsAll(those(413, isWithBody).filter(isSmall), 413, /^InvalidRequest$/, (operation) => ({
    body: JSON.stringify('x'.repeat(requestTypeOf(operation) === 'application/json' ? 70_000 : 1_100_000)),
  })))

test('415: a body of another type', () =>
  rejectsAll(those(415, isWithBody), 415, /^InvalidMediaTypeHeader$/, () => ({
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  })))

test('429: too many requests in a minute', async () => {
  // Forwarded, because loopback is not counted.
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const groupOf = ({ address }: Operation) => address.slice(baseUrl.length).split('/')[1]
  for (const operation of those(429)) {
    const first = those(429).find((each) => each.method === 'GET' && groupOf(each) === groupOf(operation))
    assert.ok(first)
    // Repeated in case a minute ends between the two.
    const answer = await eventually(async () => {
      await ask(first, { headers })
      const second = await ask(operation, { headers })
      return second.status === 429 ? second : undefined
    })
    assert.equal(answer.code, 'RateLimitExceeded', answer.text)
  }
})

const forms = { '/token': 'refresh_token', '/revoke': 'token', '/introspect': 'token' }
const postForms = (authorization: string) =>
  Object.entries(forms).map(async ([path, name]) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', [name]: 'unknown' })
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers: { authorization }, body })
    return [answer.status, ((await answer.json()) as { error: string }).error]
  })

test('429 at the sign-in: too many wrong secrets', async () => {
  const guess = () => Promise.all(postForms(basic(real.AppKey, 'wrong')))
  for (let round = 0; round < 4; round++) await guess()
  for (const [status] of await guess()) assert.equal(status, 429)
})

test('503: an injected fault, and a database that is down', async () => {
  const fault = operations.find(({ operationId }) => operationId === 'putFault')
  assert.ok(fault)
  const asked = await ask(fault, { named: { AppKey: demoApp.AppKey }, body: JSON.stringify({ Kind: 'Unavailable' }) })
  assert.equal(asked.status, 200, asked.text)
  const isExempt = ({ address }: Operation) => /\/x\/v1\/(clock|faults|reset|snapshots)/.test(address)
  // In a batch, a fault affects the parts.
  const isBatch = ({ address }: Operation) => address.endsWith('/batch')
  const affected = those(503, (each) => isBelowBase(each) && !isExempt(each) && !isBatch(each))
  await rejectsAll(affected, 503, /^ServiceUnavailable$/, () => ({}))

  const { connection } = service.database
  const letIn = (isLetIn: boolean) => `alter database ${connection.database} with allow_connections ${isLetIn}`
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${connection.database}'`
  await administer(connection, letIn(false), cut)
  try {
    // The clock is read from memory.
    const exempt = those(503, (each) => isExempt(each) && each.operationId !== 'getClock')
    await rejectsAll(exempt, 503, /^ServiceUnavailable$/, () => ({}))
    assert.equal((await fetch(`${url}/calendar/${unknownKey}.ics`)).status, 503)
    assert.equal((await fetch(authorizeUrl(url, { ...codeRequest, client_id: unknownKey }))).status, 503)
    for (const [status] of await Promise.all(postForms(basic()))) assert.equal(status, 503)
    await eventually(async () => (await fetch(`${url}/health/ready`)).status === 503 || undefined)
  } finally {
    await administer(connection, letIn(true))
  }
})
