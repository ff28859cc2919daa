import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apple, bae, idsOf, messageDatabase, mt564, seev031, vodafone } from '../support/events/message-import.ts'
import { exportText, importTexts, instrument, lines } from '../support/service/import.ts'

const { connection, exported, remove } = await messageDatabase()
const [cusip, sedol, wkn] = ['037833100', 'BH4HKS3', '865985']

/** Instruments 1 and 2 are listings of Apple; 6 has no ISIN, 7 and 8 share a ticker. */
const named = [
  instrument(1, {
    Isin: apple,
    Identifiers: [
      { Type: 'CUSIP', Value: cusip },
      { Type: 'wkn', Value: wkn },
    ],
    As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }],
  }),
  instrument(4, { Isin: vodafone, Identifiers: [{ Type: 'SEDL', Value: sedol }] }),
  instrument(6, {
    Identifiers: [
      { Type: 'Common code', Value: '012345678' },
      { Type: 'Our own', Value: 'X "1", \\ {2}' },
      { Type: 'AU', Value: '+SFRRZ' },
      { Type: 'RIC', Value: 'VOD.L' },
    ],
  }),
  instrument(7, { Isin: bae, Identifiers: [{ Type: 'Ticker', Value: 'SAME' }] }),
  instrument(8, { Identifiers: [{ Type: 'TIKR', Value: 'SAME' }] }),
]
await importTexts(connection, { 'named.ndjson': lines(...named) })

const [listingsOfApple, vodafones] = [['REF-1', 'REF-1-CfdOnStock', 'REF-2'], ['REF-4']]
const fin = (...identifiers: string[]): string =>
  mt564('REF', apple).replace(`ISIN ${apple}`, `${identifiers.join('\n')}\nSOME NAME`)
const xml = (...identifiers: string[]): string =>
  seev031('REF', apple).replace(`<ISIN>${apple}</ISIN>`, identifiers.join(''))
const other = (id: string, type: string): string => `<OthrId><Id>${id}</Id>${type}</OthrId>`
const coded = (id: string, code: string): string => other(id, `<Tp><Cd>${code}</Cd></Tp>`)
const proprietary = (id: string, name: string): string => other(id, `<Tp><Prtry>${name}</Prtry></Tp>`)

const found: [name: string, file: string, text: string, ids: string[]][] = [
  ['a CUSIP by the country of MT564', 'a.fin', fin(`/US/${cusip}`), listingsOfApple],
  ['a CUSIP by its code in MT564', 'a.fin', fin(`/CUSP/${cusip}`), listingsOfApple],
  ['a SEDOL by the country of MT564', 'a.fin', fin(`/GB/${sedol}`), vodafones],
  ['a WKN by the country of MT564', 'a.fin', fin(`/DE/${wkn}`), listingsOfApple],
  ['a common code in MT564', 'a.fin', fin('/XS/012345678'), ['REF-6']],
  ['another national number in MT564', 'a.fin', fin('/AU/+SFRRZ'), ['REF-6']],
  ['a CUSIP in seev.031', 'a.xml', xml(coded(cusip, 'CUSP')), listingsOfApple],
  ['a SEDOL in seev.031', 'a.xml', xml(coded(sedol, 'SEDL')), vodafones],
  ['a RIC in seev.031', 'a.xml', xml(coded('VOD.L', 'RICC')), ['REF-6']],
  ['a CUSIP as proprietary type', 'a.xml', xml(proprietary(cusip, 'US')), listingsOfApple],
  ['an identifier of the sender', 'a.xml', xml(proprietary('X "1", \\ {2}', 'OUR-OWN')), ['REF-6']],
  ['a national number by the code for its country', 'a.xml', xml(coded('+SFRRZ', 'AUDC')), ['REF-6']],
  [
    'an identifier of the first version',
    'a.xml',
    xml(other(cusip, '<IdSrc><Dmst>US</Dmst></IdSrc>')).replaceAll(/(<\/?)FinInstrmId>/g, (_, start) =>
      start === '<' ? '<SctyId><Id>' : '</Id></SctyId>',
    ),
    listingsOfApple,
  ],
  ['an ISIN in place of a national number', 'a.fin', fin(`/GB/${vodafone}`), vodafones],
  ['one known identifier of several', 'a.fin', fin('/US/000000000', `/GB/${sedol}`), vodafones],
  ['the ISIN before other identifiers', 'a.fin', fin(`ISIN ${vodafone}`, `/US/${cusip}`), vodafones],
]
for (const [name, file, text, ids] of found)
  test(`finds the instruments of a message by ${name}`, async () => {
    const { errors } = await importTexts(connection, { [file]: text })

    assert.deepEqual(errors, [])
    const events = await exported()
    assert.deepEqual(idsOf(events), ids)
    await remove(ids)
  })

test('finds an instrument of the same run, and no longer one that lost its identifier', async () => {
  const record = (Value: string) => lines(instrument(9, { Identifiers: [{ Type: 'CUSIP', Value }] }))
  await importTexts(connection, { 'i.ndjson': record('111111111') })

  const files = { 'i.ndjson': record('222222222'), 'a.fin': fin('/US/222222222') }
  const { errors } = await importTexts(connection, files)
  const lost = await importTexts(connection, { 'a.fin': fin('/US/111111111') })

  assert.deepEqual(errors, [])
  assert.deepEqual(idsOf(await exported()), ['REF-9'])
  assert.equal(lost.errors.length, 1)
  await remove(['REF-9'])
})

test('an identifier that no instrument has is an error that names it, or is skipped on request', async () => {
  const remedy = 'Import an instrument with it (Isin or Identifiers), or skip such messages with --skip-unknown.'
  const messages = [fin('/US/000000000'), fin('/US/000000000', '/GB/0000000'), fin('/XX/SAFE/1')].join('')

  const { errors } = await importTexts(connection, { 'a.fin': messages, 'b.xml': xml(coded('XXX', 'BLOM')) })
  const skipped = await importTexts(connection, { 'a.fin': messages }, { skipsUnknown: true })

  assert.deepEqual(errors, [
    `a.fin:1: Message 1: No instrument has the CUSIP 000000000. ${remedy}`,
    `a.fin:22: Message 2: No instrument has the CUSIP 000000000 or the SEDOL 0000000. ${remedy}`,
    `a.fin:44: Message 3: No instrument has the XX SAFE/1. ${remedy}`,
    `b.xml:6: Message 1: No instrument has the Bloomberg XXX. ${remedy}`,
  ])
  assert.deepEqual(skipped.notes, [
    '3 messages were skipped: no instrument has their identifier: CUSIP 000000000, CUSIP 000000000 or SEDOL 0000000, XX SAFE/1.',
  ])
})

test('an identifier of several securities is an error that names the instruments, even with --skip-unknown', async () => {
  const messages = fin('/TS/SAME') + fin(`/US/${cusip}`, `/GB/${sedol}`)

  const { errors } = await importTexts(connection, { 'a.fin': messages }, { skipsUnknown: true })

  const remedy = 'Remove it from the wrong ones, or give listings of one security the same Isin.'
  assert.deepEqual(errors, [
    `a.fin:1: Message 1: Several securities have the Ticker SAME: instruments 7, 8. ${remedy}`,
    `a.fin:22: Message 2: Several securities have the CUSIP ${cusip} or the SEDOL ${sedol}: instruments 1, 2, 4. ${remedy}`,
  ])
})

test('an identifier without its value or type is an error', async () => {
  const long = 'X'.repeat(36)
  const texts = [coded('', 'CUSP'), '<OthrId><Id>1</Id></OthrId>', coded('1', ''), coded(long, 'CUSP')]
  const path = 'CorpActnGnlInf/UndrlygScty/FinInstrmId/OthrId'
  const problems = [
    `${path}/Id "" is not a valid identifier of up to 35 characters.`,
    `${path} must contain Id and Tp.`,
    `${path}/Tp/Cd "" is not a valid type of an identifier.`,
    `${path}/Id "${long}" is not a valid identifier of up to 35 characters.`,
  ]

  for (const [index, text] of texts.entries())
    assert.deepEqual((await importTexts(connection, { 'a.xml': xml(text) })).errors, [
      `a.xml:11: Message 1: ${problems[index]}`,
    ])
  assert.deepEqual((await importTexts(connection, { 'a.fin': fin('/US/') })).errors, [
    'a.fin:12: Message 1: USECU/35B/Id "/US/" is not a valid identifier such as /US/037833100.',
  ])
})

test('identifiers are exported as imported', async () => {
  const text = await exportText(connection, ['instrument'])
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const byUic = new Map(records.map((record) => [record.Uic, record]))
  for (const record of named) assert.deepEqual(byUic.get(record.Uic), record)
  assert.deepEqual((await importTexts(connection, { 'i.ndjson': text })).counts.instrument, {
    unchanged: records.length,
  })
  assert.equal(await exportText(connection, ['instrument']), text)
})
