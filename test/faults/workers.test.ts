import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hashPassword } from '../../src/core/crypto/passwords.ts'
import { demoPassword } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { exchange, importTexts, instrument, lines } from '../support/service/import.ts'
import { testDatabase, usersTemplate } from '../support/service/postgres.ts'
import {
  answeredAtFirst,
  childrenOf,
  databaseUrl,
  failedStart,
  manyReadyToSignIn,
  projectFolder,
  startProcess,
} from '../support/service/process.ts'
import { basic, obtainTokens } from '../support/sign-in.ts'
import { query } from './embedded-support.ts'

const database = await testDatabase(usersTemplate)
after(() => database.drop())
// The template's hash is cheap. With the real one sign-ins are still under way when the first is answered.
await query(database, `update service_user set password_hash = '${await hashPassword(demoPassword)}'`)
const env = { DATABASE_URL: databaseUrl(database.connection), MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const preload = join(projectFolder, 'test', 'faults', 'failing-worker.ts')
const service = await startProcess({
  ...{ ...env, WORKERS: '2' },
  NODE_OPTIONS: `--import=${preload} --max-old-space-size=256`,
})

/** Calls on a new connection; returns the status and the node that responded, from the end of X-Correlation. */
async function call(token: string, path = '/port/v1/users/me') {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  const answer = await fetch(`${service.baseUrl}${path}`, { headers })
  const body = (await answer.json().catch(() => ({}))) as { Description?: string; Revision?: number } & Partial<Rows>
  return { status: answer.status, body, node: answer.headers.get('x-correlation')?.split('#').at(-1) ?? '' }
}

const calls = (token: string, path?: string, count = 20) =>
  Promise.all(Array.from({ length: count }, () => call(token, path)))
const nodesOf = (answers: readonly { node: string }[]) => new Set(answers.map(({ node }) => node))

/** Calls at once while a test waits: enough to meet both workers soon. */
const whileWaiting = 6

/** Resolves when an instrument has this description on both workers. */
async function servedByBoth(uic: number, description: string): Promise<void> {
  await eventually(async () => {
    const answers = await calls(service.token, `/ref/v1/instruments/details/${uic}/Stock`, whileWaiting)
    return (nodesOf(answers).size === 2 && answers.every(({ body }) => body.Description === description)) || undefined
  })
}

test('WORKERS=2 serves with two threads of one process on one port and prints one start message', async () => {
  const answers = await calls(service.token)
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(nodesOf(answers).size, 2)
  assert.deepEqual(await childrenOf(service.pid), [])
  assert.equal(service.message.match(/is ready\./g)?.length, 1)
})

test('every worker rejects a token that another has revoked', async () => {
  const tokens = await obtainTokens(service.url)
  assert.ok((await calls(tokens.access_token)).every(({ status }) => status === 200))
  const revoked = await fetch(`${service.url}/revoke`, {
    method: 'POST',
    headers: { authorization: basic() },
    body: new URLSearchParams({ token: tokens.refresh_token }),
  })
  assert.equal(revoked.status, 200)
  await eventually(async () => (await calls(tokens.access_token)).every(({ status }) => status === 401) || undefined)
})

test('every worker serves imported data, and none reports a revision that it does not serve', async () => {
  const record = { ...instrument(1), Description: 'First' }
  await importTexts(database.connection, { 'first.ndjson': lines(exchange, record) })
  await servedByBoth(1, 'First')
  const revisions = new Map(
    (await calls(service.token, '/x/v1/revision')).map(({ node, body }) => [node, body.Revision]),
  )
  assert.equal(new Set(revisions.values()).size, 1)

  await importTexts(database.connection, { 'second.ndjson': lines({ ...record, Description: 'Second' }) })

  // Once a worker has reported the new revision, it serves the new record.
  const [old = 0] = revisions.values()
  const renewed = new Set<string>()
  await eventually(async () => {
    for (const { node, body } of await calls(service.token, '/x/v1/revision'))
      if ((body.Revision ?? 0) > old) renewed.add(node)
    for (const { node, body } of await calls(service.token, '/ref/v1/instruments/details/1/Stock'))
      if (renewed.has(node)) assert.equal(body.Description, 'Second')
    return renewed.size === 2 || undefined
  })
})

test('every worker answers as of a moment', async () => {
  const record = { ...instrument(2), Description: 'Before' }
  await importTexts(database.connection, { 'before.ndjson': lines(exchange, record) })
  await servedByBoth(2, 'Before')
  const { body } = await call(service.token, '/x/v1/revision')
  await importTexts(database.connection, { 'after.ndjson': lines({ ...record, Description: 'After' }) })
  await servedByBoth(2, 'After')

  const answers = await calls(service.token, `/ref/v1/instruments/details/2/Stock?AsOf=${body.Revision}`)
  assert.equal(nodesOf(answers).size, 2)
  assert.deepEqual(new Set(answers.map((answer) => answer.body.Description)), new Set(['Before']))
})

/** From /metrics, on a new connection. */
async function revisionReads(): Promise<number> {
  const answer = await fetch(`${service.url}/metrics`, { headers: { connection: 'close' } })
  const lines = (await answer.text()).split('\n').filter((line) => line.includes('/x/v1/revision"'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

test('/metrics counts the responses of all workers, whichever answers', async () => {
  const before = await revisionReads()
  const answers = await calls(service.token, '/x/v1/revision')
  assert.equal(nodesOf(answers).size, 2)
  const all = before + answers.length
  // A busy worker may answer a scrape too late for it to count there; none is ever counted twice.
  const isWhole = async () => {
    const reads = await revisionReads()
    assert.ok(reads <= all, `${reads} of ${all}`)
    return reads === all || undefined
  }
  for (let count = 0; count < 10; count++) await eventually(isWhole)
})

type Rows = { Data: { RequestId: string }[] }

/** Requests with ids of their own, answered by both workers. */
async function callBoth(token: string, name: string): Promise<string[]> {
  const ids: string[] = []
  const nodes = new Set<string>()
  while (nodes.size < 2 || ids.length < whileWaiting) {
    const id = `${name}-${ids.length}`
    const headers = { authorization: `Bearer ${token}`, connection: 'close', 'x-request-id': id }
    const { headers: sent } = await fetch(`${service.baseUrl}/port/v1/users/me`, { headers })
    nodes.add(sent.get('x-correlation')?.split('#').at(-1) ?? '')
    ids.push(id)
  }
  return ids.sort()
}

test('the request log has the requests of all workers, each once, whichever answers; an operator sees all clients', async () => {
  const { access_token: bo } = await obtainTokens(service.url, { user: 'bo' })
  const live = { text: '' }
  const closing = new AbortController()
  const headers = { authorization: `Bearer ${service.token}` }
  const stream = await fetch(`${service.baseUrl}/x/v1/requests/stream`, { headers, signal: closing.signal })
  const reading = (async () => {
    for await (const part of stream.body ?? []) live.text += Buffer.from(part).toString()
  })().catch(() => undefined)

  const [own, foreign] = [await callBoth(service.token, 'of-ada'), await callBoth(bo, 'of-bo')]
  const listed = async (prefix: string) => {
    const { body } = await call(service.token, '/x/v1/requests?$top=200')
    return (body as Rows).Data.map(({ RequestId }) => RequestId).filter((id) => id.startsWith(prefix))
  }
  for (let count = 0; count < whileWaiting; count++) {
    await eventually(async () => (await listed('of-ada')).length >= own.length || undefined)
    assert.deepEqual((await listed('of-ada')).sort(), own)
    assert.deepEqual(await listed('of-bo'), [])
  }
  const sent = () => [...live.text.matchAll(/"RequestId":"(of-[^"]+)"/g)].map(([, id]) => id)
  await eventually(async () => sent().length >= own.length || undefined)
  assert.deepEqual(sent().sort(), own)
  closing.abort()
  await reading

  await query(database, "update service_user set is_operator = true where name = 'ada'")
  await eventually(async () => (await listed('of-bo')).length >= foreign.length || undefined)
  assert.deepEqual((await listed('of-bo')).sort(), foreign)
})

test('workers do not join the port of another service', async () => {
  const { port } = new URL(service.url)
  const { code, stderr } = await failedStart({ ...env, WORKERS: '2', PORT: port })
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(`^Port ${port} is in use\\. Stop the other process`, 'm'))
})

for (const [what, signal, reason] of [
  ['throws', 'SIGUSR2', /thrown by a test/],
  ['runs out of memory', 'SIGWINCH', /ERR_WORKER_OUT_OF_MEMORY/],
] as const)
  test(`a worker that ${what} is replaced, the other serves meanwhile, and the new one has the current data`, async () => {
    const before = nodesOf(await calls(service.token))
    const from = service.stderr().length
    service.kill(signal)
    const since = () => service.stderr().slice(from)
    await eventually(async () => since().includes('a worker exited and is being replaced') || undefined)
    assert.match(since(), reason)
    assert.ok((await calls(service.token)).every(({ status }) => status === 200))
    const now = await eventually(async () => {
      const nodes = nodesOf(await calls(service.token, undefined, whileWaiting))
      return nodes.size === 2 ? nodes : undefined
    })
    assert.equal(now.intersection(before).size, 1)
    await servedByBoth(1, 'Second')
  })

test('SIGTERM drains every worker: open requests are answered, the process ends, the exit code is 0', async () => {
  const senders = await manyReadyToSignIn(service.url, 20)
  const answers = senders.map((send) => send())
  assert.ok((await answeredAtFirst(answers)) < answers.length, 'no sign-in was open')
  service.kill('SIGTERM')
  for (const answer of await Promise.all(answers)) assert.match(answer.headers.get('location') ?? '', /[?&]code=/)
  const { code, stdout, stderr } = await service.ended
  assert.equal(code, 0)
  assert.equal(stdout, service.message)
  // Whole lines, and none is missing.
  const logged = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { method?: string; route?: string })
  const signIns = logged.filter(({ method, route }) => method === 'POST' && route === '/login')
  assert.ok(signIns.length >= answers.length, `${signIns.length} of ${answers.length} are in the log`)
})
