import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../api/schema.ts'
import type { EventOption } from '../option-terms.ts'
import { effectOf } from './effect.ts'

const event = { Uic: 7, DisplayAndFormat: { Description: 'Old plc' } } as Event
const credit = { CashMovementType: 'Credit' as const, Currency: 'USD' }
const debit = { CashMovementType: 'Debit' as const, Currency: 'DKK' }
const received = { SecurityMovementType: 'Credit' as const }
const given = { SecurityMovementType: 'Debit' as const }

/** An option, what 420 of it lead to, and what stays open. */
const cases: readonly (readonly [Partial<EventOption>, movements: readonly string[], unknown: RegExp | undefined])[] = [
  [{}, [], /^what you receive or pay$/],
  [{ GrossRate: 0.26, NetRate: 0.182, CashMovements: [credit] }, ['109.2 USD before tax'], undefined],
  [{ CashMovements: [{ ...credit, GrossDividend: 2, NetDividend: 2, Amount: 2 }] }, ['840 USD'], undefined],
  [{ CashMovements: [{ ...credit, NetDividend: 3, Amount: 3 }] }, ['1260 USD after tax'], undefined],
  [{ NetRate: 3 }, [], /rate has no currency/],
  [{ CashMovements: [{ ...credit, PriceType: 'Percentage', GrossDividend: 3 }] }, [], /rate has no currency/],
  [{ CashMovements: [{ ...credit, OfferPrice: 12.4 }] }, ['5208 USD'], undefined],
  [{ CashMovements: [{ ...credit, PriceType: 'Percentage', OfferPrice: 101.5 }] }, [], /percentage/],
  [{ CashMovements: [{ CashMovementType: 'Credit', OfferPrice: 101.5 }] }, [], /no currency/],
  [{ CashMovements: [{ ...credit, Amount: 2.5, Quantity: 1000 }] }, ['1.05 USD'], undefined],
  [{ CashMovements: [{ ...debit, Amount: 5 }] }, ['-2100 DKK'], undefined],
  [{ CashMovements: [{ ...credit, InterestRate: 4.75 }] }, [], /interest/],
  [
    {
      CashMovements: [{ ...debit, SubscriptionPrice: 66.6 }],
      SecurityMovements: [{ ...received, Uic: 7, NewQuantity: 15, OldQuantity: 7 }],
    },
    ['-59940 DKK', '900 Old plc'],
    undefined,
  ],
  [{ CashMovements: [{ ...credit, SubscriptionPrice: 10 }] }, ['-4200 USD'], undefined],
  [
    {
      SecurityMovements: [
        { ...given, HeldQuantity: 8 },
        { ...received, ReceivedQuantity: 1, DisplayAndFormat: { Description: 'New AG' } },
      ],
    },
    ['-420 Old plc', '52.5 New AG'],
    /fractions/,
  ],
  [{ SecurityMovements: [{ ...received, Uic: 9, NewQuantity: 3 }] }, [], /no ratio/],
  [{ SecurityMovements: [{ ...received, OldQuantity: 3 }] }, [], /no ratio/],
  [{ SecurityMovements: [{ ...given, Uic: 9 }] }, ['-420 Uic 9'], undefined],
  [{ SecurityMovements: [{ ...given, DisplayAndFormat: { Symbol: 'NEW:x' } }] }, ['-420 NEW:x'], undefined],
  [
    {
      GrossRate: 2,
      CashMovements: [credit],
      SecurityMovements: [{ ...received, Uic: 7, ReinvestmentPrice: 40, Currency: 'USD' }],
    },
    ['21 Old plc'],
    undefined,
  ],
  [
    { NetRate: 2, CashMovements: [credit], SecurityMovements: [{ ...received, ReinvestmentPrice: 40 }] },
    ['21 Old plc'],
    undefined,
  ],
  [
    {
      NetRate: 2,
      CashMovements: [credit],
      SecurityMovements: [{ ...received, ReinvestmentPrice: 40, Currency: 'EUR' }],
    },
    [],
    /dividend buys/,
  ],
  [{ NetRate: 2, SecurityMovements: [{ ...received, ReinvestmentPrice: 40 }] }, [], /dividend buys/],
  [{ SecurityMovements: [{ ...received, ReinvestmentPrice: 40 }] }, [], /dividend buys/],
  [
    { NetRate: 2, CashMovements: [credit], SecurityMovements: [{ ...received, ReinvestmentPrice: 0 }] },
    [],
    /dividend buys/,
  ],
]

test('an election leads to what the terms say, in money and securities, and says what they leave open', () => {
  for (const [option, movements, unknown] of cases) {
    const effect = effectOf({ OptionId: '1', ...option }, event, 420)
    const texts = effect.movements.map(({ value, unit, note }) => [value, unit, note].filter(Boolean).join(' '))
    assert.deepEqual(texts, movements)
    if (unknown) assert.match(effect.unknown.join('; '), unknown)
    else assert.deepEqual(effect.unknown, [])
  }
})

test('short positions are counted without their sign, and a security without any name is units', () => {
  const option = { OptionId: '1', SecurityMovements: [given] }
  const { movements } = effectOf(option, { Uic: 7 } as Event, -10)
  assert.deepEqual(movements, [{ kind: 'security', value: -10, unit: 'units' }])
  const named = effectOf(option, { Uic: 7, DisplayAndFormat: { Symbol: 'OLD:x' } } as Event, 1)
  assert.equal(named.movements[0]?.unit, 'OLD:x')
})

test('a lapse leads to nothing, and an oversubscription to at most what the terms say', () => {
  const effect = (Code: string, more: Partial<EventOption> = {}) =>
    effectOf({ OptionId: '1', OptionType: { Code }, ...more } as EventOption, event, 420)
  assert.deepEqual(effect('LAPS'), { movements: [], unknown: [], isAtMost: false, isNothing: true })
  assert.equal(effect('LAPS', { CashMovements: [{ ...credit, OfferPrice: 1 }] }).isNothing, false)
  const bought = { CashMovements: [{ ...debit, SubscriptionPrice: 1 }] }
  assert.deepEqual([effect('OVER', bought).isAtMost, effect('EXER', bought).isAtMost], [true, false])
})
