import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TradeFacts, tradeSentence } from './trade-sentence.ts'
import type { AccessRight } from './visibility.ts'

const trade: AccessRight = { userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' }
const view: AccessRight = { ...trade, accountKey: 'k1', level: 'View' }
const own: AccessRight = { ...trade, userKey: 'ada' }
const facts: TradeFacts = {
  accountId: '100',
  assetType: 'Stock',
  exchangeId: 'NYSE',
  displayHint: undefined,
  right: trade,
  reason: 'None',
  hasOwnRights: false,
}

const noRight = 'NotOnlineClientTradable'
const may = 'Account 100 may trade Stock on NYSE under a right of the client'
const sees = 'Account 100 may only view Stock on NYSE, under a right of this account'
const without = 'Account 100 has no right to Stock on NYSE'
const index = { reason: 'OtherReason', assetType: 'StockIndex' } as const

const said: [Partial<TradeFacts>, string][] = [
  [{}, `${may}.`],
  [{ right: own }, 'Account 100 may trade Stock on NYSE under your own right.'],
  [{ right: view, reason: noRight }, `${sees}; trading requires a Trade right.`],
  [{ right: undefined, reason: noRight }, `${without}; trading requires a Trade right.`],
  [
    { right: undefined, reason: noRight, hasOwnRights: true },
    `${without}: only your own rights apply, and none covers it; trading requires a Trade right.`,
  ],
  [{ reason: 'ExpiredInstrument' }, `${may}, but the instrument has expired.`],
  [{ right: view, reason: 'ExpiredInstrument' }, `${sees}, and the instrument has expired.`],
  [{ right: undefined, reason: 'ExpiredInstrument' }, `${without}, and the instrument has expired.`],
  [{ reason: 'ReduceOnlyInstrument' }, `${may}, but positions in the instrument can only be reduced.`],
  [{ reason: 'OtherReason' }, `${may}, but the instrument is not open for trading.`],
  [index, `${may.replace('Stock', 'StockIndex')}, but an index cannot be traded.`],
  [
    { reason: 'OtherReason', displayHint: 'Continuous' },
    `${may}, but a continuous future cannot be traded; trade its dated futures.`,
  ],
]

test('one sentence names account, asset type, exchange and right, then the reason against trading', () => {
  for (const [some, sentence] of said) assert.equal(tradeSentence({ ...facts, ...some }), sentence)
})
