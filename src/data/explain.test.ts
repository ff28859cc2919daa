import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, mt564Text, onlyMessage, seev031Sample } from '../../test/support/events/messages.ts'
import { explainMessages } from './explain.ts'
import type { Format, Source } from './sources/sources.ts'

const source = (name: string, format: Format, text: string): Source => ({
  name,
  format,
  size: undefined,
  async *open() {
    yield Buffer.from(text)
  },
})

async function explained(...sources: Source[]) {
  const [said, complained]: [string[], string[]] = [[], []]
  const out = { say: (line: string) => said.push(line), complain: (line: string) => complained.push(line) }
  return { status: await explainMessages(sources, out), said, complained }
}

/** The columns of the lines of a section. */
function rowsOf(said: readonly string[], title: string): string[][] {
  const start = said.findIndex((line) => line.startsWith(title))
  return said.slice(start + 1, said.indexOf('', start)).map((line) => line.trim().split(/ {2,}/))
}

test('seev031: shows fields, values and elements in columns, and what no field holds', async () => {
  const { status, said, complained } = await explained(source('a.xml', 'seev031', seev031Sample))
  assert.deepEqual([status, complained], [0, []])
  assert.equal(said[0], 'a.xml:9: message 1, seev.031 OFF2026A1, ISIN XS1111111118')
  const mapped = rowsOf(said, 'Mapped to fields of the event')
  for (const row of [
    ['Ex', '2026-03-12', 'CorpActnDtls/DtDtls/ExDvddDt/Dt'],
    ['Options[001].Deadline', '2026-04-08T17:00:00-05:00', 'CorpActnOptnDtls/DtDtls/RspnDdln/Dt/DtTm'],
    [
      'Options[002].CashMovements.NetDividend, Currency',
      '0.34',
      'CorpActnOptnDtls[2]/CshMvmntDtls/RateAndAmtDtls/NetDstrbtnRate/Amt',
    ],
    ['EventIndicators.Offer', 'PART', 'CorpActnDtls/OfferTp/Cd'],
    ['Narrative', 'First line. Second line.', 'AddtlInf/AddtlTxt/AddtlInf'],
  ])
    assert.ok(
      mapped.some((one) => one.join() === row.join()),
      row.join(),
    )
  const ends = said.slice(3, 3 + mapped.length).map((line) => line.lastIndexOf('  '))
  assert.equal(new Set(ends).size, 1, 'elements begin in one column')
  assert.deepEqual(
    rowsOf(said, 'Kept in Source').map(([value, path]) => `${path}=${value}`),
    onlyMessage('seev031', seev031Sample).unmapped.map(({ Path, Value }) => `${Path}=${Value}`),
  )
})

test('mt564: every value is shown once', async () => {
  const { said } = await explained(source('a.fin', 'mt564', mt564Text))
  const [mapped, kept] = [rowsOf(said, 'Mapped'), rowsOf(said, 'Kept')]
  assert.equal(mapped.length + kept.length, onlyMessage('mt564', mt564Text).values)
  for (const row of [
    ['EventId, Source.Reference', 'OFF2026A1', 'GENL/20C:COAF'],
    ['Options[001].SecurityMovements.ReceivedQuantity, HeldQuantity', '1,/4,', 'CAOPTN/SECMOVE/92D:ADEX'],
    ['Options[002].GrossRate, CashMovements.Currency', 'EUR0,4', 'CAOPTN[2]/92F:GRSS'],
    ['Options[001].CashMovements.SubscriptionPrice, Currency, PriceType', 'ACTU/EUR9,75', 'CAOPTN/CASHMOVE/90B:PRPP'],
    ['Options[002].PayoutBreakdown', 'INCO/EUR0,3', 'CAOPTN[2]/CASHMOVE/92J:GRSS'],
  ])
    assert.ok(
      mapped.some((one) => one.join() === row.join()),
      row.join(),
    )
  assert.ok(kept.some((one) => one.join() === 'NOTE-0002,GENL/20C:SEME'))
})

test('lists errors with file and line, and the other messages; bounds and escapes values', async () => {
  const wrong = changed(mt564Text, '20260312', '20270231')
  const long = changed(mt564Text, 'EXAMPLE PLC', `\u001b${'x'.repeat(60)}`)
  const page = changed(mt564Text, ':20C::CORP', ':28E:1/MORE\n:20C::CORP')
  const { status, said, complained } = await explained(
    source('a.fin', 'mt564', wrong + long),
    source('b.fin', 'mt564', `\n${page}`),
  )
  assert.deepEqual(complained, [
    'a.fin:23: Message 1: CADETL/98A:XDTE "20270231" is not a valid day.',
    'b.fin:2: Message 1: Missing pages of OURS77: the last.',
  ])
  assert.equal(status, 1)
  assert.equal(said.filter((line) => line.includes(': message ')).length, 1)
  assert.ok(said.some((line) => line.includes(`\\u001b${'x'.repeat(38)}…`)))
  assert.ok(said.every((line) => !line.includes('\u001b')))
})

test('bounds the number of values shown', async () => {
  const many = Array.from({ length: 600 }, (_, index) => `:22F::ZZZZ//${index}\n`).join('')
  const { said } = await explained(source('a.fin', 'mt564', changed(mt564Text, ':98A::ANOU', `${many}:98A::ANOU`)))
  assert.equal(rowsOf(said, 'Kept').length, 501)
  assert.match(said.at(-2) ?? '', /^ {2}and \d+ more$/)
})

test('explains files of messages only', async () => {
  await assert.rejects(explained(source('a.ndjson', 'ndjson', '')), {
    message: 'a.ndjson is not a file of messages. --explain reads .xml (seev.031) and .fin (MT564) files.',
  })
})
