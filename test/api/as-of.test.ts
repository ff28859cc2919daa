import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createClient } from '../../src/client/index.ts'
import { pruneHistory } from '../../src/data/store/prune-history.ts'
import { announce } from '../../src/database/changes.ts'
import { demoKey } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { answersIn, batchOf } from '../support/http/batch.ts'
import type { ErrorBody } from '../support/reference/rest.ts'
import { event, exchange, importTexts, instrument, lines, position } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl, node } = service
const { db } = node.context
const tokenOf = async (user: string) => (await obtainTokens(url, { user })).access_token
const [ada, bo] = [await tokenOf('ada'), await tokenOf('bo')]
const get = (path: string, token = ada) => getRest(baseUrl, path, token)

/** Imports records. Returns the revision of the reference data that is served then. */
async function load(...records: object[]): Promise<number> {
  const { errors } = await importTexts(service.database.connection, { 'f.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  const state = db.selectFrom('reference_data').select('revision')
  const { revision } = await state.executeTakeFirstOrThrow()
  await node.catalogue.reached(revision)
  return revision
}
async function now(): Promise<string> {
  const { rows } = await sql<{ now: Temporal.Instant }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now.toString() ?? ''
}
const detailsPath = (uic: number, asOf?: string | number) =>
  `/ref/v1/instruments/details/${uic}/Stock${asOf === undefined ? '' : `?AsOf=${encodeURIComponent(asOf)}`}`

async function details(uic: number, asOf?: string | number, token = ada): Promise<string | undefined> {
  const response = await get(detailsPath(uic, asOf), token)
  const body = (await response.json()) as { Description?: string; ErrorCode?: string }
  return response.status === 200 ? body.Description : `${response.status} ${body.ErrorCode}`
}

test('details of an instrument are those of the moment: an instant or a revision', async () => {
  const first = await load(exchange, instrument(1, { Description: 'First' }))
  const between = await now()
  const second = await load(instrument(1, { Description: 'Second' }), instrument(2))
  await load({ kind: 'instrument', Uic: 2, delete: true })

  assert.equal(await details(1), 'Second')
  assert.equal(await details(1, between), 'First')
  const client = createClient({ baseUrl, token: ada })
  const typed = await client.get('/ref/v1/instruments', { query: { Uics: [1], AsOf: between } })
  assert.deepEqual(
    typed.Data.map(({ Description }) => Description),
    ['First'],
  )
  assert.equal(await details(1, between.replace('Z', '+00:00')), 'First')
  assert.equal(await details(1, first), 'First')
  assert.equal(await details(1, second), 'Second')
  assert.equal(await details(2, second), 'Instrument 2')
  assert.equal(await details(2, first), '404 IllegalInstrumentId')
  assert.equal(await details(1, first - 1), '404 IllegalInstrumentId')
})

test('an instant within an import has what was there before its commit', async () => {
  await load(instrument(3, { Description: 'Before' }))
  let during = ''
  await db.transaction().execute(async (trx) => {
    const change = `{"Uic":3,"ExchangeId":"LSE","Symbol":"S","CurrencyCode":"GBP","Description":"After","As":[{"AssetType":"Stock"}]}`
    await sql`update instrument set document = ${change}::json, revision = (select revision + 1 from reference_data)
      where uic = 3`.execute(trx)
    await sql`update reference_data set revision = revision + 1`.execute(trx)
    await announce(trx, [{ topic: 'reference-data', key: 'any' }])
    during = await now()
  })

  assert.equal(await details(3, during), 'Before')
  assert.equal(await details(3, await now()), 'After')
})

test('events, positions and elections are those of the moment; a revision is that of the events', async () => {
  const [account, path] = [demoKey('account 9226397'), '/ca/v2/events/as-of']
  const dividend = (amount: number) => ({
    ...event('as-of', 1, { Ex: { Date: Temporal.Now.plainDateISO('UTC').toString() } }),
    Holdings: [{ AccountKey: account, Options: [{ OptionId: '1', ElectedAmount: amount }] }],
    Options: [{ OptionId: '1' }, { OptionId: '2' }],
  })
  const seen = async (asOf?: string | number) => {
    const response = await get(`${path}${asOf === undefined ? '' : `?AsOf=${asOf}`}`)
    if (response.status !== 200) return response.status
    const { Holdings } = (await response.json()) as { Holdings: { Amount: number; ElectedAmount: number }[] }
    return Holdings.flatMap(({ Amount, ElectedAmount }) => [Amount, ElectedAmount])
  }
  const before = await now()
  await load(dividend(5), position(account, 1, 100))
  const { revision } = await db.selectFrom('event_data').select('revision').executeTakeFirstOrThrow()
  const first = await now()
  await load(position(account, 1, 70))
  const second = await now()
  await load(dividend(6))

  assert.deepEqual(await seen(), [70, 6])
  assert.deepEqual(await seen(second), [70, 5])
  assert.deepEqual(await seen(first), [100, 5])
  assert.deepEqual(await seen(revision), [100, 5])
  assert.deepEqual(await seen(before), 404)
})

test('the Time of a change in feed and history is a moment that includes it', async () => {
  await load(instrument(7, { Description: 'Before' }))
  const feed = async (since = '') =>
    (await (await get(`/x/v1/changes${since}`)).json()) as { Cursor: string; Data: { Time: string }[] }
  const { Cursor } = await feed()
  await load(instrument(7, { Description: 'After' }))
  const [change] = (await feed(`?Since=${Cursor}`)).Data
  const history = (await (await get('/x/v1/history/instrument/7')).json()) as { Data: { Time: string }[] }

  assert.equal(history.Data[0]?.Time, change?.Time)
  assert.equal(await details(7, change?.Time), 'After')
  assert.equal(await details(7, history.Data[1]?.Time), 'Before')
})

test('after the clock was set back, every run has its own time and every revision its own data', async () => {
  await load(instrument(8, { Description: 'Zero' }))
  await sql`update history_run set committed_at = clock_timestamp() + interval '1 hour'
    where run = (select max(run) from history_run)`.execute(db)
  const first = await load(instrument(8, { Description: 'One' }))
  const second = await load(instrument(8, { Description: 'Two' }))
  await load(instrument(8, { Description: 'Three' }))

  assert.deepEqual([await details(8, first), await details(8, second)], ['One', 'Two'])
  const { rows } = await sql<{ runs: number; times: number }>`
    select count(*) as runs, count(distinct committed_at) as times from history_run`.execute(db)
  assert.equal(rows[0]?.times, rows[0]?.runs)
  await sql`update history_run set committed_at = at where committed_at > clock_timestamp()`.execute(db)
})

test('a right that was withdrawn does not come back', async (t) => {
  await load(instrument(6, { As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] }))
  const right = { kind: 'accessRight', ClientKey: demoKey('client bo'), AssetTypes: ['CfdOnStock'], Level: 'View' }
  const path = '/ref/v1/instruments/details/6/CfdOnStock'
  const status = async (query = '') => (await get(`${path}${query}`, bo)).status
  await load(right)
  await eventually(async () => (await status()) === 200 || undefined)
  const moment = `?AsOf=${await now()}`
  await load(instrument(6, { Description: 'Later', As: [{ AssetType: 'CfdOnStock' }] }))
  assert.equal(await status(moment), 200)

  const withdrawn = async () => {
    await load({ ...right, delete: true })
    await eventually(async () => (await status()) === 404 || undefined)
  }
  // Even while the data of the moment is being made.
  const at = node.catalogue.at.bind(node.catalogue)
  const waiting = t.mock.method(node.catalogue, 'at', async (...asked: Parameters<typeof at>) => {
    await withdrawn()
    return at(...asked)
  })
  assert.equal(await status(moment), 404)
  waiting.mock.restore()
  assert.equal(await status(moment), 404)
})

test('tags, links, batches and explanations are of the moment', async () => {
  const old = await load(instrument(4, { Description: 'Old four' }), instrument(5, { Description: 'Old five' }))
  await load(instrument(4, { Description: 'New four' }), { kind: 'instrument', Uic: 5, delete: true })
  const authorization = `Bearer ${ada}`

  const [present, past] = [await get(detailsPath(4)), await get(detailsPath(4, old))]
  const tag = past.headers.get('etag') ?? ''
  assert.notEqual(tag, present.headers.get('etag'))
  const tagged = (path: string) => fetch(`${baseUrl}${path}`, { headers: { authorization, 'if-none-match': tag } })
  assert.deepEqual([(await tagged(detailsPath(4, old))).status, (await tagged(detailsPath(4))).status], [304, 200])

  const found: string[] = []
  let next: string | undefined = `${baseUrl}/ref/v1/instruments?Uics=4,5&$top=1&AsOf=${old}`
  while (next !== undefined) {
    const response = await fetch(next, { headers: { authorization } })
    const page = (await response.json()) as { Data: { Description: string }[]; __next?: string }
    found.push(...page.Data.map(({ Description }) => Description))
    next = page.__next
  }
  assert.deepEqual(found.sort(), ['Old five', 'Old four'])

  const requests = [detailsPath(4), detailsPath(4, old)].map((path) => ({ url: `/sim/openapi${path}` }))
  const headers = { authorization, 'content-type': 'multipart/mixed; boundary="+"' }
  const batch = await fetch(`${baseUrl}/ref/batch`, { method: 'POST', headers, body: batchOf(requests) })
  const answers = answersIn(await batch.text(), batch.headers.get('content-type') ?? '')
  assert.deepEqual(
    answers.map(({ text }) => (JSON.parse(text) as { Description: string }).Description),
    ['New four', 'Old four'],
  )

  const explained = async (path: string) => {
    const response = await get(`/x/v1/explain?Request=${encodeURIComponent(path)}`)
    return ((await response.json()) as { Status: number }).Status
  }
  assert.deepEqual([await explained(detailsPath(5)), await explained(detailsPath(5, old))], [404, 200])
})

const paths = [
  ...[
    '',
    '/details',
    '/details/1/Stock',
    '/contractoptionspaces/1',
    '/futuresspaces/1',
    '/tradingschedule/1/Stock',
  ].map((path) => `/ref/v1/instruments${path}`),
  ...['', '/as-of', '/lookupdata'].map((path) => `/ca/v2/events${path}`),
]
const errorOf = async (path: string, asOf: string) => {
  const response = await get(`${path}?AsOf=${encodeURIComponent(asOf)}`)
  const { ErrorCode, Message, ModelState } = (await response.json()) as ErrorBody
  return [response.status, ErrorCode, ModelState?.AsOf?.[0] ?? Message] as const
}

test('a moment that cannot be answered is an error that says which ones can be', async () => {
  const path = '/ref/v1/instruments/details/1/Stock'
  const [, , badly] = await errorOf(path, 'yesterday')
  assert.match(badly, /^Must be an instant such as/)
  for (const each of paths) assert.deepEqual(await errorOf(each, ''), [400, 'InvalidModelState', badly], each)
  const [status, code, future] = await errorOf(path, '2999-01-01T00:00:00Z')
  assert.deepEqual([status, code], [400, 'InvalidModelState'])
  assert.match(future, /^Must not be in the future: the time is now 20/)
  const { revision } = node.catalogue.current()
  const [, , unknown] = await errorOf(path, String(revision + 1))
  assert.equal(unknown, `There is no reference revision ${revision + 1} yet. The latest is ${revision}.`)
  const [, , unknownEvent] = await errorOf('/ca/v2/events', '999999')
  assert.match(unknownEvent, /^There is no event revision 999999 yet\. The latest is \d+\.$/)

  await pruneHistory(db, 0)
  for (const each of paths)
    for (const asOf of ['2020-01-01T00:00:00Z', '0']) {
      const [gone, why, message] = await errorOf(each, asOf)
      assert.deepEqual([gone, why], [410, 'MomentExpired'], each)
      assert.match(message, /Use a moment from 20.* onwards, or (reference|event) revision \d+ or later\.$/)
    }
  assert.equal(await details(1, revision), await details(1))
})
