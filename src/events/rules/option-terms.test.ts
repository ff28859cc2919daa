import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEvent, anOption, type EventOption } from '../../../test/support/events/event.ts'
import type { Event } from '../api/schema.ts'
import {
  dayOrInstant,
  isOpen,
  isPast,
  isSet,
  movesOnlySecurities,
  optionName,
  rateOf,
  termsOf,
} from './option-terms.ts'

type Cash = NonNullable<EventOption['CashMovements']>[number]
type Securities = NonNullable<EventOption['SecurityMovements']>[number]

const option = (more: Partial<EventOption>) => anOption('1', 'Cash', more)
const terms = (more: Partial<EventOption>, event: Partial<Event> = {}) => termsOf(option(more), anEvent(event))
const credit = (more: Partial<Cash>): Cash => ({ CashMovementType: 'Credit', Currency: 'USD', ...more })
const cash = (...movements: Partial<Cash>[]) => ({ CashMovements: movements.map(credit) })
const securities = (...movements: Partial<Securities>[]) => ({
  SecurityMovements: movements.map((more): Securities => ({ SecurityMovementType: 'Credit', ...more })),
})

test('recognises unavailable options, unset dates and past deadlines', () => {
  assert.deepEqual(
    ([undefined, 'Unknown', 'Inactive', 'Cancelled'] as const).map((OptionStatus) =>
      isOpen(option(OptionStatus ? { OptionStatus } : {})),
    ),
    [true, true, false, false],
  )
  assert.deepEqual([isSet('2026-12-31'), isSet('9999-12-31T00:00:00Z')], [true, false])
  const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
  assert.deepEqual(
    [isPast('2026-11-16T12:00:00.000000Z', now), isPast('2026-11-16T11:59:59.999999Z', now)],
    [false, true],
  )
})

test('a deadline without a time is a day, which is past when it is over', () => {
  assert.deepEqual(
    ['2026-11-16', '2026-11-16T00:00:00Z', '2026-11-16T00:00:00.000000Z', '2026-11-16T12:00:00.000000Z'].map(
      dayOrInstant,
    ),
    ['2026-11-16', '2026-11-16', '2026-11-16T00:00:00.000000Z', '2026-11-16T12:00:00.000000Z'],
  )
  const isPastAt = (now: string) => isPast('2026-11-16T00:00:00Z', Temporal.Instant.from(now))
  assert.deepEqual(['2026-11-16T00:00:01Z', '2026-11-16T23:59:59Z', '2026-11-17T00:00:00Z'].map(isPastAt), [
    false,
    false,
    true,
  ])
})

test('names an option by number and type', () => {
  assert.equal(optionName(option({})), '1 Cash')
  assert.equal(optionName({ OptionId: '1', OptionType: { Code: 'CASH' } }), '1 CASH')
  assert.equal(optionName({ OptionId: '1' }), '1')
})

test('shows a rate with its currency or as a percentage, gross and net if they differ', () => {
  assert.deepEqual(terms({ GrossRate: 0.91, NetRate: 0.77, ...cash({}) }), ['0.91 USD gross a share (0.77 net)'])
  assert.deepEqual(terms({ GrossRate: 0.91, ...cash({}) }), ['0.91 USD gross a share'])
  assert.deepEqual(terms({ NetRate: 0.77, ...cash({}) }), ['0.77 USD net a share'])
  assert.deepEqual(terms({ GrossRate: 0.91, NetRate: 0.91, ...cash({}) }), ['0.91 USD a share'])
  assert.deepEqual(terms({ GrossRate: 0.91, ...cash({}) }, { AssetType: 'Rights' }), ['0.91 USD gross each'])
  assert.deepEqual(terms({ GrossRate: 0.91, NetRate: 0.77 }), ['rate 0.91 gross (0.77 net)'])
  const coupon = cash({ PriceType: 'Percentage', InterestRate: 2.5 })
  assert.deepEqual(terms({ GrossRate: 2.5, NetRate: 2.5, ...coupon }, { AssetType: 'Bond' }), ['2.5 %'])
})

test('takes the rate from a movement if the option has none', () => {
  const dividends = cash({ Currency: 'EUR' }, { GrossDividend: 0.91 }, { NetDividend: 0.77 })
  assert.deepEqual(rateOf(option(dividends)), { gross: 0.91, net: 0.77, unit: 'USD' })
  assert.deepEqual(rateOf(option(cash({ NetDividend: 0.77 }))), { gross: undefined, net: 0.77, unit: 'USD' })
  assert.equal(rateOf(option(cash({ OfferPrice: 1 }))), undefined)
  assert.equal(rateOf(option({})), undefined)
})

test('shows prices, amounts and interest once', () => {
  assert.deepEqual(terms(cash({ OfferPrice: 55.25, Currency: 'CHF' })), ['offer 55.25 CHF'])
  assert.deepEqual(terms({ CashMovements: [{ CashMovementType: 'Credit', OfferPrice: 55.25 }] }), ['offer 55.25'])
  assert.deepEqual(terms(cash({ SubscriptionPrice: 66.6 }, { SubscriptionPrice: 66.6 })), ['subscription 66.6 USD'])
  assert.deepEqual(terms(cash({ Amount: 1.1 })), ['1.1 USD a share'])
  assert.deepEqual(terms(cash({ Amount: 1.1, CashMovementType: 'Debit' })), ['1.1 USD a share to pay'])
  assert.deepEqual(terms(cash({ Amount: 2.5, Quantity: 1000 })), ['2.5 USD for 1000'])
  assert.deepEqual(terms({ GrossRate: 3.5, ...cash({ Amount: 3.5 }) }), ['3.5 USD gross a share'])
  const percentage = cash({ PriceType: 'Percentage', OfferPrice: 101, Amount: 2, InterestRate: 1.5 })
  assert.deepEqual(terms(percentage), ['offer 101 %', '2 %', 'interest 1.5 %'])
})

test('a ratio shows whether the held securities are given up, even in another movement', () => {
  assert.deepEqual(terms(securities({ NewQuantity: 25, OldQuantity: 1 })), ['25 new for 1 old'])
  assert.deepEqual(terms(securities({ ReceivedQuantity: 1, HeldQuantity: 10 })), ['1 new for 10 held'])
  assert.deepEqual(terms(securities({ OldQuantity: 10 }, { NewQuantity: 1 })), ['1 new for 10 old'])
  assert.deepEqual(terms(securities({ NewQuantity: 1 })), ['1 new'])
})

test('names received securities that differ from the instrument', () => {
  const named = (more: Partial<Securities>) => terms(securities({ ReceivedQuantity: 1, HeldQuantity: 2, ...more }))
  assert.deepEqual(named({ DisplayAndFormat: { Description: 'Space Inc.', Symbol: 'S' } }), [
    '1 new Space Inc. for 2 held',
  ])
  assert.deepEqual(named({ DisplayAndFormat: { Symbol: 'S:xnas' } }), ['1 new S:xnas for 2 held'])
  assert.deepEqual(named({ DisplayAndFormat: { IsinCode: 'US0000000001' } }), ['1 new ISIN US0000000001 for 2 held'])
  assert.deepEqual(named({ Uic: 5, DisplayAndFormat: {} }), ['1 new for 2 held'])
  assert.deepEqual(named({ Uic: 211, DisplayAndFormat: { Description: 'Old Name' } }), ['1 new for 2 held'])
  assert.deepEqual(named({ DisplayAndFormat: { Description: 'Apple Inc.' } }), ['1 new for 2 held'])
  assert.deepEqual(named({ DisplayAndFormat: { Description: 'x'.repeat(90) } }), [`1 new ${'x'.repeat(80)} for 2 held`])
  const { DisplayAndFormat: _, ...nameless } = anEvent()
  assert.deepEqual(termsOf(option(securities({ NewQuantity: 1 })), nameless), ['1 new'])
})

test('an option without cash amounts that delivers securities moves only securities', () => {
  const split = securities({ NewQuantity: 1, OldQuantity: 10 })
  assert.equal(movesOnlySecurities(option(split)), true)
  assert.equal(movesOnlySecurities(option({ ...split, ...cash({ Quantity: 1 }) })), true, 'fractions')
  assert.equal(movesOnlySecurities(option({ ...split, ...cash({ Amount: 1.1 }) })), false)
  assert.equal(movesOnlySecurities(option({ ...split, GrossRate: 1 })), false)
  assert.equal(movesOnlySecurities(option(securities({ SecurityMovementType: 'Debit' }))), false)
  assert.equal(movesOnlySecurities(option({})), false)
})
