import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exporters } from '../../src/data/kinds.ts'
import { runExport } from '../../src/data/run-export.ts'
import { pruneHistory } from '../../src/data/store/prune-history.ts'
import { demoKey } from '../support/demo.ts'
import { feedOf, inShort } from '../support/http/changes.ts'
import { event, exchange, importTexts, instrument, lines, optionRoot, position } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest } from '../support/sign-in.ts'

const service = await serviceForFile()
const { connection } = service.database
const { db } = service.node.context
const { ada, bo, load, changes, now, since, statusOf } = await feedOf(service)
const { client_key: boClient } = await db
  .selectFrom('client')
  .select('client_key')
  .where('client_id', '=', '10002')
  .executeTakeFirstOrThrow()

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

test('a cursor that was read before also leads to what has changed since', async () => {
  const start = await now()
  await load(exchange, instrument(801))
  assert.deepEqual(await since(start), ['Added instrument 801'])
  await load(instrument(802))

  const page = await changes(ada, { Since: start })
  assert.deepEqual(page.Data.map(inShort), ['Added instrument 801', 'Added instrument 802'])
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

test('the cursor of an import is followed by the changes of others only', async () => {
  const { cursor = '' } = await importTexts(connection, { 'f.ndjson': lines(instrument(20), instrument(21)) })
  assert.deepEqual(await since(cursor), [])

  await load(instrument(22))
  assert.deepEqual(await since(cursor), ['Added instrument 22'])

  const { cursor: again } = await importTexts(connection, { 'f.ndjson': lines(instrument(20)) })
  assert.deepEqual(await since(again ?? ''), [])
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
  for (const query of ['Since=nothing', 'Since=', 'since=&Kinds=event'])
    assert.deepEqual(await statusOf(query), [400, 'InvalidModelState'], query)
  for (const path of ['elections?Since=', 'requests?Since=', 'requests/stream?since='])
    assert.equal((await getRest(service.baseUrl, `/x/v1/${path}`, ada)).status, 400, path)
  await load(instrument(12))
  await pruneHistory(db, 0)
  assert.deepEqual(await statusOf(`Since=${start}`), [410, 'CursorExpired'], 'pruned')
  assert.deepEqual(await since(await now()), [])
})
