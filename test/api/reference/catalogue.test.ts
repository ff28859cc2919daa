import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRevision } from '../../../src/instruments/store/reference.ts'
import { exchange, importTexts, instrument, lines, optionRoot } from '../../support/service/import.ts'
import { serviceForFile, startService, type TestService } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await serviceForFile()
const { catalogue, context } = service.node
const { access_token: token } = await obtainTokens(service.url)

const search = '/ref/v1/instruments?IncludeNonTradable=true&$top=3'
const details = '/ref/v1/instruments/details'
const space = '/ref/v1/instruments/contractoptionspaces/1?OptionSpaceSegment=AllDates'

/** Imports records and waits until the node serves them. */
async function change(...records: object[]): Promise<number> {
  const { errors } = await importTexts(service.database.connection, { 'change.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  const revision = await readRevision(context.db)
  await catalogue.reached(revision)
  assert.equal(catalogue.current().revision, revision)
  return revision
}

async function ask(path: string, on: TestService = service) {
  const answer = await getRest(on.baseUrl, path, token)
  return { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() }
}

/** All pages from here on, each with its entity tag. */
async function walk(path: string, on: TestService): Promise<object[]> {
  const pages: object[] = []
  for (let at: string | undefined = path; at !== undefined; ) {
    const page = await ask(at, on)
    assert.equal(page.status, 200)
    pages.push(page)
    at = JSON.parse(page.text).__next?.replace(service.baseUrl, '')
  }
  return pages
}

const base = () => catalogue.current().readers.at(-1)?.segment

test('a service without reference data returns empty lists, and serves the first import without a restart', async () => {
  assert.equal(JSON.parse((await ask(search)).text).Data.length, 0)
  assert.equal(JSON.parse((await ask(details)).text).Data.length, 0)
  assert.equal((await ask(`${details}/1/Stock`)).status, 404)
  await change(
    exchange,
    ...[1, 2, 3, 4, 5, 6].map((uic) => instrument(uic)),
    optionRoot(1, [101, 102]),
    optionRoot(2, []),
  )
  assert.equal(JSON.parse((await ask(`${search}&$inlinecount=AllPages`)).text).__count, 8)
  assert.equal((await ask(`${details}/1/Stock`)).status, 200)
})

const aHoliday = { Holidays: [{ Date: '2027-02-01', Name: 'A holiday' }] }
const changes: { name: string; record: object; path: string; shows: RegExp }[] = [
  {
    name: 'a new instrument',
    record: instrument(7),
    path: `${details}/7/Stock`,
    shows: /"Description":"Instrument 7"/,
  },
  {
    name: 'a changed description',
    record: instrument(2, { Description: 'Another name' }),
    path: '/ref/v1/instruments?Keywords=another',
    shows: /"Data":\[\{"Identifier":2,/,
  },
  {
    name: 'a removed instrument',
    record: { kind: 'instrument', Uic: 3, delete: true },
    path: '/ref/v1/instruments/details?Uics=3',
    shows: /"Data":\[\]/,
  },
  {
    name: 'an instrument that comes back',
    record: instrument(3, { Rank: 1 }),
    path: search,
    shows: /"Data":\[\{"Identifier":3,/,
  },
  { name: 'a changed option root', record: optionRoot(1, [102, 103]), path: space, shows: /"Uic":102.*"Uic":103/ },
  {
    name: 'a contract that its root no longer has',
    record: optionRoot(1, [103]),
    path: `${details}?Uics=101,102,103`,
    shows: /"Data":\[\{[^[]*"Uic":103\b/,
  },
  {
    name: 'a removed option root',
    record: { kind: 'optionRoot', OptionRootId: 2, delete: true },
    path: '/ref/v1/instruments/contractoptionspaces/2',
    shows: /"ErrorCode"/,
  },
  {
    name: 'a changed exchange name',
    record: { ...exchange, Name: 'The London exchange' },
    path: `${details}/1/Stock`,
    shows: /"Name":"The London exchange"/,
  },
  {
    name: 'a holiday',
    record: { ...exchange, Name: 'The London exchange', ...aHoliday },
    path: `${details}/1/Stock`,
    shows: /"Uic":1\b/,
  },
]

test('every change of a record is served without a new base, with another entity tag', async () => {
  const before = base()
  for (const { name, record, path, shows } of changes) {
    const { etag, text } = await ask(path)
    if (name !== 'a holiday') assert.doesNotMatch(text, shows, `before ${name}`)
    await change(record)
    const now = await ask(path)
    assert.match(now.text, shows, name)
    assert.notEqual(now.etag, etag, name)
    assert.equal(base(), before, `${name}: a new base`)
    assert.equal(catalogue.current().readers.length, 2)
  }
  assert.deepEqual(catalogue.current().exchanges.get('LSE')?.record.Holidays, aHoliday.Holidays)
})

test('after many changes a node responds exactly like one that has just started', async () => {
  const fresh = await startService({ besides: service })
  try {
    assert.equal(fresh.node.catalogue.current().readers.length, 1)
    const paths = [search, `${search}&Keywords=i`, `${search}&Keywords=anothre`, `${details}?$top=2`]
    for (const path of [...paths, space, `${details}/2/Stock`, `${details}/103/StockOption`])
      assert.deepEqual(await walk(path, service), await walk(path, fresh), path)
    const gone = '/ref/v1/instruments/contractoptionspaces/2'
    assert.deepEqual([(await ask(gone)).status, (await ask(gone, fresh)).status], [404, 404])
    const schedule = '/ref/v1/instruments/tradingschedule/2/Stock'
    assert.equal((await ask(schedule)).text, (await ask(schedule, fresh)).text)
  } finally {
    await fresh.close()
  }
})

test('the entity tag changes with the data; repeating an import keeps it', async () => {
  const { etag } = await ask(search)
  const unlessKnown = () =>
    fetch(`${service.baseUrl}${search}`, {
      headers: { authorization: `Bearer ${token}`, 'if-none-match': String(etag) },
    })
  const revision = await readRevision(context.db)
  assert.equal(await change(instrument(7)), revision)
  await context.feed.poll()
  assert.equal((await ask(search)).etag, etag)
  assert.equal((await unlessKnown()).status, 304)
  assert.equal(await change(instrument(7, { Description: 'Changed' })), revision + 1)
  assert.notEqual((await ask(search)).etag, etag)
  assert.equal((await unlessKnown()).status, 200)
})
