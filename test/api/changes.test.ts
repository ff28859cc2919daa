import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setUserDisabled } from '../../src/auth/commands/users.ts'
import { printChanges } from '../../src/data/changes/commands.ts'
import { exporters } from '../../src/data/kinds.ts'
import { runExport } from '../../src/data/run-export.ts'
import { pruneHistory } from '../../src/data/store/prune-history.ts'
import { demoKey } from '../support/demo.ts'
import { type Change, inShort, readChanges } from '../support/http/changes.ts'
import { followStream, until } from '../support/http/live-log.ts'
import { event, exchange, importTexts, instrument, lines, optionRoot, position } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { connection } = service.database
const { db } = service.node.context
const [ada, bo] = await Promise.all(
  ['ada', 'bo'].map(async (user) => (await obtainTokens(service.url, { user })).access_token),
)
await sql`update service_user set is_operator = true where name = 'ada'`.execute(db)
const { client_key: boClient } = await db
  .selectFrom('client')
  .select('client_key')
  .where('client_id', '=', '10002')
  .executeTakeFirstOrThrow()

const load = async (...records: object[]) => {
  const { errors } = await importTexts(connection, { 'f.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
}
const changes = (token: string | undefined, query: Record<string, string> = {}) =>
  readChanges(service.baseUrl, token ?? '', query)
/** The cursor of now. */
const now = async () => (await changes(ada)).Cursor
/** What a user sees after a cursor, in short. */
const since = async (Since: string, token = ada, query: Record<string, string> = {}) =>
  (await changes(token, { Since, ...query })).Data.map(inShort)
const statusOf = async (query: string, token = ada) =>
  getRest(service.baseUrl, `/x/v1/changes?${query}`, token ?? '').then(async (response) => [
    response.status,
    ((await response.json()) as { ErrorCode?: string }).ErrorCode,
  ])

test('a change names the record, what happened and which fields, never values', async () => {
  const start = await now()
  await load(exchange, instrument(1, { As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] }))
  await load(
    instrument(1, { Description: 'Secret', As: [{ AssetType: 'Stock', Symbol: 'X' }, { AssetType: 'CfdOnStock' }] }),
  )
  await load({ kind: 'instrument', Uic: 1, delete: true })

  const { Data, Cursor } = await changes(ada, { Since: start })
  assert.deepEqual(Data.map(inShort), [
    'Added exchange LSE',
    'Added instrument 1',
    'Changed instrument 1: Description,As[Stock]',
    'Removed instrument 1',
  ])
  assert.doesNotMatch(JSON.stringify(Data), /Secret/)
  assert.deepEqual(
    Data.map(({ Revision = 0 }) => Revision - (Data[0]?.Revision ?? 0)),
    [0, 0, 1, 2],
  )
  assert.deepEqual(await since(Cursor), [])
  assert.deepEqual(await since(Data[1]?.Cursor ?? ''), Data.slice(2).map(inShort))
})

test('pages go on where the one before ended, and Kinds selects', async () => {
  const start = await now()
  await load(exchange, instrument(2), instrument(3), event('changes-1', 2))
  const all = await since(start)

  const paged: string[] = []
  let next: string | undefined = `${service.baseUrl}/x/v1/changes?Since=${start}&$top=1`
  while (next !== undefined) {
    const response = await fetch(next, { headers: { authorization: `Bearer ${ada}` } })
    const page = (await response.json()) as { Data: Parameters<typeof inShort>[0][]; __next?: string }
    paged.push(...page.Data.map(inShort))
    next = page.__next
  }
  assert.deepEqual(paged, all)
  assert.deepEqual(await since(start, ada, { Kinds: 'event,exchange' }), ['Added event changes-1'])
})

test('callers see what their rights show, and other kinds only operators', async () => {
  const start = await now()
  const [stock, cfd] = [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }]
  await load(instrument(4, { As: [cfd] }), instrument(5, { As: [stock, cfd] }), optionRoot(7, [70]))
  await load(instrument(4, { As: [stock] }), instrument(5, { As: [stock, { ...cfd, Symbol: 'C' }] }))
  await load(instrument(4, { As: [cfd] }))
  await load(position(demoKey('account 9226397'), 5, 10))

  assert.deepEqual(await since(start, bo), ['Added instrument 5', 'Added instrument 4', 'Removed instrument 4'])
  assert.ok((await since(start)).includes(`Added position ${demoKey('account 9226397')} 5 Stock`))
  assert.deepEqual(await statusOf('Kinds=position', bo), [403, 'RequestNotAllowed'])
  assert.deepEqual(await statusOf('Kinds=nothing', bo), [400, 'InvalidModelState'])
})

test('events are seen by what the client holds, and change with it', async () => {
  const account = demoKey('account 9300101')
  await load(instrument(6), event('changes-2', 6))
  const start = await now()
  await load(event('changes-2', 6, { CorporateActionType: 'Voluntary' }))
  await load(position(account, 6, 10))
  await load(event('changes-2', 6, { CorporateActionType: 'Mandatory' }))
  const held = await since(start, bo, { Kinds: 'event' })
  await load({ kind: 'position', AccountKey: account, Uic: 6, AssetType: 'Stock', delete: true })

  assert.deepEqual(
    held.slice(1).map((each) => each.replace(/: (Corp).*/, '')),
    ['Changed event changes-2: Holdings', 'Changed event changes-2'],
  )
  assert.deepEqual((await since(start, bo, { Kinds: 'event' })).at(-1), 'Removed event changes-2')
})

test('a change of rights adds and removes what becomes visible and invisible', async () => {
  await load(instrument(8, { As: [{ AssetType: 'Etf' }] }), instrument(9, { As: [{ AssetType: 'Etf' }] }))
  const start = await now()
  await load({ kind: 'accessRight', ClientKey: boClient, AssetTypes: ['Etf'], Level: 'View' })
  const granted = await since(start, bo)
  const page = await changes(bo, { Since: start, $top: '1' })
  const rest = await since(page.Cursor, bo)
  const middle = await now()
  await load({ kind: 'accessRight', ClientKey: boClient, AssetTypes: ['Etf'], Level: 'View', delete: true })

  assert.deepEqual(granted, ['Added instrument 8', 'Added instrument 9'])
  assert.deepEqual([...page.Data.map(inShort), ...rest], granted, 'also in pages')
  assert.deepEqual(await since(middle, bo), ['Removed instrument 8', 'Removed instrument 9'])
  assert.deepEqual(await since(start, ada), [
    `Changed accessRight ${boClient}: AccessRights`,
    `Changed accessRight ${boClient}: AccessRights`,
  ])
})

test('more than 1,000 records that a change of rights shows are one change: read again', async () => {
  const many = Array.from({ length: 1_001 }, (_, index) => instrument(20_000 + index, { As: [{ AssetType: 'Bond' }] }))
  await load(...many)
  const start = await now()
  await load({ kind: 'accessRight', ClientKey: boClient, AssetTypes: ['Bond'], Level: 'View' })

  assert.deepEqual(await since(start, bo), [`Changed accessRight ${boClient}: AccessRights`])
})

const follow = (query: string, token = ada, headers: Record<string, string> = {}) =>
  followStream(`${service.baseUrl}/x/v1/changes?${query}`, token ?? '', { accept: 'text/event-stream', ...headers })
const sentIn = ({ text }: { text: string }) =>
  [...text.matchAll(/^event: change\ndata: (.+)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Change)

test('a stream sends changes as they come, with those after Last-Event-ID first, by rights and kinds', async () => {
  const start = await now()
  await load(instrument(13))
  const [all, events, hidden] = [
    follow(`Since=${start}`),
    follow(`Since=${start}&Kinds=event`),
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

test('an export has the cursor of its data', async () => {
  const text: string[] = []
  const { cursor } = await runExport(connection, exporters, async (records) => {
    for await (const line of records) {
      // After the snapshot was taken.
      if (text.push(line) === 1) await load(instrument(10))
    }
  })
  assert.doesNotMatch(text.join(''), /"Uic":10,/)
  assert.deepEqual(await since(cursor), ['Added instrument 10'])
})

test('a cursor that is too old, from another history or lost is 410, and what is none 400', async () => {
  const start = await now()
  const [identity = '', seq = '', check = ''] = start.split('.')
  await load(instrument(11))

  for (const [what, cursor] of Object.entries({
    'another history': `${identity.replace(/^./, (first) => (first === '0' ? '1' : '0'))}.${seq}.${check}`,
    'of the future': `${identity}.zzzz.${check}`,
    'lost in a failover': `${identity}.${seq}.${check.startsWith('0') ? '1' : '0'}${check.slice(1)}`,
  }))
    assert.deepEqual(await statusOf(`Since=${cursor}`), [410, 'CursorExpired'], what)
  assert.deepEqual(await statusOf('Since=nothing'), [400, 'InvalidModelState'])
  await load(instrument(12))
  await pruneHistory(db, 0)
  assert.deepEqual(await statusOf(`Since=${start}`), [410, 'CursorExpired'], 'pruned')
  assert.deepEqual(await since(await now()), [])
})
