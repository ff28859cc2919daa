import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../src/core/clock.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { importFiles } from '../../src/data/commands.ts'
import { readRevision } from '../../src/instruments/store/reference.ts'
import { testRejections } from '../support/import-errors.ts'
import { isLongRun } from '../support/runner/long-tests.ts'
import { databaseForFile, exchange, importTexts, instrument, lines, optionRoot } from '../support/service/import.ts'
import { temporaryFolder } from '../support/service/process.ts'
import { masterKey } from '../support/service/service.ts'

const { connection, db } = await databaseForFile()
const As = [{ AssetType: 'ContractFutures' }]
const continuous = { DisplayHint: 'Continuous', As }
const future = { ContinuousFuturesUic: 1, ExpiryDate: '2027-03-19', As }
await importTexts(connection, {
  'there.ndjson': lines(exchange, instrument(1, continuous), instrument(2, future), optionRoot(1, [100, 101])),
})

const errorsOf = async (text: string, name = 'f.ndjson') => (await importTexts(connection, { [name]: text })).errors

const [client, other] = [randomEntityKey(), randomEntityKey()]
const clientRecord = { kind: 'client', ClientKey: client, ClientId: '1', Name: 'One' }
const key = randomEntityKey()

testRejections(connection, [
  ['not JSON', '{"kind":"instrument","Password":"hunter2"', /^f:1: Is not JSON( \(character \d+\))?\.$/],
  ['not an object', '[1]\n"x"\nnull', /^f:1: Must be a JSON object\.$/, /^f:2: /, /^f:3: /],
  [
    'no kind',
    '{}\n{"kind":"Instrument"}',
    /^f:1 field kind: Must be one of: calendar, exchange, instrument, /,
    /^f:2 field kind/,
  ],
  ['unknown member', lines(instrument(9, { Colour: 1 })), /^f:1 instrument 9, field Colour: Is not a known field/],
  ['wrong type', lines(instrument(9, { Rank: 'a' })), /^f:1 instrument 9, field Rank: Must be a whole number from 1/],
  ['null', lines(instrument(9, { Isin: null })), /field Isin: Must not be null\. Leave the field out instead\.$/],
  ['no such day', lines(instrument(9, { ExpiryDate: '2026-02-30' })), /field ExpiryDate: Must be a calendar day/],
  ['U+0000', lines(instrument(9, { BaseIdentifier: 'a\0' })), /BaseIdentifier: Must not contain .* \(U\+0000\)\.$/],
  [
    'half a pair',
    '{"kind":"client","ClientKey":"AAAAAAAAAAAAAAAAAAAAAA==","ClientId":"1","Name":"\\ud800"}',
    /Name: Must not/,
  ],
  [
    'rules',
    lines(instrument(9, { As: [{ AssetType: 'FuturesOption' }] })),
    /field As\[0\]\.AssetType: Must not be an option/,
  ],
  [
    'delete',
    '{"kind":"instrument","Uic":1,"delete":false}',
    /^f:1 instrument 1, field delete: Must be true, or left out/,
  ],
  ['delete what', '{"kind":"instrument","delete":true}', /^f:1 instrument, field Uic: Is required/],
  ['a key twice', lines(instrument(9), instrument(8), instrument(9)), /^f:3 instrument 9: Is a duplicate of f:1; send/],
  [
    'no such exchange',
    lines(instrument(9, { ExchangeId: 'NO' })),
    /^f:1 instrument 9, field ExchangeId: There is no exchange NO\.$/,
  ],
  [
    'a misspelled exchange',
    lines(instrument(9, { ExchangeId: 'LSSE' })),
    /^f:1 instrument 9, field ExchangeId: There is no exchange LSSE\. Did you mean LSE\?$/,
  ],
  [
    'a root’s exchange',
    lines(optionRoot(9, [900], { ExchangeId: 'NO' })),
    /^f:1 optionRoot 9, field ExchangeId: There is no/,
  ],
  [
    'an instrument’s Uic in a root',
    lines(optionRoot(9, [1])),
    /^f:1 optionRoot 9, field Series: Uic 1 belongs to an instrument/,
  ],
  ['a contract’s Uic', lines(instrument(100)), /^f:1 instrument 100, field Uic: Belongs to an option of root 1\.$/],
  [
    'contracts’ Uics, among many new ones',
    lines(...Array.from({ length: 30 }, (_, at) => instrument(80 + at))),
    /^f:21 instrument 100, field Uic: Belongs to an option of root 1\.$/,
    /^f:22 instrument 101, /,
  ],
  ['another root’s Uic', lines(optionRoot(9, [900, 101])), /field Series: Uic 101 belongs to an option of root 1\.$/],
  [
    'a Uic in two new roots',
    lines(optionRoot(8, [900]), optionRoot(9, [900])),
    /^f:2 optionRoot 9, .* Uic 900 is already used, at f:1/,
  ],
  [
    'a Uic in both',
    lines(optionRoot(9, [900]), instrument(900)),
    /^f:2 instrument 900, field Uic: Uic 900 is already used, at f:1/,
  ],
  [
    'continuous',
    lines(instrument(9, { ...future, ContinuousFuturesUic: 77 })),
    /field ContinuousFuturesUic: There is no instrument 77/,
  ],
  [
    'its parent goes',
    '{"kind":"instrument","Uic":1,"delete":true}',
    /field delete: Is still the continuous future of instrument 2/,
  ],
  [
    'no continuous parent',
    lines(
      instrument(9, { ...future, ContinuousFuturesUic: 8 }),
      instrument(8, { As }),
      instrument(7, { ...future, As }),
    ),
    /^f:1 instrument 9, field ContinuousFuturesUic: Instrument 8 is not a continuous future/,
  ],
  [
    'a parent that is one no longer',
    lines(instrument(1)),
    /^f:1 instrument 1, field DisplayHint: Is still the continuous future of instrument 2, so it must be a ContractFutures/,
  ],
  [
    'an exchange in another case',
    lines({ ...exchange, ExchangeId: 'lse' }),
    /^f:1 exchange lse, field ExchangeId: Differs from LSE only in upper and lower case\.$/,
  ],
  [
    'two exchanges alike',
    lines({ ...exchange, ExchangeId: 'Par' }, { ...exchange, ExchangeId: 'PAR' }),
    /^f:2 exchange (Par|PAR), field ExchangeId: Differs from/,
  ],
  [
    'a time zone’s spelling',
    lines({ ...exchange, TimeZone: 'europe/london' }),
    /field TimeZone: Must be spelled Europe\/London\.$/,
  ],
  [
    'a blank description',
    lines(instrument(9, { Description: ' \u00a0 ' })),
    /^f:1 instrument 9, field Description: Must not be blank\.$/,
  ],
  [
    'its exchange goes',
    '{"kind":"exchange","ExchangeId":"LSE","delete":true}',
    /Is still the exchange of 3 instruments or option roots/,
  ],
])

test('reports field errors and errors across records together, except references to rejected records', async () => {
  const user = { kind: 'user', UserKey: key, Name: 'u', ClientKey: other }
  const text = lines(
    { ...exchange, ExchangeId: 'BAD', Hours: 1 },
    instrument(9, { ExchangeId: 'BAD' }),
    instrument(10, { ExchangeId: 'NO' }),
    instrument(11, { ...future, ContinuousFuturesUic: 12 }),
    instrument(12, { ...continuous, Rank: 0 }),
    { ...clientRecord, Name: '' },
    { kind: 'account', AccountKey: key, AccountId: '1', ClientKey: client, AccountGroupKey: other, Currency: 'EUR' },
    user,
  )
  const places = (errors: string[]) =>
    errors.map((error) =>
      error
        .split(':', 2)
        .join(':')
        .replace(/[^ ,]{24},/, '*,'),
    )
  const alone = ['f:1 exchange BAD, field Hours', 'f:5 instrument 12, field Rank', 'f:6 client *, field Name']
  const together = ['f:3 instrument 10, field ExchangeId', 'f:8 user *, field ClientKey']
  assert.deepEqual(places(await errorsOf(text, 'f')), [...alone, ...together].toSorted())
  const nameless = lines({ ...exchange, ExchangeId: '!' }, instrument(9, { ExchangeId: 'NO' }), user)
  assert.deepEqual(places(await errorsOf(nameless, 'f')), [
    'f:1 exchange !, field ExchangeId',
    'f:3 user *, field ClientKey',
  ])
  // An unreadable line may be any of the missing records.
  assert.deepEqual(places(await errorsOf(`${text}{\n`, 'f')), [...alone, 'f:9'])
})

test('a rejected run applies nothing and does not raise the revision', async () => {
  const before = await readRevision(db)
  assert.equal((await errorsOf(lines(instrument(50), instrument(51, { Rank: 0 })))).length, 1)
  assert.equal((await errorsOf(lines(instrument(50), instrument(51, { ExchangeId: 'NO' })))).length, 1)
  const { count } = await db
    .selectFrom('instrument')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.deepEqual([count, await readRevision(db)], [2, before])
})

test('lists a hundred errors and counts the rest', async () => {
  const bad = (field: object) => lines(...Array.from({ length: 150 }, (_, index) => instrument(1000 + index, field)))
  for (const field of [{ Rank: 0 }, { ExchangeId: 'NO' }]) {
    const errors = await errorsOf(bad(field))
    assert.equal(errors.length, 101)
    assert.match(errors[99] ?? '', /^f\.ndjson:100 /)
    assert.equal(errors[100], 'and 50 more')
  }
})

test('an error names its file among several', async () => {
  const { errors } = await importTexts(connection, {
    'a.ndjson': lines(instrument(60)),
    'b.ndjson': `\n${lines(instrument(61, { Rank: 0 }))}`,
    'c.ndjson': lines(instrument(62), instrument(63, { Rank: 0 })),
  })
  assert.deepEqual(
    errors.map((error) => error.split(',', 1)[0]),
    ['b.ndjson:2 instrument 61', 'c.ndjson:2 instrument 63'],
  )
  const twice = await importTexts(connection, { 'a.ndjson': lines(instrument(60)), 'b.ndjson': lines(instrument(60)) })
  assert.deepEqual(twice.errors, ['b.ndjson:1 instrument 60: Is a duplicate of a.ndjson:1; send each key once.'])
})

const many = isLongRun ? 100_000 : 20_000
test(`names all three bad lines among ${many} and changes nothing`, async () => {
  const bad = [17, many / 2, many - 1]
  const text = Array.from({ length: many }, (_, index) => {
    const line = index + 1
    const rank = bad.includes(line) ? 0 : line
    return `{"kind":"instrument","Uic":${1_000 + line},"Rank":${rank},"ExchangeId":"LSE","Symbol":"S${line}","Description":"D","CurrencyCode":"GBP","As":[{"AssetType":"Stock"}]}\n`
  }).join('')
  const errors = await errorsOf(text)
  assert.deepEqual(
    errors.map((error) => error.split(':', 2).join(':')),
    bad.map((line) => `f.ndjson:${line} instrument ${1_000 + line}, field Rank`),
  )
  const rows = await db.selectFrom('instrument').select('uic').execute()
  assert.equal(rows.length, 2)
})

test('the command prints errors on standard error and exits with 1', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'bad.ndjson')
  await writeFile(path, lines(instrument(1), instrument(2, { Rank: 0 })))
  const said: string[] = []
  const complaints: string[] = []
  const out = { say: (line: string) => void said.push(line), complain: (line: string) => void complaints.push(line) }
  const code = await importFiles(
    [path],
    {},
    (work) => work({ connection, masterKey, clock: systemClock, config: { secrets: 'listed' } }),
    out,
  )
  assert.deepEqual([code, said], [1, []])
  assert.match(
    complaints.join('\n'),
    /^bad\.ndjson:2 instrument 2, field Rank: Must be a whole number .*\nNothing was changed\.$/,
  )
})
