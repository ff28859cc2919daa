import { Type } from 'typebox'
import * as enums from './enums.ts'
import { midnight, row, template } from './field.ts'
import { Currency, Days, DeflationFloor, Positive, TimeOfDay } from './values.ts'

/** What a bond pays. Its ExpiryDate, a term of every instrument that ends, is its maturity. */
export const bondTerms = {
  BondType: template(enums.BondType, 'Bond type'),
  CouponType: template(enums.CouponType, 'Coupon type'),
  Coupon: row(Type.Number({ minimum: -100, maximum: 1_000 }), 'Coupon', 'The interest per year, in percent.'),
  IssueDate: midnight('Issued', 'The day on which the bond was issued.'),
  BondIndexRatio: row(
    Positive,
    'Index ratio',
    'By how much inflation has raised the principal since the issue; 1 unless the bond is linked to it.',
  ),
  DeflationFloorProtectionType: template(
    DeflationFloor,
    'Deflation floor',
    'What an inflation-linked bond protects against deflation.',
  ),
} as const

/** How units of a mutual fund are bought from it and sold back to it. */
export const fundTerms = {
  CutOffTimeForSubscriptions: template(
    TimeOfDay,
    'Subscribe by',
    'An order to buy counts for the day if it is placed by this time, local to the exchange.',
  ),
  CutOffTimeForRedemptions: template(
    TimeOfDay,
    'Redeem by',
    'An order to sell counts for the day if it is placed by this time, local to the exchange.',
  ),
  SubscriptionDays: template(Days, 'Days to subscribe', 'Business days from an order to buy to its settlement.'),
  RedemptionDays: template(Days, 'Days to redeem', 'Business days from an order to sell to its settlement.'),
  MinimumTradeSizeCurrency: template(
    Currency,
    'Minimum currency',
    'The currency of MinimumTradeSize and MinimumOrderValue.',
  ),
} as const
