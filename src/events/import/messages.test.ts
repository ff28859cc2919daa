import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import {
  inEnvelope,
  mt564Text,
  onlyMessage,
  type ReadMessages,
  readMessages,
  seev031Sample,
} from '../../../test/support/events/messages.ts'
import { eventsOf, type MessageFormat } from './messages.ts'
import { EventRecord } from './schema.ts'

const record = Compile(EventRecord)
const samples: [MessageFormat, string][] = [
  ['seev031', seev031Sample],
  ['mt564', inEnvelope(mt564Text)],
]
const read = (format: MessageFormat, text: string) => readMessages(Buffer.from(text), format)

/** Everything that is stored of a message. */
const contentOf = ({ messages, errors }: ReadMessages): string =>
  JSON.stringify([
    messages.map(({ reference, identifiers, event, unmapped }) => ({ reference, identifiers, event, unmapped })),
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

  test(`${format}: changing any value changes the stored event`, () => {
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
