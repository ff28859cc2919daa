import { Type } from 'typebox'
import { oneOf } from '../../../core/schema.ts'
import { ifAny } from './field.ts'

const only = 'Only in the vendor profile.'
const never = (label: string, sentence: string) => ifAny(Type.Boolean(), label, `${sentence} Always false. ${only}`)

/** Members that published clients expect, without a meaning in refdesk (§3). */
export const vendorOnly = {
  AffiliateInfoRequired: never('Affiliate information', 'Whether trading needs information on affiliates.'),
  BondsMarginValue: ifAny(
    Type.Number(),
    'Margin value',
    `The share of the value of a bond that counts as margin collateral, in percent. Always 0. ${only}`,
  ),
  IsBarrierEqualsStrike: never('Barrier at strike', 'Whether the barrier of an option is its strike.'),
  IsOcoOrderSupported: ifAny(
    Type.Boolean(),
    'OCO orders',
    `Whether a limit and a stop order can be placed so that one cancels the other. ${only}`,
  ),
  IsSwitchBySameCurrency: never('Switch in one currency', 'Whether a fund is switched only to funds in its currency.'),
  IsSystematicInternaliser: never('Systematic internaliser', 'Whether orders are executed against own account.'),
  SupportedOrderTriggerPriceTypes: ifAny(
    Type.Array(oneOf('LastTraded')),
    'Trigger prices',
    `The prices that trigger stop orders. ${only}`,
  ),
  TradingSignals: ifAny(oneOf('NotAllowed'), 'Trading signals', `Whether trading signals are shown. ${only}`),
  UnderlyingTypeCategory: ifAny(
    oneOf('Instrument'),
    'Underlying category',
    `Whether the underlying is an instrument or a basket. ${only}`,
  ),
} as const
