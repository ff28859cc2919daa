import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defects } from '../../../test/support/events/message-defects.ts'
import {
  changed,
  inEnvelope,
  mt564Text,
  onlyMessage,
  readMessages,
  seev031Sample,
} from '../../../test/support/events/messages.ts'

for (const { name, format, text, line, reason } of defects)
  test(`${format}: rejects ${name}`, () => {
    const { messages, errors } = readMessages(Buffer.from(text), format)
    assert.deepEqual([messages, errors], [[], [{ line, message: 1, reason }]])
  })

test('accepts a repeated value if it is equal', () => {
  const day = '<d:ExDvddDt><d:Dt>2026-03-12</d:Dt></d:ExDvddDt>'
  const amount = '<d:Amt Ccy="EUR">0.4</d:Amt>'
  const xml = changed(seev031Sample, day, day + day).replace(
    amount,
    `${amount}</d:GrssDstrbtnRate><d:GrssDstrbtnRate>${amount}`,
  )
  assert.deepEqual(onlyMessage('seev031', xml).event, onlyMessage('seev031', seev031Sample).event)
  const fin = changed(mt564Text, ':98A::XDTE//20260312', ':98A::XDTE//20260312\n:98C::XDTE//20260312080000')
  assert.deepEqual(onlyMessage('mt564', inEnvelope(fin)).event, onlyMessage('mt564', mt564Text).event)
})

test("keeps the sender's own elements next to a complete value as unmapped", () => {
  const own = '<o:Dt xmlns:o="urn:own">2026-01-01</o:Dt><d:b>1</d:b>'
  const text = changed(
    seev031Sample,
    '<d:ExDvddDt><d:Dt>2026-03-12</d:Dt>',
    `<d:ExDvddDt>${own}<d:Dt>2026-03-12</d:Dt>`,
  )
  const { event, unmapped } = onlyMessage('seev031', text)
  assert.deepEqual(event, onlyMessage('seev031', seev031Sample).event)
  assert.deepEqual(
    unmapped.filter(({ Path }) => Path.includes('ExDvddDt')),
    [
      { Path: 'CorpActnDtls/DtDtls/ExDvddDt/Dt', Value: '2026-01-01' },
      { Path: 'CorpActnDtls/DtDtls/ExDvddDt/b', Value: '1' },
    ],
  )
})

test('keeps well-formed values in other forms of the standard as unmapped', () => {
  for (const [from, to] of [
    ['<d:Amt Ccy="EUR">0.4</d:Amt>', '<d:Rate>2.5</d:Rate>'],
    ['<d:Amt Ccy="EUR">0.4</d:Amt>', '<d:NotSpcfdRate>UKWN</d:NotSpcfdRate>'],
    ['<d:ExDvddDt><d:Dt>2026-03-12</d:Dt>', '<d:ExDvddDt><d:DtCd><d:Prtry><d:Id>OWN1</d:Id></d:Prtry></d:DtCd>'],
    ['<d:OptnTp><d:Cd>CASH</d:Cd>', '<d:OptnTp><d:Prtry><d:Id>OWN1</d:Id></d:Prtry>'],
    ['<d:QtyToQty><d:Qty1>1</d:Qty1><d:Qty2>4</d:Qty2></d:QtyToQty>', '<d:NotSpcfdRate>UKWN</d:NotSpcfdRate>'],
  ] as const) {
    const value = />([\w.]+)</.exec(to)?.[1]
    const { unmapped } = onlyMessage('seev031', changed(seev031Sample, from, to))
    assert.ok(
      unmapped.some(({ Value }) => Value === value),
      to,
    )
  }
})
