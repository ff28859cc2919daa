import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventRecord } from '../../src/events/import/schema.ts'
import {
  account,
  apple,
  bae,
  cancellation,
  idsOf,
  messageDatabase,
  mt564,
  seev031,
  unlisted,
  vodafone,
} from '../support/events/message-import.ts'
import { exportText, importTexts, instrument, lines } from '../support/service/import.ts'

const { connection, exported, remove } = await messageDatabase()
const source = ({ Source }: EventRecord) => Source

test('a message creates one event per listing and keeps unmapped values; importing it again changes nothing', async () => {
  const first = await importTexts(connection, { 'a.xml': seev031('REF1', apple), 'b.fin': mt564('REF2', apple) })
  assert.deepEqual(first.errors, [])
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
    assert.deepEqual([changed.errors, changed.counts], [[], { event: { changed: 1 } }])
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
    assert.deepEqual([back.errors, back.counts], [[], { event: { added: 1 } }])
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
    const { errors, notes } = await importTexts(connection, files)
    assert.deepEqual(errors, [])
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
