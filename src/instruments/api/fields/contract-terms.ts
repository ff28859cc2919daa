import { Type } from 'typebox'
import { AssetType } from '../../../core/asset-type.ts'
import { optional } from '../../../core/schema.ts'
import * as enums from './enums.ts'
import { common, ifAny, instant, row, template, withInstants } from './field.ts'
import { DateTime, Day, Id, IpoDetails, Positive, StrategyLeg, Text, TimeOfDay } from './values.ts'

/** What a derivative is a contract on. */
export const contractTerms = {
  PutCall: ifAny(
    enums.PutCall,
    'Put or call',
    'A call is the right to buy the underlying at the strike price, a put the right to sell it.',
  ),
  StrikePrice: ifAny(Type.Number(), 'Strike', 'The price at which the option can be exercised.'),
  ExpiryDate: row(
    Day,
    'Expiry',
    'The last day of a future, an option contract or a CFD on a future; the maturity of a bond.',
  ),
  ExpiryDateTime: instant('Expires at', 'The moment at which trading in a future or a CFD on a future ends, UTC.'),
  NoticeDate: row(Day, 'First notice', 'The first day on which a holder of the future may be assigned delivery.'),
  ExerciseStyle: template(enums.ExerciseStyle, 'Exercise style'),
  ExerciseCutOffTime: template(
    TimeOfDay,
    'Exercise by',
    'The time of the day by which an option must be exercised, local to the exchange.',
  ),
  SettlementStyle: template(enums.SettlementStyle, 'Settlement'),
  ContractSize: template(Positive, 'Contract size', 'Units of the underlying per contract.'),
  PriceToContractFactor: template(Positive, 'Price factor', 'The price of a contract is the price times this factor.'),
  OptionRootId: ifAny(Id, 'Option chain', 'The option root of an option contract.'),
  UnderlyingUic: common(Id, 'Underlying', 'The Uic of the underlying instrument.'),
  UnderlyingAssetType: template(AssetType, 'Underlying type', 'The asset type of the underlying instrument.'),
  CanParticipateInMultiLegOrder: template(
    Type.Boolean(),
    'Multi-leg orders',
    'Whether the options can be legs of a multi-leg order.',
  ),
  SupportedStrategies: {
    ...template(
      Type.Array(enums.OptionsStrategyType, { maxItems: 15 }),
      'Strategies',
      'The option strategies that can be traded as one order.',
    ),
    wire: optional(
      Type.Array(enums.SupportedStrategy),
      'The option strategies that can be traded as one order. In the vendor profile also the algorithmic strategies of ' +
        'shares and of contracts on them.',
    ),
  },
  StrategyType: template(enums.StrategyType, 'Strategy'),
  Legs: row(Type.Array(StrategyLeg, { maxItems: 100 }), 'Legs', 'The futures of which a futures strategy is made.'),
  TradingUnitsSingular: template(Text, 'Unit', 'What one unit of a CFD on a future is, such as barrel.'),
  TradingUnitsPlural: template(Text, 'Units', 'The same for several, such as barrels.'),
  IpoDetails: {
    ...template(IpoDetails, 'Public offering', 'The terms of an initial public offering.'),
    toWire: withInstants,
  },
  FxSpotDate: ifAny(DateTime, 'Spot date', 'The day on which a spot trade of today settles, as its midnight.'),
  FxForwardMinForwardDate: template(Day, 'Earliest value date', 'The earliest value date of a forward.'),
  FxForwardMaxForwardDate: template(Day, 'Latest value date', 'The latest value date of a forward.'),
} as const
