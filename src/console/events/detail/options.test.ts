import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../events/api/schema.ts'
import type { EventOption } from '../../../events/rules/status/deadlines.ts'
import { termsOf } from './options.ts'

const event = { Uic: 7, DisplayAndFormat: { Description: 'Old plc' } } as Event
const terms = (option: Partial<EventOption>) => {
  const { receive, pay } = termsOf({ OptionId: '1', ...option }, event)
  return [receive, pay]
}
const credit = { CashMovementType: 'Credit', Currency: 'USD' } as const
const security = { SecurityMovementType: 'Credit' } as const

test('summarizes what the holder of an option receives and pays', () => {
  for (const [option, ...expected] of [
    [{}, [], []],
    [{ GrossRate: 0.26, NetRate: 0.182, CashMovements: [credit] }, ['0.26 USD each, 0.182 after tax'], []],
    [{ CashMovements: [{ ...credit, GrossDividend: 2, NetDividend: 2, Amount: 2 }] }, ['2 USD each'], []],
    [{ NetRate: 3 }, ['3 each, after tax'], []],
    [{ CashMovements: [{ ...credit, PriceType: 'Percentage', OfferPrice: 101.5 }] }, ['101.5 % each'], []],
    [{ CashMovements: [{ ...credit, Amount: 2.5, Quantity: 1000 }] }, ['2.50 USD for 1,000'], []],
    [{ CashMovements: [{ ...credit, InterestRate: 4.75 }] }, ['interest of 4.75 %'], []],
    [
      {
        CashMovements: [{ CashMovementType: 'Debit', Currency: 'DKK', SubscriptionPrice: 66.6 }],
        SecurityMovements: [{ ...security, Uic: 7, NewQuantity: 15, OldQuantity: 7 }],
      },
      ['15 new for 7 held'],
      ['66.60 DKK for each'],
    ],
    [{ CashMovements: [{ CashMovementType: 'Debit', Currency: 'EUR', Amount: 5 }] }, [], ['5 EUR each']],
    [
      {
        SecurityMovements: [
          { SecurityMovementType: 'Debit', OldQuantity: 2 },
          { ...security, ReceivedQuantity: 1, DisplayAndFormat: { Description: 'New AG' } },
        ],
      },
      ['1 New AG for 2 held'],
      [],
    ],
    [
      { SecurityMovements: [{ ...security, NewQuantity: 3, DisplayAndFormat: { Description: 'Old plc' } }] },
      ['3 new'],
      [],
    ],
  ] as const satisfies readonly (readonly [Partial<EventOption>, string[], string[]])[])
    assert.deepEqual(terms(option), expected)
})
