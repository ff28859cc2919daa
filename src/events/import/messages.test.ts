import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import {
  inEnvelope,
  mt564Text,
  type ReadMessages,
  readMessages,
  seev031Sample,
} from '../../../test/support/events/messages.ts'
import { MessageNode } from '../messages/node.ts'
import { eventsOf, type MessageFormat, messagesIn, PageAssembler } from './messages.ts'
import { EventRecord } from './schema.ts'

const record = Compile(EventRecord)
const samples: [MessageFormat, string][] = [
  ['seev031', seev031Sample],
  ['mt564', inEnvelope(mt564Text)],
]
const read = (format: MessageFormat, text: string) => readMessages(Buffer.from(text), format)
function onlyMessage(format: MessageFormat, text: string) {
  const { messages, errors } = read(format, text)
  assert.deepEqual(errors, [])
  const [message] = messages
  assert.ok(message)
  assert.equal(messages.length, 1)
  return message
}

/** Everything that is kept of a message. */
const contentOf = ({ messages, errors }: ReadMessages): string =>
  JSON.stringify([
    messages.map(({ reference, isin, event, unmapped }) => ({ reference, isin, event, unmapped })),
    errors,
  ])

/** The positions of the values of a sample, found without the parser. */
const valuePatterns: Record<MessageFormat, RegExp[]> = {
  seev031: [/(?<=<[\w:]+(?: Ccy="\w+")?>)[^<>]*[^<>\s][^<>]*(?=<\/)/g, /(?<= Ccy="|envelope" version=")[^"]*/g],
  mt564: [
    /(?<=\{[123]:)[^{}]+(?=\})|\{(108|CHK):\w+\}/g,
    /(?<=^:(?!16|35)\d\d[A-Z]:(?::\w{4}\/\w*\/)?)(?!:)[^\n]+(\n[^:-][^\n]*)*/gm,
    /(?<=^:35B:ISIN )\w+|^\/GB\/\w+|^EXAMPLE \w+/gm,
  ],
}
function valuesIn(format: MessageFormat, text: string): { start: number; end: number }[] {
  return valuePatterns[format]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ index, 0: value }) => ({ start: index, end: index + value.length }))
}

for (const [format, sample] of samples) {
  test(`${format}: produces valid event records`, () => {
    const records = eventsOf(onlyMessage(format, sample), [{ Uic: 7, AssetType: 'Stock' }])
    assert.deepEqual(
      records.map((one) => [...record.Errors(one)]),
      [[]],
    )
  })

  test(`${format}: every value is mapped or unmapped`, () => {
    const { values, unmapped } = onlyMessage(format, sample)
    assert.equal(values, valuesIn(format, sample).length)
    assert.ok(unmapped.length < values)
  })

  test(`${format}: changing any value changes what is kept`, () => {
    const before = contentOf(read(format, sample))
    for (const { start, end } of valuesIn(format, sample)) {
      const value = sample.slice(start, end)
      // Changes the last digit, else the last letter, so that most values stay well-formed.
      const other = /\d/.test(value)
        ? value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
        : `${value.slice(0, -1)}${value.endsWith('X') ? 'Y' : 'X'}`
      assert.notEqual(contentOf(read(format, sample.slice(0, start) + other + sample.slice(end))), before, value)
    }
  })

  test(`${format}: any bytes give messages or errors`, () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      ':',
      '\n',
      '-}',
      '{4:',
      '{1:',
      '<',
      '>',
      '/',
      '<a>',
      ':16R:GENL\n',
      ':28E:1/MORE\n',
      '$',
      '&',
      '\0',
    )
    const noise = fc
      .array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 30 })
      .map((pieces) => pieces.join(''))
    const cut = fc.tuple(fc.nat(sample.length), fc.nat(200), noise)
    const broken = cut.map(([at, length, more]) => sample.slice(0, at) + more + sample.slice(at + length))
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.oneof(noise, broken).map((text) => Buffer.from(text)),
    )
    fc.assert(
      fc.property(bytes, (some) => {
        const { messages, errors } = readMessages(some, format)
        assert.ok(messages.length + errors.length > 0)
        for (const message of messages)
          for (const one of eventsOf(message, [{ Uic: 7, AssetType: 'Stock' }])) assert.ok(record.Check(one))
      }),
      { numRuns: 300 },
    )
  })
}

test('seev031: keeps additional values, with the event unchanged', () => {
  const base = onlyMessage('seev031', seev031Sample)
  const places = [...seev031Sample.matchAll(/(?<=<\/d:\w+>)\s*(?=<d:\w+>)/g)].map(({ index }) => index)
  const value = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /^[^<>&\r]*[^<>&\s][^<>&\r]*$/.test(text))
  const extra = fc.record({ at: fc.constantFrom(...places), name: fc.stringMatching(/^X[a-z]{1,8}$/), value })
  fc.assert(
    fc.property(fc.array(extra, { minLength: 1, maxLength: 5 }), (extras) => {
      const text = extras
        .toSorted((a, b) => b.at - a.at)
        .reduce(
          (all, { at, name, value }) => `${all.slice(0, at)}<${name}>${value}</${name}>${all.slice(at)}`,
          seev031Sample,
        )
      const { event, values, unmapped } = onlyMessage('seev031', text)
      assert.deepEqual(event, base.event)
      assert.equal(values, base.values + extras.length)
      for (const { name, value } of extras)
        assert.ok(unmapped.some(({ Path, Value }) => Path.includes(name) && Value === value))
    }),
    { numRuns: 100 },
  )
})

test('mt564: keeps additional values, with the event unchanged', () => {
  const base = onlyMessage('mt564', mt564Text)
  const lines = mt564Text.split('\n')
  const places = lines.flatMap((line, index) => (/^:(?!16)\d\d/.test(line) && index > 1 ? [index] : []))
  const value = fc.stringMatching(/^[A-Z0-9,.]{1,20}$/)
  const extra = fc.record({ at: fc.constantFrom(...places), name: fc.stringMatching(/^Z[A-Z]{3}$/), value })
  fc.assert(
    fc.property(fc.array(extra, { minLength: 1, maxLength: 5 }), (extras) => {
      const text = extras
        .toSorted((a, b) => b.at - a.at)
        .reduce((all, { at, name, value }) => all.toSpliced(at, 0, `:22F::${name}//${value}`), lines)
      const { event, values, unmapped } = onlyMessage('mt564', text.join('\n'))
      assert.deepEqual(event, base.event)
      assert.equal(values, base.values + extras.length)
      for (const { name, value } of extras)
        assert.ok(unmapped.some(({ Path, Value }) => Path.includes(`22F:${name}`) && Value === value))
    }),
    { numRuns: 100 },
  )
})

test('creates one event per listing; further asset types are part of the EventId', () => {
  const message = onlyMessage('mt564', mt564Text)
  const events = eventsOf(message, [
    { Uic: 7, AssetType: 'Stock' },
    { Uic: 7, AssetType: 'CfdOnStock' },
    { Uic: 9, AssetType: 'CfdOnStock' },
  ])
  assert.deepEqual(
    events.map(({ EventId, Uic, AssetType }) => [EventId, Uic, AssetType]),
    [
      ['OFF2026A1-7', 7, 'Stock'],
      ['OFF2026A1-7-CfdOnStock', 7, 'CfdOnStock'],
      ['OFF2026A1-9', 9, 'CfdOnStock'],
    ],
  )
  const { Source, EventId, Uic, AssetType, ...event } = events[2] ?? {}
  assert.deepEqual(event, message.event)
  assert.deepEqual(Source, { Format: 'mt564', Reference: 'OFF2026A1', Unmapped: [...message.unmapped] })
})

const mtPage = (page: string, ...options: string[]): string => `:16R:GENL
:28E:${page}
:20C::CORP//PAGED1
:23G:NEWM
:22F::CAEV//DVCA
:22F::CAMV//MAND
:25D::PROC//COMP
:16S:GENL
:16R:USECU
:35B:ISIN XS1111111118
:16S:USECU
${options.map((option) => `:16R:CAOPTN\n:13A::CAON//${option}\n:98A::PAYD//20260401\n:16S:CAOPTN\n`).join('')}`
const xmlPage = (page: number, isLast: boolean, option: string): string => `<Document><CorpActnNtfctn>
<Pgntn><PgNb>${page}</PgNb><LastPgInd>${isLast}</LastPgInd></Pgntn>
<CorpActnGnlInf><CorpActnEvtId>PAGED1</CorpActnEvtId><EvtTp><Cd>DVCA</Cd></EvtTp>
<MndtryVlntryEvtTp><Cd>MAND</Cd></MndtryVlntryEvtTp>
<UndrlygScty><FinInstrmId><ISIN>XS1111111118</ISIN></FinInstrmId></UndrlygScty></CorpActnGnlInf>
<CorpActnOptnDtls><OptnNb>${option}</OptnNb></CorpActnOptnDtls></CorpActnNtfctn></Document>`

test('combines the pages of a message in any order', () => {
  const message = onlyMessage(
    'mt564',
    mtPage('2/MORE', '002') + mtPage('1/MORE', '001') + mtPage('3/LAST', '003', '001'),
  )
  assert.deepEqual(
    message.event.Options?.map(({ OptionId }) => OptionId),
    ['001', '002', '003'],
  )
  assert.equal(message.event.EventState, 'Confirmed')
  assert.deepEqual(
    message.unmapped.map(({ Path, Value }) => `${Path}=${Value}`).filter((text) => text.includes('28E')),
    ['GENL/28E=1/MORE', 'Page[2]/GENL/28E=2/MORE', 'Page[3]/GENL/28E=3/LAST'],
  )
})

test('combines pages across files; the position is that of the page read last', () => {
  const pages = new PageAssembler()
  const readFile = (text: string, linesBefore: number) => [
    ...messagesIn(Buffer.from(text), 'seev031', pages, linesBefore),
  ]
  assert.deepEqual(readFile(`\n${xmlPage(2, true, '002')}`, 70), [])
  assert.deepEqual(pages.errors(), [{ line: 72, message: 1, reason: 'Missing pages of PAGED1: 1.' }])
  const [message] = readFile(xmlPage(1, false, '001'), 80)
  assert.ok(message && 'event' in message)
  const ids = message.event.Options?.map(({ OptionId }) => OptionId)
  assert.deepEqual([message.line, ids], [1, ['001', '002']])
  assert.deepEqual(pages.errors(), [])
})

test('reports a malformed value with the line in its own file', () => {
  const pages = new PageAssembler()
  const wrong = mtPage('1/MORE', '001').replace('20260401', '20260431')
  assert.deepEqual([...messagesIn(Buffer.from(wrong), 'mt564', pages, 70)], [])
  assert.deepEqual(
    [...messagesIn(Buffer.from(mtPage('2/LAST', '002').replace('20260401', 'soon')), 'mt564', pages, 100)],
    [
      { line: 14 + 70 - 100, message: 1, reason: 'CAOPTN/98A:PAYD "20260431" is not a valid day.' },
      { line: 14, message: 1, reason: 'Page[2]/CAOPTN/98A:PAYD "soon" is not a valid day such as 20261231.' },
    ],
  )
})

test('reports missing and duplicate pages', () => {
  const reasons = (text: string) =>
    read('mt564', text).errors.map(({ line, message, reason }) => [line, message, reason])
  assert.deepEqual(reasons(mtPage('2/MORE', '001') + mtPage('5/LAST', '002')), [
    [1, 1, 'Missing pages of PAGED1: 1, 3, 4.'],
  ])
  assert.deepEqual(reasons(mtPage('2/LAST', '001')), [[1, 1, 'Missing pages of PAGED1: 1.']])
  assert.deepEqual(reasons(mtPage('99999/MORE')), [
    [1, 1, 'Missing pages of PAGED1: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99988 more, the last.'],
  ])
  assert.deepEqual(reasons(mtPage('1/MORE') + mtPage('1/MORE')), [
    [12, 2, 'Page 1 of PAGED1 occurs more than once.'],
    [1, 1, 'Missing pages of PAGED1: the last.'],
  ])
  assert.deepEqual(reasons(mtPage('1/MORE').replace(':20C::CORP//PAGED1\n', '')), [
    [1, 1, 'The page has no reference of its event.'],
  ])
})

test('limits the values of incomplete messages, each and in total', () => {
  const many = new MessageNode('MANY', 'MANY', 1)
  for (let count = 0; count < 15_000; count++) many.add('22:ZZZZ', 1, 'ABCD')
  const pages = new PageAssembler()
  const add = (reference: string, page: number) => {
    const root = new MessageNode('', '', 1)
    root.add('GENL', 1).add('20:CORP', 1, reference)
    root.adopt(many)
    pages.add({ format: 'mt564', line: 1, root, page, isLast: false }, { number: 1, linesBefore: 0 })
  }
  add('R0', 1)
  assert.throws(() => add('R0', 2), { message: 'Has more than 20000 values.' })
  for (let count = 1; count < 33; count++) add(`R${count}`, 1)
  assert.throws(() => add('R33', 1), { message: 'Too many pages of incomplete messages.' })
})
