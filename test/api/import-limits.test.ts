import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { setOperator } from '../../src/auth/commands/users.ts'
import { consoleCookie } from '../support/browser/console-cookie.ts'
import { eventually } from '../support/eventually.ts'
import { importClient } from '../support/http/import-client.ts'
import { lines } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl, node } = service
const { db } = node.context
for (const name of ['ada', 'bo']) await setOperator(node.context, name, true, () => {})
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token

const path = `${baseUrl}/x/v1/imports`
const { send, sendAndCheck } = importClient(path, ada)

const exchange = (id: string, more: object = {}) => ({
  ...{ kind: 'exchange', ExchangeId: id, Name: id, CountryCode: 'DK', TimeZone: 'Europe/Copenhagen', Hours: [] },
  ...more,
})

test('an upload stands for at most 300,000 records, counting those of Repeat', async () => {
  const many = Array.from({ length: 31 }, (_, line) => {
    const Repeat = { Count: 10_000, From: line * 10_000 }
    return { kind: 'exchange', Repeat, ExchangeId: 'R{n}', delete: true }
  })

  const { State, Message = '' } = await sendAndCheck({ 'many.ndjson': lines(...many) })

  assert.equal(State, 'Uploaded')
  assert.match(
    Message,
    /^The files expand to more than 300,000 records or 512 MB, counting those of Repeat and Terms\./,
  )
  assert.match(Message, /refdesk import FILE/)
})

test('a table with a header of three million cells is refused with one sentence', async () => {
  const { Errors } = await sendAndCheck({ 'wide.csv.gz': Buffer.from(gzipSync(`Uic${',C'.repeat(3_000_000)}\n`)) })

  assert.deepEqual(Errors, ['wide.csv.gz:1: The header has 3000001 columns. It may have at most 200.'])
})

test('more than 32 MB is 413 before it is read, and names the command line', async () => {
  const headers = { authorization: `Bearer ${ada}`, 'content-type': 'multipart/form-data; boundary=x' }
  const sent = httpRequest(path, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(33 * 1024 * 1024) },
  })
  const text = await new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      assert.equal(response.statusCode, 413)
      response.setEncoding('utf8').once('data', resolve)
    })
    sent.flushHeaders()
  })
  sent.destroy()
  assert.match(text, /refdesk import FILE/)
})

test('senders who leave while they are checked keep no place of others', async () => {
  const waiting = () =>
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%"is_operator"%'`.execute(db)
  const headers = { authorization: `Bearer ${ada}`, 'content-type': 'multipart/form-data; boundary=x' }
  await db.transaction().execute(async (trx) => {
    await sql`lock table service_user in access exclusive mode`.execute(trx)
    const closed: Promise<unknown>[] = []
    const noteClose = (socket: Socket) => closed.push(once(socket, 'close'))
    node.server.server.on('connection', noteClose)
    const senders = [1, 2].map(() => httpRequest(path, { method: 'POST', headers, agent: false }))
    for (const sender of senders) sender.on('error', () => {}).flushHeaders()
    await eventually(async () => ((await waiting()).rows.length === 2 ? true : undefined))
    node.server.server.off('connection', noteClose)
    for (const sender of senders) sender.destroy()
    await Promise.all(closed)
  })
  await eventually(async () => ((await waiting()).rows.length === 0 ? true : undefined))

  assert.equal((await send({ 'after.ndjson': lines(exchange('UPJ')) })).status, 201)
})

const page = `${url}/console/operators/import`
const multipart = { 'content-type': 'multipart/form-data; boundary=x' }

/** Sends the head of a request whose body never comes. */
function begin(address: string, headers: object) {
  const sent = httpRequest(address, { method: 'POST', headers: { ...multipart, ...headers }, agent: false })
  sent.on('error', () => {}).flushHeaders()
  const answer = once(sent, 'response').then(async ([response]) => {
    const text = (await Array.fromAsync(response as AsyncIterable<Buffer>)).join('')
    return { status: response.statusCode as number, text }
  })
  answer.catch(() => {})
  return { answer, leave: () => sent.destroy() }
}

test('the API and the console take two uploads at once together, and refuse another before they read it', async () => {
  const api = { authorization: `Bearer ${ada}` }
  const { cookie, formToken } = await consoleCookie(service, 'ada', true)
  const senders = [begin(path, api), begin(page, { cookie })]
  const refusedBy = async (address: string, headers: object) => {
    const { answer, leave } = begin(address, headers)
    const { status, text } = await answer
    leave()
    return [status, /Other uploads are in progress|Try again in 5 seconds/.test(text)]
  }

  await eventually(async () => (node.imports.uploads.count === 2 ? true : undefined))
  assert.deepEqual(await refusedBy(path, api), [429, true])
  assert.deepEqual(await refusedBy(page, { cookie }), [429, true])

  for (const { leave } of senders) leave()
  await eventually(async () => (node.imports.uploads.count === 0 ? true : undefined))
  const form = new FormData()
  form.append('form_token', formToken)
  form.append('File', new Blob([lines(exchange('UPK'))]), 'console.ndjson')
  const sent = await fetch(page, { method: 'POST', headers: { cookie }, body: form, redirect: 'manual' })
  assert.equal(sent.status, 303)
})

test('the console refuses files of a session that has ended before it reads them', async () => {
  const former = await consoleCookie(service, 'cy', true)
  const { cookie } = await consoleCookie(service, 'bo', true)
  const signOut = { method: 'DELETE', headers: { authorization: `Bearer ${bo}` } }
  assert.equal((await fetch(`${baseUrl}/x/v1/sessions`, signOut)).status, 204)

  for (const each of [former.cookie, cookie]) {
    const { answer, leave } = begin(page, { cookie: each })
    const { status, text } = await answer
    leave()
    assert.equal(status, 403)
    assert.match(text, /Only operators may import\. If you are one, sign in again\./)
  }
})
