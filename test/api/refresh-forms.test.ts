import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { holdGracePeriod } from '../support/database/spent-tokens.ts'
import { demoApp, demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { allowConnections } from '../support/service/postgres.ts'
import { serviceForFile } from '../support/service/service.ts'
import { Browser, basic, obtainTokens, refresh, type TokenBody } from '../support/sign-in.ts'

const service = await serviceForFile({})
const { server, context } = service.node
const { port } = new URL(service.url)
const browser = new Browser()
await holdGracePeriod(context.db)

/** A refresh token that this node has issued for another one, as all but the first of a session. */
async function issuedToken(): Promise<string> {
  const { refresh_token } = await obtainTokens(service.url, { browser })
  return (await refresh(service.url, refresh_token)).body.refresh_token
}

type Sent = Readonly<{
  path?: string
  headers?: Readonly<Record<string, string>>
  form: Record<string, string> | string
}>

let count = 0

function bytesOf({ path = '/token', headers, form }: Sent, id: string, last = true): { head: string; body: string } {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  const all: Record<string, string> = {
    host: 'localhost',
    authorization: basic(),
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
    'x-request-id': id,
    ...(last && { connection: 'close' }),
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : `${name}: ${value}\r\n`))
  return { head: `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, body }
}

type Answer = Readonly<{ status: number; head: string[]; body: TokenBody }>

function parse(response: string): Answer {
  const end = response.indexOf('\r\n\r\n')
  const [status = '', ...headers] = response.slice(0, end).split('\r\n')
  const bytes = Buffer.from(response.slice(end + 4), 'latin1')
  const isCompressed = headers.some((line) => /^content-encoding: gzip$/i.test(line))
  const parsed = JSON.parse((isCompressed ? gunzipSync(bytes) : bytes).toString()) as TokenBody
  for (const token of [parsed.access_token, parsed.refresh_token]) if (token) noteSecret('token', token)
  return { status: Number(status.split(' ')[1]), head: headers, body: parsed }
}

const open = (): Socket => connect(Number(port), 'localhost').setNoDelay(true).setEncoding('latin1')

/** Sends the head and the body at once, or the body when the head has been read. */
async function send(sent: Sent, inParts = false): Promise<Answer> {
  const id = `refresh-${++count}`
  const { head, body } = bytesOf(sent, id)
  const socket = open()
  const received = text(socket)
  if (inParts) {
    const read = new Promise((resolve) => server.server.once('request', resolve))
    socket.write(head)
    await read
    for (let turns = 0; turns < 3; turns++) await setImmediate()
    socket.write(body)
  } else socket.write(`${head}${body}`)
  return parse(await received)
}

const grant = (refresh_token: string, more: Record<string, string> = {}) => ({
  ...{ grant_type: 'refresh_token', refresh_token },
  ...more,
})

const inForm = { client_id: demoApp.AppKey, client_secret: demoApp.Secret }
const requests: Record<string, (token: string) => Sent> = {
  'with Basic credentials': (token) => ({ form: grant(token) }),
  'with the secret in the form': (token) => ({ form: grant(token, inForm), headers: { authorization: '' } }),
  'with everything that may be sent': (token) => ({ form: grant(token, { redirect_uri: demoRedirectUri, x: 'é' }) }),
  'with a charset': (token) => ({
    form: grant(token),
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
  }),
  'with a compressed response': (token) => ({ form: grant(token), headers: { 'accept-encoding': 'gzip' } }),
}

for (const [name, make] of Object.entries(requests))
  test(`a refresh is accepted ${name}`, async () => {
    const { status, body } = await send(make(await issuedToken()))

    assert.deepEqual([status, body.token_type], [200, 'Bearer'])
    assert.match(body.refresh_token, /^[0-9a-f]{8}-/)
  })

test('the new tokens work, and the old one has been spent', async () => {
  const token = await issuedToken()
  const { body } = await send({ form: grant(token) })
  const again = await send({ form: grant(token) })
  const next = await send({ form: grant(body.refresh_token) })

  assert.deepEqual([again.status, again.body], [200, body])
  assert.equal(next.status, 200)
})

test('of concurrent refreshes of one token one rotates it, and all get its response', async () => {
  const token = await issuedToken()
  const answers = await Promise.all(Array.from({ length: 8 }, () => send({ form: grant(token) })))

  assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size, 1)
  assert.equal(answers[0]?.status, 200)
})

test('each unusual request gets its own status', async () => {
  const first = await obtainTokens(service.url, { browser })
  const form = grant('00000000-0000-0000-0000-000000000000')
  const token = await issuedToken()
  const own = grant(token)
  const type = (value: string) => ({ 'content-type': value })
  const unusual: Record<string, readonly [Sent, number]> = {
    'an unknown token': [{ form }, 400],
    'a token that came with a code': [{ form: grant(first.refresh_token) }, 200],
    'a repeated parameter': [{ form: `${new URLSearchParams(own)}&refresh_token=x` }, 400],
    'another redirect_uri': [{ form: { ...own, redirect_uri: 'http://localhost/x' } }, 400],
    'another grant': [{ form: { ...own, grant_type: 'x' } }, 400],
    'a resource': [{ form: { ...own, resource: 'http://localhost/x' } }, 400],
    'a wrong secret': [{ form: own, headers: { authorization: basic(demoApp.AppKey, 'x') } }, 401],
    'no credentials': [{ form: own, headers: { authorization: '' } }, 401],
    'a page of another origin': [{ form, headers: { origin: 'http://localhost:5000' } }, 400],
    'a method override': [{ form: own, headers: { 'x-http-method-override': 'PUT' } }, 405],
    'another type': [{ form: own, headers: type('text/plain') }, 400],
    'another charset': [{ form, headers: type('application/x-www-form-urlencoded; charset=x') }, 400],
    'an empty body': [{ form: '' }, 400],
    'a long body': [{ form: { ...form, x: 'x'.repeat(5_000) } }, 400],
    'a query': [{ form, path: '/token?x=1' }, 400],
  }
  for (const [name, [sent, status]] of Object.entries(unusual)) {
    assert.equal((await send(sent)).status, status, name)
  }
  const chunked = { 'content-length': '', 'transfer-encoding': 'chunked' }
  const chunks = `${new URLSearchParams(form)}`
  const inChunks = await send({ form: `${chunks.length.toString(16)}\r\n${chunks}\r\n0\r\n\r\n`, headers: chunked })
  assert.equal(inChunks.status, 400, 'chunks')
  const late = await send({ form: own }, true)
  assert.equal(late.status, 200, 'a body that arrives after its head')
  await eventually(async () => server.requestsInFlight === 0 || undefined, 'all requests have left')
})

test('refreshes in a pipeline are answered in order', async () => {
  const tokens = [await issuedToken(), await issuedToken(), 'unknown']
  const ids = tokens.map(() => `refresh-${++count}`)
  const socket = open()
  const received = text(socket)
  const bytes = tokens.map((token, at) => bytesOf({ form: grant(token) }, ids[at] as string, at === 2))
  socket.write(bytes.map(({ head, body }) => `${head}${body}`).join(''))
  const responses = (await received).split(/(?=HTTP\/1\.1 )/)

  assert.equal(responses.length, 3)
  const answers = responses.map(parse)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400],
  )
  answers.forEach(({ head }, at) => {
    assert.ok(head.some((line) => line.toLowerCase() === `x-request-id: ${ids[at]}`))
  })
})

test('an outage during a rotation is answered with 503, and the token can be used afterwards', async () => {
  const token = await issuedToken()
  const { connection } = service.database
  await allowConnections(connection, false)
  const away = await send({ form: grant(token) })
  await allowConnections(connection, true)

  assert.deepEqual([away.status, away.body.error], [503, 'temporarily_unavailable'])
  assert.ok(away.head.some((line) => /^retry-after: [1-9]/i.test(line)))
  assert.equal((await send({ form: grant(token) })).status, 200)
})
