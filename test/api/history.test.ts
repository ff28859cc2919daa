import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setOperator } from '../../src/auth/commands/users.ts'
import { Problem } from '../../src/core/problem.ts'
import type { HistoryEntry } from '../../src/data/api/history-schema.ts'
import { showHistory } from '../../src/data/history/commands.ts'
import { beginRun, restartHistory } from '../../src/database/staging/history.ts'
import { eventsAt } from '../../src/events/api/as-of.ts'
import { listEventPage, listFilterValues, scopeOf } from '../../src/events/api/list.ts'
import { demoKey } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { readOk } from '../support/reference/rest.ts'
import { event, importTexts, lines, position, undoRun } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl, database } = service
const { db } = service.node.context
await setOperator(service.node.context, 'ada', true, () => {})
const tokenOf = async (user: string) => (await obtainTokens(url, { user })).access_token
const [ada, bo, cy] = [await tokenOf('ada'), await tokenOf('bo'), await tokenOf('cy')]

type Feed = { Data: HistoryEntry[]; __next?: string; __count?: number }
const get = (path: string, token = ada) => getRest(baseUrl, `/x/v1/history/${path}`, token)
const history = (path: string, token = ada) => readOk<Feed>(get(path, token))
const importAll = async (...records: object[]) => {
  const { errors, run } = await importTexts(database.connection, { 'changes.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  return run ?? assert.fail('nothing changed')
}
const account = demoKey('account 9226397')
const stock = (Uic: number, more: object = {}, others: object[] = []) => ({
  ...{ kind: 'instrument', Uic, ExchangeId: 'TEST', Symbol: `H${Uic}:xtst`, Description: 'First', CurrencyCode: 'EUR' },
  As: [{ AssetType: 'Stock' }, ...others],
  ...more,
})
const exchange = {
  ...{ kind: 'exchange', ExchangeId: 'TEST', Name: 'Test', CountryCode: 'DE', TimeZone: 'Europe/Berlin' },
  Hours: [{ Days: ['Mon'], Start: '09:00', End: '17:30' }],
}
const served = (path: string, token: string) =>
  eventually(async () => ((await get(path, token)).status === 200 ? true : undefined))

const first = await importAll(exchange, stock(7001, {}, [{ AssetType: 'CfdOnStock', Description: 'As a CFD' }]))
const second = await importAll(
  stock(7001, { Description: 'Second' }, [{ AssetType: 'CfdOnStock', Description: 'Other' }]),
)

test('lists what each run changed, latest first, with the fields that differ', async () => {
  const { Data } = await history('instrument/7001')

  assert.deepEqual(
    Data.map(({ Run, Change, Source }) => [Run, Change, Source]),
    [
      [second, 'Changed', 'changes.ndjson'],
      [first, 'Added', 'changes.ndjson'],
    ],
  )
  assert.deepEqual(Data[0]?.Fields, [
    { Name: 'Description', Before: 'First', After: 'Second' },
    { Name: 'As[CfdOnStock].Description', Before: 'As a CFD', After: 'Other' },
  ])
  assert.equal(Data[0]?.Revision, (Data[1]?.Revision ?? 0) + 1)
})

test('a caller sees only the asset types that they may see now', async () => {
  await served('instrument/7001', bo)
  const { Data } = await history('instrument/7001', bo)
  assert.deepEqual(Data[0]?.Fields, [{ Name: 'Description', Before: 'First', After: 'Second' }])
  assert.doesNotMatch(JSON.stringify(Data), /CFD/)
})

test('an instrument that the caller may not see is unknown, as is one that does not exist', async () => {
  await importAll(stock(7002, { As: [{ AssetType: 'CfdOnStock' }] }))
  await served('instrument/7002', ada)
  const [invisible, unknown] = [await get('instrument/7002', bo), await get('instrument/7999', bo)]
  assert.deepEqual([invisible.status, unknown.status], [404, 404])
  const [one, other] = [await invisible.text(), await unknown.text()]
  assert.equal(one.replaceAll('7002', ''), other.replaceAll('7999', ''))
  assert.equal((await get('instrument/7999')).status, 404)
  for (const path of ['instrument/x', 'optionRoot/1', 'exchange/NONE', 'calendar/NONE', 'event/none'])
    assert.equal((await get(path, bo)).status, 404, path)
  assert.equal((await get('nothing/1')).status, 400)
})

test('an event is listed to its holders, without elections and what the API does not return', async () => {
  await importAll(
    position(account, 7001, 5),
    event('H-1', 7001, { Ex: { Date: '2026-12-03' }, Holdings: [{ AccountKey: account }] }),
  )
  const Source = { Format: 'mt564', Reference: 'CA-118', Unmapped: [{ Path: 'x', Value: 'y' }] }
  await importAll(event('H-1', 7001, { Ex: { Date: '2026-12-05' }, Source }))
  await setOperator(service.node.context, 'ada', false, () => {})
  const { Data } = await history('event/H-1')
  await setOperator(service.node.context, 'ada', true, () => {})

  const fields = Data[0]?.Fields.filter(({ Name }) => Name !== 'UpdatedDateTime')
  assert.deepEqual(fields, [{ Name: 'Ex.Date', Before: '2026-12-03', After: '2026-12-05' }])
  assert.equal(Data[0]?.Reference, 'CA-118')
  assert.doesNotMatch(JSON.stringify(Data), /Holdings|Unmapped/)
  assert.equal((await get('event/H-1', cy)).status, 404)
})

test('clients, accounts, users, rights and positions are for operators', async () => {
  for (const kind of ['client', 'account', 'user', 'accessRight', 'position'])
    assert.equal((await get(`${kind}/x`, bo)).status, 403, kind)
  const ClientKey = demoKey('client cy')
  const right = { kind: 'accessRight', ClientKey, AssetTypes: ['Bond'], Level: 'View' }
  await importAll(right)
  await importAll({ ...right, delete: true })
  await importAll(position(account, 7001, 6))

  const rights = (await history(`accessRight/${encodeURIComponent(ClientKey)}`)).Data
  const positions = (await history(`position/${encodeURIComponent(`${account} 7001 Stock`)}`)).Data

  assert.deepEqual(
    rights.map(({ Change }) => Change),
    ['Removed', 'Added'],
  )
  assert.deepEqual(
    rights[1]?.Fields.find(({ Name }) => Name === 'AssetTypes'),
    { Name: 'AssetTypes', After: ['Bond'] },
  )
  assert.deepEqual(positions[0]?.Fields, [{ Name: 'Amount', Before: 5, After: 6 }])
})

test('a client has its account groups, and a user no password', async () => {
  const ClientKey = demoKey('client cy')
  const UserKey = demoKey('user cy')
  const client = { kind: 'client', ClientKey, ClientId: '20001', Name: 'Cy Capital' }
  const AccountGroupKey = 'HistoryHistoryHistoryA=='
  const groups = await db.selectFrom('account_group').selectAll().where('client_key', '=', ClientKey).execute()
  const present = groups.map((group) => ({ AccountGroupKey: group.account_group_key, Name: group.name }))
  await importAll({ ...client, AccountGroups: [...present, { AccountGroupKey, Name: 'New' }] })
  await importAll({ ...client, AccountGroups: [...present, { AccountGroupKey, Name: 'Newer' }] })
  await importAll({ kind: 'user', UserKey, Name: 'cy2', ClientKey, Password: 'another-password-2' })

  const { Data } = await history(`client/${encodeURIComponent(ClientKey)}`)
  const users = await history(`user/${encodeURIComponent(UserKey)}`)

  assert.deepEqual(Data[0]?.Fields, [{ Name: `AccountGroups[${AccountGroupKey}].Name`, Before: 'New', After: 'Newer' }])
  assert.deepEqual(Data[1]?.Fields, [
    { Name: `AccountGroups[${AccountGroupKey}]`, After: { AccountGroupKey, Name: 'New' } },
  ])
  assert.deepEqual(users.Data[0]?.Fields, [{ Name: 'Name', Before: 'cy', After: 'cy2' }])
})

test('pages follow each other; an undo is a version too', async () => {
  await undoRun(database.connection, second)
  const whole = await history('instrument/7001?$inlinecount=AllPages')
  assert.equal(whole.__count, 3)
  assert.deepEqual(whole.Data[0]?.Fields[0], { Name: 'Description', Before: 'Second', After: 'First' })
  const page = await history('instrument/7001?$top=2')
  const rest = await readOk<Feed>(fetch(page.__next ?? '', { headers: { authorization: `Bearer ${ada}` } }))
  assert.deepEqual([...page.Data, ...rest.Data], whole.Data)
})

test('long values are cut and many fields counted', async () => {
  const record = (letter: string) => ({
    ...stock(7003),
    Aliases: Array.from({ length: 20 }, (_, at) => `${letter.repeat(150)}${at}`),
  })
  await importAll(record('a'))
  await importAll(record('b'))
  const [{ After = '' } = {}] = (await history('instrument/7003')).Data[0]?.Fields ?? []
  assert.match(String(After), /^\["b+0",.*…$/)
})

test('the command shows the same', async () => {
  const said: string[] = []
  const say = (line: string) => said.push(line)
  await showHistory(db, ['instrument', '7001'], { limit: '2' }, say)
  assert.match(said[0] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}Changed by run \d+, revision \d+: undo of run \d+$/)
  assert.equal(said[1], '  Description: Second → First')
  said.length = 0
  await showHistory(db, ['instrument', '7001'], { json: true }, say)
  assert.deepEqual(
    said.map((line) => JSON.parse(line)),
    (await history('instrument/7001')).Data,
  )
  said.length = 0
  await showHistory(db, ['event', 'none'], {}, say)
  assert.deepEqual(said, ['The history has no change of event none.'])
  await assert.rejects(showHistory(db, ['events', '1'], {}, say), /KIND must be one of/)
  await assert.rejects(showHistory(db, ['event', '1'], { limit: '0' }, say), /--limit must be a number/)
})

test('an import during a read does not change what runs before it led to', async () => {
  await importAll(exchange, stock(7_800))
  const run = await importAll(stock(7_800, { Description: 'Before' }))
  const reads = await db.transaction().execute(async (trx) => {
    await beginRun(trx, 'import')
    // The versions are read, the present record has to wait.
    await sql`lock table instrument in access exclusive mode`.execute(trx)
    const reading = [history('instrument/7800'), readOk<Feed>(getRest(baseUrl, `/x/v1/runs/${run}/records`, ada))]
    await eventually(async () => {
      // Others wait too, such as a node that builds its catalogue.
      const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid) where not granted
        and relation = 'instrument'::regclass and query ~ '"uic"::text as id, document::text'`.execute(db)
      return rows.length === reading.length || undefined
    })
    const later = sql`replace(document::text, 'Before', 'Later')::json`
    await sql`update instrument set document = ${later} where uic = 7800`.execute(trx)
    return { reading }
  })

  for (const { Data } of await Promise.all(reads.reading))
    assert.deepEqual(Data[0]?.Fields, [{ Name: 'Description', Before: 'First', After: 'Before' }])
})

test('a reset while holdings or documents of a moment are read is 503: data of two histories is never mixed', async () => {
  const Ex = { Date: Temporal.Now.plainDateISO('UTC').toString() }
  await importAll(exchange, stock(7_900), event('as-of-reset', 7_900, { Ex }), position(account, 7_900, 100))
  const { rows } = await sql<{ now: Temporal.Instant }>`select clock_timestamp() as now`.execute(db)
  const moment = rows[0]?.now.toString() ?? ''
  await importAll(event('as-of-reset', 7_900, { Ex, EventState: 'Preliminary' }), position(account, 7_900, 70))
  const caller = { ClientKey: demoKey('client ada') }
  const { context, events } = service.node
  const deps = { db, catalogue: events, clock: context.clock }
  const filters = { IncludeLapsedEvents: false, IncludeSubAccounts: false }
  const reset = () => db.transaction().execute(restartHistory)
  const list = (at: Awaited<ReturnType<typeof eventsAt>>) =>
    listEventPage(at, caller, filters, { top: 10, skip: 0, order: { column: 'Date', type: 'Asc' }, after: undefined })
  const isUnavailable = (error: unknown) => error instanceof Problem && error.code === 'ServiceUnavailable'
  const at = await eventsAt(deps, caller, moment)
  assert.ok((await list(at)).events.length > 0)

  const { catalogue } = at
  const documentsOf: typeof catalogue.documentsOf = async (chosen) => {
    const documents = await catalogue.documentsOf(chosen)
    await reset()
    return documents
  }
  const { state, find, eventsOf, reached } = catalogue
  const during = { ...at, catalogue: { state, find: find.bind(catalogue), eventsOf, reached, documentsOf } }
  await assert.rejects(list(during), isUnavailable)
  await assert.rejects(listFilterValues(at, scopeOf(caller, filters), filters), isUnavailable)
  assert.equal((await getRest(baseUrl, `/ca/v2/events?AsOf=${moment}`, ada)).status, 410)
})
