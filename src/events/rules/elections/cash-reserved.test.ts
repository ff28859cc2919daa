import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventOptionRecord } from '../../import/schema.ts'
import { cashReserved } from './cash-reserved.ts'

const price = (SubscriptionPrice: number, Currency = 'DKK') =>
  ({ CashMovementType: 'Debit', Currency, SubscriptionPrice }) as const
const options: EventOptionRecord[] = [
  {
    OptionId: '1',
    CashRequired: true,
    CashMovements: [{ CashMovementType: 'Debit', SubscriptionPrice: 1 }, price(66.6)],
    SecurityMovements: [
      { SecurityMovementType: 'Debit', NewQuantity: 1 },
      { SecurityMovementType: 'Credit', NewQuantity: 15, OldQuantity: 7 },
    ],
  },
  { OptionId: '2', CashRequired: true, CashMovements: [price(2)] },
  { OptionId: '3', CashRequired: true, CashMovements: [price(2, 'EUR')] },
  { OptionId: '4', CashRequired: true },
  { OptionId: '5', CashMovements: [price(2)] },
]
const reserved = (...elected: [OptionId: string, ElectedAmount: number][]) =>
  cashReserved(
    elected.map(([OptionId, ElectedAmount]) => ({ OptionId, ElectedAmount })),
    options,
  )

test('reserves the subscription price of every new unit', () => {
  assert.deepEqual(reserved(['1', 280]), { Currency: 'DKK', Value: 39960 })
  assert.deepEqual(reserved(['1', 280], ['2', -10], ['5', 1]), { Currency: 'DKK', Value: 39980 })
})

test('reserves nothing without a price, in several currencies, or for options that cost nothing', () => {
  assert.equal(reserved(), undefined)
  assert.equal(reserved(['5', 10]), undefined)
  assert.equal(reserved(['9', 10]), undefined)
  assert.equal(reserved(['4', 10]), undefined)
  assert.equal(reserved(['2', 10], ['3', 10]), undefined)
  assert.equal(reserved(['2', 10], ['4', 10]), undefined)
})
