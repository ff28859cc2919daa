import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUserDisabled } from '../../src/auth/commands/users.ts'
import { createClient, RefdeskError } from '../../src/client/index.ts'
import { printChanges } from '../../src/data/changes/commands.ts'
import { type Change, feedOf, inShort } from '../support/http/changes.ts'
import { followStream, until } from '../support/http/live-log.ts'
import { event, exchange, instrument } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { db } = service.node.context
const { ada, bo, load, now } = await feedOf(service)
await load(exchange)

const follow = (query: string, token = ada, headers: Record<string, string> = {}) =>
  followStream(`${service.baseUrl}/x/v1/changes?${query}`, token, { accept: 'text/event-stream', ...headers })
const sentIn = ({ text }: { text: string }) =>
  [...text.matchAll(/^event: change\ndata: (.+)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Change)

test('a stream sends changes as they come, with those after Last-Event-ID first, by rights and kinds', async () => {
  const start = await now()
  await load(instrument(13))
  const [all, events, hidden] = [
    follow(`Since=${start}`),
    // An empty Last-Event-ID is none.
    follow(`Since=${start}&Kinds=event`, ada, { 'last-event-id': '' }),
    follow('Kinds=instrument', bo),
  ]
  await until(() => [all, events, hidden].every(({ text }) => /^id: /m.test(text)))
  await load(instrument(14, { As: [{ AssetType: 'CfdOnStock' }] }), event('changes-3', 13))
  await until(() => sentIn(all).length === 3 && sentIn(events).length === 1)
  await load(instrument(15))
  await until(() => sentIn(hidden).length > 0)

  const expected = ['Added instrument 13', 'Added instrument 14', 'Added event changes-3']
  assert.deepEqual(sentIn(all).slice(0, 3).map(inShort), expected)
  assert.deepEqual(sentIn(hidden).map(inShort), ['Added instrument 15'])
  const [first] = sentIn(all)
  const resumed = follow(`Since=${start}`, ada, { 'last-event-id': first?.Cursor ?? '' })
  await until(() => sentIn(resumed).length >= 2)
  assert.deepEqual(sentIn(resumed).slice(0, 2).map(inShort), expected.slice(1))
  for (const each of [all, events, hidden, resumed]) each.close()
})

test('an error names what was sent: Since, Last-Event-ID or --since', async () => {
  const errorOf = async (query: string, headers: Record<string, string> = {}) => {
    const accept = 'text/event-stream'
    const path = `${service.baseUrl}/x/v1/changes?${query}`
    const response = await fetch(path, { headers: { authorization: `Bearer ${ada}`, accept, ...headers } })
    return ((await response.json()) as { ModelState?: Record<string, string[]> }).ModelState
  }
  assert.match(String((await errorOf('Since=garbage'))?.Since), /^Must be a cursor .* Without Since you/)
  const start = await now()
  const ofHeader = await errorOf(`Since=${start}`, { 'last-event-id': 'garbage' })
  assert.deepEqual(Object.keys(ofHeader ?? {}), ['Last-Event-ID'])
  assert.match(String(ofHeader?.['Last-Event-ID']), /^Must be a cursor of this service/)
  const { feed } = service.node.context
  const target = { db, feed, signal: AbortSignal.timeout(60_000), say: () => {}, complain: () => {} }
  await assert.rejects(printChanges({ since: 'garbage' }, target), (error: { modelState?: object }) => {
    assert.match(String(Object.values(error.modelState ?? {})), /^Must be a cursor .* Without --since you/)
    return true
  })
})

test('a stream with a cursor of another history is 410, a fifth one 409, and one in a batch 400', async () => {
  const expired = follow(`Since=${'0'.repeat(16)}.1.0`)
  await until(() => expired.hasEnded)
  assert.equal(expired.status, 410)
  const open = [1, 2, 3, 4].map(() => follow(''))
  await until(() => open.every(({ text }) => text !== ''))
  const fifth = follow('')
  await until(() => fifth.hasEnded)
  assert.equal(fifth.status, 409)
  for (const each of open) each.close()
  const body = ['--b', 'Content-Type: application/http', '', 'GET /sim/openapi/x/v1/changes HTTP/1.1']
  const batch = await fetch(`${service.baseUrl}/x/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada}`, 'content-type': 'multipart/mixed; boundary=b' },
    body: [...body, 'Accept: text/event-stream', '', '', '--b--', ''].join('\r\n'),
  })
  assert.match(await batch.text(), /HTTP\/1.1 400/)
})

test('a stream ends with its session', async () => {
  const { access_token: token } = await obtainTokens(service.url, { user: 'cy' })
  const own = follow('', token)
  await until(() => own.text !== '')
  await setUserDisabled(service.node.context, 'cy', true, () => {})
  await until(() => own.hasEnded)
  assert.match(own.text, /event: end\ndata: {"Reason":"signed out"}/)
})

test('refdesk changes prints changes of all kinds, and waits for more', async () => {
  const printed: string[] = []
  const stopping = new AbortController()
  const start = await now()
  await load(instrument(16))
  const target = {
    db,
    feed: service.node.context.feed,
    signal: stopping.signal,
    say: (line: string) => printed.push(line),
  }
  const running = printChanges({ since: start, follow: true }, { ...target, complain: () => {} })
  await until(() => printed.length === 1)
  await load(instrument(16, { Description: 'Other' }))
  await until(() => printed.length === 2)
  stopping.abort()

  assert.equal(await running, 0)
  assert.match(printed[0] ?? '', /^\d{4}-\d\d-\d\dT[\d:]+Z {2}Added {4}instrument 16$/)
  assert.match(printed[1] ?? '', / {2}Changed {2}instrument 16: Description$/)
  await assert.rejects(
    printChanges({ since: `${'0'.repeat(16)}.1.0` }, { ...target, complain: () => {} }),
    /Make a new copy/,
  )
})

test('the client follows changes across lost connections: each once and in order', async () => {
  const start = await now()
  const seen: string[] = []
  const stopping = new AbortController()
  let connections = 0
  const client = createClient({
    baseUrl: service.baseUrl,
    token: ada,
    // Each connection is lost after its first change.
    fetch: async (address, init) => {
      connections += 1
      const response = await fetch(address, init)
      let text = ''
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          controller.enqueue(part)
          text += Buffer.from(part).toString()
          if (/^event: change$/m.test(text)) controller.error(new Error('lost'))
        },
      })
      return new Response(response.body?.pipeThrough(cut), response)
    },
  })
  const following = (async () => {
    for await (const change of client.changes({ since: start, kinds: ['instrument'], signal: stopping.signal }))
      seen.push(`${change.Change} ${change.Id}`)
  })().catch((error: unknown) => error)
  for (const uic of [21, 22, 23]) await load(instrument(uic))
  await until(() => seen.length === 3)
  stopping.abort(new Error('enough'))

  assert.equal(((await following) as Error).message, 'enough')
  assert.deepEqual(seen, ['Added 21', 'Added 22', 'Added 23'])
  assert.ok(connections >= 2, String(connections))
})

test('the client reports an expired or an empty cursor instead of connecting again', async () => {
  const client = createClient({ baseUrl: service.baseUrl, token: ada })
  const errorOf = async (since: string) => {
    const error = await client
      .changes({ since, signal: AbortSignal.timeout(60_000) })
      .next()
      .catch((reason: unknown) => reason)
    assert.ok(error instanceof RefdeskError)
    return [error.status, error.code]
  }
  assert.deepEqual(await errorOf(`${'0'.repeat(16)}.1.0`), [410, 'CursorExpired'])
  assert.deepEqual(await errorOf(''), [400, 'InvalidModelState'])
})
