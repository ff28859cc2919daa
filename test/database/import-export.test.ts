import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApps, demoPassword } from '../support/demo.ts'
import {
  databaseForFile,
  exchange,
  exportText,
  importTexts,
  instrument,
  lines,
  optionRoot,
} from '../support/service/import.ts'
import { demoTemplate } from '../support/service/postgres.ts'

const demo = await databaseForFile(demoTemplate)
const copy = await databaseForFile()
const empty = await databaseForFile()

test('exporting, importing into an empty database and exporting again is byte-identical for all demo data', async () => {
  const first = await exportText(demo.connection)
  assert.ok(first.split('\n').length > 400)
  assert.deepEqual((await importTexts(copy.connection, { 'all.ndjson': first })).errors, [])
  const second = await exportText(copy.connection)
  assert.ok(second === first)
  const again = await importTexts(copy.connection, { 'all.ndjson': second })
  for (const [kind, count] of Object.entries(again.counts)) assert.deepEqual(Object.keys(count), ['unchanged'], kind)
})

test('an export contains hashes but no passwords or secrets', async () => {
  const text = await exportText(demo.connection)
  assert.match(text, /"PasswordHash":"\$argon2id\$/)
  assert.match(text, /"SecretSha256":"[0-9a-f]{64}"/)
  for (const secret of [demoPassword, ...demoApps.flatMap(({ Secret }) => Secret ?? [])])
    assert.ok(!text.includes(secret))
})

test('exports kinds in the documented order, each by its keys', async () => {
  const kinds = (await exportText(copy.connection))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).kind)
  assert.deepEqual(
    [...new Set(kinds)],
    [
      'calendar',
      'exchange',
      'instrument',
      'optionRoot',
      'client',
      'account',
      'user',
      'accessRight',
      'position',
      'event',
      'app',
    ],
  )
  await importTexts(empty.connection, { 'more.ndjson': lines(exchange, instrument(10), instrument(9), instrument(2)) })
  const text = await exportText(empty.connection, ['instrument'])
  const uics = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).Uic)
  assert.deepEqual(uics, [2, 9, 10])
})

test('aliases are exported as imported, in their order', async () => {
  const Aliases = ['Google', 'S&P 500', 'L’Oréal', 'SPX']
  await importTexts(empty.connection, { 'aliases.ndjson': lines(exchange, { ...instrument(11), Aliases }) })
  const text = await exportText(empty.connection, ['instrument'])
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(records.find(({ Uic }) => Uic === 11).Aliases, Aliases)
  assert.deepEqual((await importTexts(empty.connection, { 'aliases.ndjson': text })).counts.instrument, {
    unchanged: records.length,
  })
  const { errors } = await importTexts(empty.connection, {
    'bad.ndjson': lines({ ...instrument(12), Aliases: ['Two\nlines', ''] }),
  })
  assert.equal(errors.length, 2)
  for (const [index, error] of errors.entries()) assert.ok(error.includes(`Aliases[${index}]`), error)
})

test('every text and number survives the round trip', async () => {
  const nasty = [
    '"',
    '\\',
    '\\N',
    '\\.',
    "'",
    'a\u2028b\u2029c',
    'Zürich 株式 😀',
    '{x,"y"}',
    '$1 ::json',
    '\u00ad\ufeff',
  ]
  const texts = nasty.map((Description, index) => instrument(1000 + index, { Description }))
  const numbers = [1e21, 0.1, -0, 1e-7, 123456789.125, 5e-324].map((TickSize, index) =>
    instrument(2000 + index, { TickSize: Math.min(TickSize, 1e15) }),
  )
  const root = optionRoot(7, [70001], {
    Series: [{ Expiry: '2027-01-15', Options: [{ Uic: 70001, PutCall: 'Put', StrikePrice: -0.1 }] }],
  })
  const client = {
    kind: 'client',
    ClientKey: 'AAAAAAAAAAAAAAAAAAAAAA==',
    ClientId: 'tab\tline\nreturn\r\\end',
    Name: nasty.join(' '),
    AccountGroups: [{ AccountGroupKey: 'BBBBBBBBBBBBBBBBBBBBBA==', Name: '\b\f\v\u0001' }],
  }
  const text = lines(...texts, ...numbers, root, client)
  assert.deepEqual((await importTexts(empty.connection, { 'nasty.ndjson': text })).errors, [])
  const exported = (await exportText(empty.connection)).split('\n')
  for (const line of text.trimEnd().split('\n')) assert.ok(exported.includes(line), line)
})

test('rejects moves that leave a group or a right behind, which an export could not restore', async () => {
  const keys = Array.from({ length: 6 }, (_, at) => `${'ABCDEF'.charAt(at)}DDDDDDDDDDDDDDDDDDDDA==`)
  const [one = '', two = '', groupKey = '', accountKey = '', userKey = ''] = keys
  const client = (ClientKey: string, more: object = {}) => ({
    kind: 'client',
    ClientKey,
    ClientId: ClientKey,
    Name: 'N',
    ...more,
  })
  const group = { AccountGroups: [{ AccountGroupKey: groupKey, Name: 'G' }] }
  const account = { kind: 'account', AccountKey: accountKey, AccountId: 'a', ClientKey: one, Currency: 'EUR' }
  const user = { kind: 'user', UserKey: userKey, Name: 'mover', ClientKey: one }
  const right = { kind: 'accessRight', ClientKey: one, AssetTypes: ['Stock'], Level: 'View' }
  const rights = [
    { ...right, AccountKey: accountKey },
    { ...right, UserKey: userKey },
  ]
  const load = async (...records: object[]) => (await importTexts(empty.connection, { f: lines(...records) })).errors
  const inGroup = { ...account, AccountGroupKey: groupKey }
  assert.deepEqual(await load(client(one, group), client(two), inGroup, user, ...rights), [])
  const errors = async (...records: object[]) =>
    (await load(...records)).map((error) => error.replace(/^(\S+ \w+) \S+, (field \w+: .{1,25}).*$/, '$1 $2'))
  assert.deepEqual(await errors(client(two, group)), [
    'f:1 client field AccountGroups: Account group CDDDDDDDDDD',
    'f:1 client field AccountGroups: Account group CDDDDDDDDDD',
  ])
  assert.match((await load(client(one), client(two, group))).join(), /still has account a of another client/)
  const moved = [
    { ...account, ClientKey: two },
    { ...user, ClientKey: two },
  ]
  assert.deepEqual(await errors(...moved), [
    'f:1 account field ClientKey: Still has 1 access rights',
    'f:2 user field ClientKey: Still has 1 access rights',
  ])
  const gone = rights.map((each) => ({ ...each, delete: true }))
  assert.deepEqual(await load(...moved, ...gone, client(one), client(two, group)), [])
  const fresh = await databaseForFile()
  const text = await exportText(empty.connection)
  assert.deepEqual((await importTexts(fresh.connection, { f: text })).errors, [])
  assert.ok((await exportText(fresh.connection)) === text)
})

test('whitespace, escapes and number formats make no difference', async () => {
  const spelled = `  {"Uic": 3000, "kind" : "instrument", "ExchangeId":"LSE","Symbol":"S\\u0033:x","Description":"D","CurrencyCode":"GBP","TickSize":1.0e-2,"As":[{"AssetType":"Stock"}]}\r\n\r\n`
  assert.deepEqual((await importTexts(empty.connection, { a: `\ufeff${spelled}` })).counts, {
    instrument: { added: 1 },
  })
  const exported = (await exportText(empty.connection, ['instrument']))
    .split('\n')
    .find((line) => line.includes(':3000'))
  assert.equal(
    exported,
    '{"kind":"instrument","Uic":3000,"ExchangeId":"LSE","Symbol":"S3:x","Description":"D","CurrencyCode":"GBP","TickSize":0.01,"As":[{"AssetType":"Stock"}]}',
  )
  assert.deepEqual((await importTexts(empty.connection, { a: spelled })).counts, { instrument: { unchanged: 1 } })
})
