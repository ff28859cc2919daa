import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CodeTexts, describeCode } from './code-text.ts'
import { eventTypeCodes, eventTypes } from './event-types.ts'
import { indicators, indicatorTexts } from './indicators.ts'
import { optionTypeCodes, optionTypes } from './option-types.ts'
import { payoutTexts } from './payouts.ts'

const expectedEventTypes = `
ACTV, ATTI, BIDS, BMET, BONU, BPUT, BRUP, CAPD, CAPG, CAPI, CERT, CHAN, CLSA, CMET, CONS, CONV, COOP, CREV,
DECR, DETI, DFLT, DLST, DRAW, DRCA, DRIP, DSCL, DTCH, DVCA, DVOP, DVSC, DVSE, EXOF, EXRI, EXTM, EXWA, INCR,
INFO, INTR, LIQU, MCAL, MEET, MRGR, NOOF, ODLT, OMET, OTHR, PARI, PCAL, PDEF, PINK, PLAC, PPMT, PRED, PRIO,
RCLA, REDM, REDO, REMK, RHDI, RHTS, SHPR, SMAL, SOFF, SPLF, SPLR, SUSP, TEND, TNDP, TREC, WRTH, WTRC, XMET,
ACCU
`

const lists: [string, CodeTexts][] = [
  ['event types', eventTypes],
  ['option types', optionTypes],
  ['payouts', payoutTexts],
  ...indicators.map((indicator): [string, CodeTexts] => [indicator, indicatorTexts[indicator]]),
]

test('the event types are complete and in order', () => {
  assert.deepEqual([...eventTypeCodes], expectedEventTypes.trim().split(/,\s+/))
})

test('every option type that a notification can offer is known', () => {
  const offered =
    'ABST BOBD BSPL BUYA CASE CASH CEXC CONN CONY CTEN EXER LAPS MPUT NOAC NOQU OFFR OTHR OVER PRUN QINV SECU SLLE'
  const atMeetings = 'AMGT MNGT PROX SPLI TAXI'
  assert.deepEqual(optionTypeCodes.toSorted(), `${offered} ${atMeetings}`.split(' ').toSorted())
})

for (const [list, texts] of lists) {
  test(`${list}: codes are well-formed, with unique names and a description`, () => {
    const names = Object.values(texts).map(({ Name }) => Name.toLowerCase())
    assert.equal(new Set(names).size, names.length)
    for (const [code, { Name, Description }] of Object.entries(texts)) {
      assert.match(code, /^[A-Z0-9]{4}$/)
      for (const text of [Name, Description]) {
        assert.notEqual(text, '')
        assert.equal(text, text.trim())
      }
      assert.match(Description, /^[A-Z].*\.$/)
    }
  })
}

test('a code gets the name and description of its list unless it has its own', () => {
  assert.deepEqual(describeCode(eventTypes, { Code: 'DVCA' }), { Code: 'DVCA', ...eventTypes.DVCA })
  assert.deepEqual(describeCode(eventTypes, { Code: 'DVCA', Name: 'Dividend' }), {
    Code: 'DVCA',
    Name: 'Dividend',
    Description: eventTypes.DVCA.Description,
  })
  assert.deepEqual(describeCode(payoutTexts, { Code: 'constructor' }), { Code: 'constructor' })
})
