import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../src/core/clock.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { importFiles } from '../../src/data/commands.ts'
import type { EventRecord } from '../../src/events/import/schema.ts'
import { parseCall } from '../support/service/command-line.ts'
import { databaseForFile, exchange, exportText, importTexts, instrument, lines } from '../support/service/import.ts'
import { temporaryFolder } from '../support/service/process.ts'
import { masterKey } from '../support/service/service.ts'

const { connection } = await databaseForFile()
const [apple, bae, vodafone, unlisted] = ['US0378331005', 'GB0002634946', 'GB00BH4HKS39', 'XS1111111118']
const [client, account] = [randomEntityKey(), randomEntityKey()]
const world = [
  exchange,
  instrument(1, { Isin: apple, As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] }),
  instrument(2, { Isin: apple }),
  instrument(4, { Isin: vodafone }),
  { kind: 'client', ClientKey: client, ClientId: '1', Name: 'One' },
  { kind: 'account', AccountKey: account, AccountId: '1-1', ClientKey: client, Currency: 'EUR' },
]
await importTexts(connection, { 'world.ndjson': lines(...world) })

/** A dividend in both formats, with a value that no event field holds: the safekeeping account. */
const seev031 = (reference: string, isin: string, more: { prepared?: string; pays?: string } = {}): string =>
  `
<Envelope>
<AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02">
<CreDt>${more.prepared ?? '2026-10-01T08:00:00Z'}</CreDt>
</AppHdr>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:seev.031.001.14">
<CorpActnNtfctn>
  <NtfctnGnlInf><NtfctnTp>NEWM</NtfctnTp>
    <PrcgSts><Cd><EvtCmpltnsSts>COMP</EvtCmpltnsSts><EvtConfSts>CONF</EvtConfSts></Cd></PrcgSts></NtfctnGnlInf>
  <CorpActnGnlInf><CorpActnEvtId>${reference}</CorpActnEvtId>
    <EvtTp><Cd>DVCA</Cd></EvtTp><MndtryVlntryEvtTp><Cd>MAND</Cd></MndtryVlntryEvtTp>
    <UndrlygScty><FinInstrmId><ISIN>${isin}</ISIN></FinInstrmId></UndrlygScty></CorpActnGnlInf>
  <AcctDtls><AcctsListAndBalDtls><SfkpgAcct>SAFE-1</SfkpgAcct></AcctsListAndBalDtls></AcctDtls>
  <CorpActnDtls><DtDtls><RcrdDt><Dt>2026-11-03</Dt></RcrdDt><ExDvddDt><Dt>2026-11-02</Dt></ExDvddDt></DtDtls></CorpActnDtls>
  <CorpActnOptnDtls><OptnNb>001</OptnNb><OptnTp><Cd>CASH</Cd></OptnTp>
    <DfltPrcgOrStgInstr><DfltOptnInd>true</DfltOptnInd></DfltPrcgOrStgInstr>
    <CshMvmntDtls><CdtDbtInd>CRDT</CdtDbtInd>
      <DtDtls><PmtDt><Dt>${more.pays ?? '2026-12-01'}</Dt></PmtDt></DtDtls></CshMvmntDtls></CorpActnOptnDtls>
</CorpActnNtfctn>
</Document>
</Envelope>`.trimStart()

const mt564 = (reference: string, isin: string): string => `{1:F01CUSTXX21A0010000000000}{2:I564BANKXX21X001N}{4:
:16R:GENL
:20C::CORP//${reference}
:20C::SEME//NOTE1
:23G:NEWM
:22F::CAEV//DVCA
:22F::CAMV//MAND
:98C::PREP//20261001080000
:25D::PROC//COMP
:16S:GENL
:16R:USECU
:35B:ISIN ${isin}
:16R:ACCTINFO
:97A::SAFE//SAFE-1
:16S:ACCTINFO
:16S:USECU
:16R:CADETL
:98A::XDTE//20261102
:16S:CADETL
-}
`

/** Only the mandatory fields, and the reason. */
const cancellation = (reference: string, isin: string): string =>
  mt564(reference, isin)
    .replace(':23G:NEWM', ':23G:CANC')
    .replace('20261001080000', '20261002080000')
    .replace(/:16R:CADETL[\s\S]*:16S:CADETL/, ':16R:ADDINFO\n:70E::ADTX//Off.\n:16S:ADDINFO')
    .replace('SAFE-1', 'SAFE-2')

const exported = async (): Promise<EventRecord[]> => {
  const text = await exportText(connection, ['event'])
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
}
const idsOf = (events: EventRecord[]): string[] => events.map(({ EventId }) => EventId)
const source = ({ Source }: EventRecord) => Source
const remove = (ids: string[]) =>
  importTexts(connection, { 'd.ndjson': lines(...ids.map((EventId) => ({ kind: 'event', EventId, delete: true }))) })

test('a message creates one event per listing and keeps unmapped values; importing it again changes nothing', async () => {
  const first = await importTexts(connection, { 'a.xml': seev031('REF1', apple), 'b.fin': mt564('REF2', apple) })
  assert.deepEqual(first.faults, [])
  assert.deepEqual(first.counts, { event: { added: 6 } })
  const [note = ''] = first.notes.filter((one) => one.includes('messages were read'))
  assert.match(
    note,
    /^2 messages were read\. Of their \d+ values \d+ have no member in an event; they are kept as its Source: /,
  )
  for (const path of ['AcctDtls/AcctsListAndBalDtls/SfkpgAcct', 'USECU/ACCTINFO/97A:SAFE'])
    assert.ok(note.includes(path) || note.includes(' more'), note)
  const events = await exported()
  const ids = ['REF1-1', 'REF1-1-CfdOnStock', 'REF1-2', 'REF2-1', 'REF2-1-CfdOnStock', 'REF2-2']
  assert.deepEqual(idsOf(events), ids)
  const [xml, , , fin] = events
  assert.deepEqual([xml?.Uic, xml?.AssetType, xml?.Ex], [1, 'Stock', { Date: '2026-11-02' }])
  assert.deepEqual([xml && source(xml)?.Format, fin && source(fin)?.Format], ['seev031', 'mt564'])
  for (const one of [xml, fin]) assert.ok(one?.Source?.Unmapped?.some(({ Value }) => Value === 'SAFE-1'))
  const again = await importTexts(connection, { 'a.xml': seev031('REF1', apple), 'b.fin': mt564('REF2', apple) })
  assert.deepEqual(again.counts, { event: { unchanged: 6 } })
})

test('a repeated message keeps elections; an NDJSON record without them removes them', async () => {
  const event = (await exported()).find(({ EventId }) => EventId === 'REF1-1')
  assert.ok(event)
  const Holdings = [{ AccountKey: account, CashReserved: { Currency: 'USD', Value: 1 } }]
  await importTexts(connection, { 'e.ndjson': lines({ kind: 'event', ...event, Holdings }) })
  const changed = await importTexts(connection, { 'a.xml': seev031('REF1', apple, { pays: '2026-12-02' }) })
  assert.deepEqual(changed.counts, { event: { changed: 3 } })
  const [found] = await exported()
  assert.deepEqual([found?.Holdings, found?.Options?.[0]?.Payment], [Holdings, { Date: '2026-12-02' }])
  await importTexts(connection, { 'e.ndjson': lines({ kind: 'event', ...event }) })
  assert.equal((await exported())[0]?.Holdings, undefined)
  await remove(idsOf(await exported()))
})

/** An offer with these options, prepared on a day of October. */
const offer = (reference: string, day: string, ids: string[], kind = 'VOLU'): string =>
  mt564(reference, vodafone)
    .replace('CAMV//MAND', `CAMV//${kind}`)
    .replace('20261001', `202610${day}`)
    .replace('-}', `${ids.map((id) => `:16R:CAOPTN\n:13A::CAON//${id}\n:22F::CAOP//CASH\n:16S:CAOPTN\n`).join('')}-}`)

test('keeps elected options that the message no longer has, reports it, and can import its export', async () => {
  const run = (text: string) => importTexts(connection, { 'a.fin': text })
  await run(offer('REF20', '01', ['001', '002']))
  const [event = assert.fail()] = await exported()
  const Holdings = [{ AccountKey: account, Options: [{ OptionId: '002', ElectedAmount: 5 }] }]
  await importTexts(connection, { 'e.ndjson': lines({ kind: 'event', ...event, Holdings }) })
  assert.deepEqual((await run(offer('REF20', '01', ['001', '002']))).counts, { event: { unchanged: 1 } })
  const kept = (what: string) =>
    `1 event keeps elected options that the message no longer has, as Cancelled: REF20-4 (${what}).`
  for (const [text, what, options] of [
    [offer('REF20', '02', ['001', '003']), 'option 002', ['001', '003', '002 Cancelled']],
    [offer('REF20', '03', ['001'], 'MAND'), 'option 002, Electable', ['001', '002 Cancelled']],
    [offer('REF20', '04', ['002'], 'MAND'), 'Electable', ['002']],
  ] as const) {
    const changed = await run(text)
    assert.deepEqual([changed.faults, changed.counts], [[], { event: { changed: 1 } }])
    assert.ok(changed.notes.includes(kept(what)), changed.notes.join('\n'))
    assert.deepEqual((await run(text)).counts, { event: { unchanged: 1 } })
    const before = await exportText(connection, ['event'])
    const [after = assert.fail()] = await exported()
    assert.deepEqual([after.Electable, after.Holdings], ['Electable', Holdings])
    assert.deepEqual(
      after.Options?.map(({ OptionId, OptionStatus = '' }) => `${OptionId} ${OptionStatus}`.trim()),
      options,
    )
    assert.deepEqual((await importTexts(connection, { 'e.ndjson': before })).counts, { event: { unchanged: 1 } })
    await remove(['REF20-4'])
    const back = await importTexts(connection, { 'e.ndjson': before })
    assert.deepEqual([back.faults, back.counts], [[], { event: { added: 1 } }])
    assert.equal(await exportText(connection, ['event']), before)
  }
  await remove(['REF20-4'])
})

test('reports a cancellation of an unknown event', async () => {
  const bare = cancellation('REF21', apple)
  const note =
    '3 cancellations of unknown events, perhaps under another reference: REF21-1, REF21-1-CfdOnStock, REF21-2.'
  assert.ok((await importTexts(connection, { 'a.fin': bare })).notes.includes(note))
  assert.ok(!(await importTexts(connection, { 'a.fin': bare })).notes.includes(note))
  await remove(idsOf(await exported()))
  const both = await importTexts(connection, { 'a.fin': bare + mt564('REF21', apple) })
  assert.ok(!both.notes.some((one) => one.includes('unknown events')), both.notes.join('\n'))
  await remove(idsOf(await exported()))
})

test('the latest of several messages about an event counts, in any order; older ones are skipped', async () => {
  const older = seev031('REF3', apple, { prepared: '2026-10-01T08:00:00Z', pays: '2026-12-01' })
  const newer = seev031('REF3', apple, { prepared: '2026-10-02T08:00:00Z', pays: '2026-12-02' })
  for (const files of [
    { 'a.xml': older, 'b.xml': newer },
    { 'a.xml': newer, 'b.xml': older },
  ]) {
    const { faults, notes } = await importTexts(connection, files)
    assert.deepEqual(faults, [])
    assert.ok(notes.includes('3 records were superseded by later messages about the same event.'))
    for (const { Options } of await exported()) assert.deepEqual(Options?.[0]?.Payment, { Date: '2026-12-02' })
    await remove(idsOf(await exported()))
  }
  await importTexts(connection, { 'b.xml': newer })
  const late = await importTexts(connection, { 'a.xml': older })
  assert.deepEqual(late.counts, {})
  assert.deepEqual(late.notes, [
    '1 message was read.',
    'Skipped 3 records of messages older than the present event: REF3-1, REF3-1-CfdOnStock, REF3-2.',
  ])
  const [{ Source: _, ...event } = assert.fail()] = await exported()
  await importTexts(connection, { 'e.ndjson': lines({ kind: 'event', ...event }) })
  assert.deepEqual((await importTexts(connection, { 'a.xml': older })).counts, { event: { changed: 1 } })
  await remove(idsOf(await exported()))
})

test('a cancellation keeps fields that it does not repeat, in the same run and in another', async () => {
  const [full, bare] = [mt564('REF12', bae), cancellation('REF12', bae)]
  const texts = { 'i.ndjson': lines(instrument(3, { Isin: bae })), 'a.fin': bare, 'b.fin': full }
  assert.deepEqual((await importTexts(connection, texts)).counts, { instrument: { added: 1 }, event: { added: 1 } })
  const [together] = await exported()
  assert.deepEqual(
    [together?.EventState, together?.Ex, together?.Narrative],
    ['Cancelled', { Date: '2026-11-02' }, 'Off.'],
  )
  assert.equal(together?.UpdatedDateTime, '2026-10-02T08:00:00.000000Z')
  const safe = together?.Source?.Unmapped?.filter(({ Path }) => Path.includes('SAFE')).map(({ Value }) => Value)
  assert.deepEqual(safe, ['SAFE-2', 'SAFE-1'])
  assert.deepEqual((await importTexts(connection, texts)).counts, {
    instrument: { unchanged: 1 },
    event: { unchanged: 1 },
  })
  await remove(['REF12-3'])
  await importTexts(connection, { 'b.fin': full })
  assert.deepEqual((await importTexts(connection, { 'a.fin': bare })).counts, { event: { changed: 1 } })
  assert.deepEqual(await exported(), [together])
  await importTexts(connection, {
    'd.ndjson': lines(
      { kind: 'event', EventId: 'REF12-3', delete: true },
      { kind: 'instrument', Uic: 3, delete: true },
    ),
  })
})

test('a received security gets the Uic and names of the instrument with its ISIN', async () => {
  const movement = (isin: string, name = '') =>
    `:16R:SECMOVE\n:22H::CRDB//CRED\n:35B:ISIN ${isin}\n${name}:98A::PAYD//20261201\n:16S:SECMOVE\n`
  const all = [movement(vodafone), movement(vodafone, 'NEW SHARES\n'), movement(apple), movement(unlisted)].join('')
  const options = `:16R:CAOPTN\n:13A::CAON//001\n:22F::CAOP//SECU\n${all}:16S:CAOPTN\n-}`
  await importTexts(connection, { 'a.fin': mt564('REF13', vodafone).replace('-}', options) })
  const [event] = await exported()
  assert.deepEqual(
    event?.Options?.[0]?.SecurityMovements?.map(({ Uic, DisplayAndFormat }) => ({ Uic, ...DisplayAndFormat })),
    [
      { Uic: 4, Description: 'Instrument 4', IsinCode: vodafone, Symbol: 'S4:xlon' },
      { Uic: 4, Description: 'NEW SHARES', IsinCode: vodafone, Symbol: 'S4:xlon' },
      { Uic: undefined, IsinCode: apple },
      { Uic: undefined, IsinCode: unlisted },
    ],
  )
  await remove(['REF13-4'])
})

test('an unknown ISIN is an error with file, line and message; the instrument may be in the same run', async () => {
  const two = mt564('REF4', apple) + mt564('REF5', bae)
  const { faults } = await importTexts(connection, { 'two.fin': two })
  assert.deepEqual(faults, [
    `two.fin:21: Message 2: No instrument has the ISIN ${bae}. Import the instrument too, or skip such messages with --skip-unknown.`,
  ])
  assert.deepEqual(await exported(), [])
  const texts = { 'two.fin': two, 'instrument.ndjson': lines(instrument(3, { Isin: bae })) }
  const dry = await importTexts(connection, texts, { isDryRun: true })
  assert.deepEqual(dry.counts, { instrument: { added: 1 }, event: { added: 4 } })
  assert.deepEqual(await exported(), [])
  const refused = await importTexts(connection, { ...texts, 'instrument.ndjson': lines(instrument(3, { Isin: 'X' })) })
  assert.equal(refused.faults.length, 1)
  assert.match(refused.faults[0] ?? '', /^instrument\.ndjson:1 instrument 3, field Isin/)
})

test('reports unreadable files with their position, and applies nothing', async () => {
  const broken = { 'a.xml': '<Document><CorpActnNtfctn>', 'b.fin': mt564('REF6', apple), 'c.fin': 'no message' }
  const { faults } = await importTexts(connection, broken)
  assert.deepEqual(
    faults.map((fault) => fault.slice(0, 5)),
    ['a.xml', 'c.fin'],
    faults.join('\n'),
  )
  const large = await importTexts(connection, { 'big.fin': Buffer.alloc(32 * 1024 * 1024 + 1, '\n') })
  assert.match(large.faults.join('\n'), /^big\.fin:1: Is larger than 32 MB, unpacked\. Split it /)
  assert.deepEqual(await exported(), [])
})

test('a malformed value is an error and never replaces a known one', async () => {
  await importTexts(connection, { 'good.fin': mt564('REF14', vodafone) })
  const before = await exported()
  const wrong = mt564('REF14', vodafone).replace('20261102', '20270231')
  const { faults } = await importTexts(connection, { 'bd.fin': wrong + wrong, 'b.fin': mt564('REF15', vodafone) })
  assert.deepEqual(faults, [
    'bd.fin:18: Message 1: CADETL/98A:XDTE "20270231" is not a valid day.',
    'bd.fin:38: Message 2: CADETL/98A:XDTE "20270231" is not a valid day.',
  ])
  const late = seev031('REF14', vodafone).replace('<Cd>CASH<', '<Cd>CASSH<')
  assert.match(
    (await importTexts(connection, { 'a.xml': late })).faults.join('\n'),
    /OptnTp\/Cd "CASSH" is not a valid four-letter code/,
  )
  assert.deepEqual(await exported(), before)
  await remove(idsOf(before))
})

test('reports messages with a wrong file ending once, with a remedy', async () => {
  const hint = async (name: string, text: string) => (await importTexts(connection, { [name]: text })).faults
  assert.deepEqual(await hint('a.ndjson', `\n${mt564('REF4', apple)}`), [
    'a.ndjson:2: Is not NDJSON; it looks like an MT564: name it .fin, or use --format mt564.',
  ])
  assert.deepEqual(await hint('a.ndjson', seev031('REF4', apple)), [
    'a.ndjson:1: Is XML, not NDJSON: name it .xml, or use --format seev031.',
  ])
  assert.deepEqual(await hint('a.xml', mt564('REF4', apple)), [
    'a.xml:1: The file looks like MT564, not XML. Name it .fin, or use --format mt564.',
  ])
})

test('combines pages across the files of a run; an incomplete message is reported with its own file', async () => {
  const page = (name: string) => mt564('REF10', apple).replace('\n:20C::CORP', `\n:28E:${name}\n:20C::CORP`)
  const { faults } = await importTexts(connection, { 'p.fin': `\n${page('1/MORE')}`, 'q.fin': mt564('REF11', apple) })
  assert.equal(faults.length, 1)
  assert.match(faults[0] ?? '', /^p\.fin:2: Message 1: Missing pages of REF10: the last\.$/)
  const two = await importTexts(connection, { 'p.fin': `\n${page('1/MORE')}`, 'q.fin': page('3/LAST') })
  assert.deepEqual(two.faults, ['p.fin:2: Message 1: Missing pages of REF10: 2.'])
  const whole = await importTexts(connection, { 'p.fin': page('1/MORE'), 'q.fin': page('2/LAST') }, { isDryRun: true })
  assert.deepEqual(whole.faults, [])
  assert.deepEqual(whole.counts, { event: { added: 3 } })
})

/** Runs the command on files in a folder. */
async function command(files: Record<string, string | Buffer>, ...options: string[]) {
  const folder = await temporaryFolder()
  const [said, complained]: [string[], string[]] = [[], []]
  const out = { say: (line: string) => said.push(line), complain: (line: string) => complained.push(line) }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const paths = Object.keys(files).map((name) => join(folder, name))
  const work = { connection, masterKey, clock: systemClock, config: { secrets: 'listed' } } as const
  const call = await parseCall(['import', ...paths, ...options])
  const status = await importFiles(call.words, call.options, (run) => run(work), out)
  return { status, said, complained }
}

test('the command detects messages by ending or --format, reads gzip, and skips unknown securities on request', async () => {
  const skipped = await command(
    { 'a.xml': seev031('REF7', unlisted), 'b.mt564': mt564('REF8', apple) },
    '--skip-unknown',
  )
  assert.equal(skipped.status, 0, skipped.complained.join('\n'))
  assert.ok(skipped.said.some((line) => /^event +3 +0 +0 +0$/.test(line)))
  assert.ok(skipped.said.includes(`1 message was skipped: no instrument has its ISIN: ${unlisted}.`))
  const other = mt564('REF7', apple).replace(`ISIN ${apple}`, '/US/037833100')
  const without = await command({ 'a.fin': other + mt564('REF8', apple) + other }, '--skip-unknown')
  assert.equal(without.status, 0, without.complained.join('\n'))
  assert.ok(without.said.includes('2 messages were skipped: the security has no ISIN.'))
  assert.deepEqual((await command({ 'a.fin': other })).complained, [
    'a.fin:1: Message 1: The security is not identified by ISIN. Skip such messages with --skip-unknown.',
    'Nothing was changed.',
  ])
  const unknown = await command({ 'a.xml.gz': gzipSync(seev031('REF7', unlisted)) })
  assert.equal(unknown.status, 1)
  assert.match(
    unknown.complained.join('\n'),
    /^a\.xml\.gz:\d+: Message 1: No instrument has .*\nNothing was changed\.$/,
  )
  const others = mt564('REF16', vodafone).replace('I564', 'I566') + mt564('REF17', unlisted)
  const status =
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:seev.039.001.09"><CorpActnCxlAdvc>1</CorpActnCxlAdvc></Document>'
  const inbox = { 'a.fin': others, 'b.xml': status }
  assert.match(
    (await command(inbox, '--skip-unknown')).complained.join('\n'),
    /^a\.fin:1: Message 1: The message is an MT566; only MT564 is supported\. Skip such messages with --skip-other\.\nb\.xml:1: Message 1: The message is seev\.039/,
  )
  const left = await command(inbox, '--skip-unknown', '--skip-other')
  assert.equal(left.status, 0, left.complained.join('\n'))
  assert.deepEqual(left.said, [
    'Nothing changed.',
    `1 message was skipped: no instrument has its ISIN: ${unlisted}.`,
    '2 messages were skipped: neither seev.031 nor MT564.',
  ])
  const found = await command({ 'c.txt': mt564('REF9', apple) }, '--format', 'MT564', '--dry-run')
  assert.equal(found.status, 0, found.complained.join('\n'))
  assert.ok(found.said.some((line) => /^event +3 +0 +0 +0$/.test(line)))
  assert.deepEqual(idsOf(await exported()), ['REF8-1', 'REF8-1-CfdOnStock', 'REF8-2'])
})
