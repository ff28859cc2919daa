import { type Static, Type } from 'typebox'
import { EntityKey } from '../../../access/api/schema.ts'
import { AssetType } from '../../../core/asset-type.ts'
import { describe, listOf, named, oneOf, optional } from '../../../core/schema.ts'
import { AsOf } from '../../../core/time/as-of.ts'
import { TradingStatus } from '../../../core/trading-status.ts'
import { pageQuery } from '../../../http/output/feed.ts'
import { OptionSpaceSegment } from './enums.ts'

/** Operations 1 and 2 (§2.3). */
export const instrumentsPage = { defaultTop: 50, maxTop: 1_000 } as const

/** An integer outside the range of Uics is valid input that matches nothing. */
const AnyUic = Type.Integer()

/** The path of 3 and 6. AssetType is any text, because an unknown one has an error of its own. */
export const InstrumentParams = Type.Object({
  Uic: describe(AnyUic, 'The Uic of the instrument.', { examples: [1000] }),
  AssetType: Type.String({ maxLength: 100, description: 'One of its asset types, in any case.', examples: ['Stock'] }),
})
export type InstrumentParams = Static<typeof InstrumentParams>

export const OptionSpaceParams = Type.Object({
  OptionRootId: describe(AnyUic, 'The id of the option root.', { examples: [1] }),
})

export const FuturesSpaceParams = Type.Object({
  ContinuousFuturesUic: describe(AnyUic, 'The Uic of a continuous future, whose DisplayHint is Continuous.', {
    examples: [5000],
  }),
})

const AccountKey = optional(
  EntityKey,
  'An account of the client: limits results and tradability to what this account may see and trade.',
)
const ClientKey = optional(EntityKey, 'Your own client (the default) or one below it: its access rights apply.')
/** For lists that only depend on what a client or an account may see. */
export const AccessQuery = Type.Object({ AccountKey, ClientKey })
const Names = listOf(Type.String({ maxLength: 100 }), 100)
const FieldGroups = optional(
  Names,
  'Field groups to include: OrderSetting, SupportedOrderTypeSettings, TradingSessions, MarketData. Others are ignored.',
)
const AssetTypes = optional(
  listOf(AssetType),
  'Only these asset types. Without it, search returns each instrument in its main one.',
)
const Tags = optional(
  Names,
  'One display hint. Searches Stock, Etf and Etc unless AssetTypes names some of them. null means none.',
)
const Uics = optional(listOf(AnyUic), 'Only these instruments. Excludes option roots.')
const InstrumentClass = named('InstrumentClass', oneOf('Complex', 'NonComplex'), 'Whether an instrument is complex.')

const change = (period: string, side: 'Minimum' | 'Maximum') =>
  optional(Type.Number(), `${side} change in value over one ${period}, in percent, inclusive.`)

export const SearchQuery = Type.Object({
  ...pageQuery(instrumentsPage),
  AccountKey,
  AsOf,
  AssetTypes,
  CanParticipateInMultiLegOrder: optional(
    Type.Boolean(),
    'Only option roots whose options can, or cannot, be legs of a multi-leg order.',
  ),
  Class: optional(listOf(InstrumentClass), 'Only complex, or only non-complex, instruments; both are all.'),
  ExchangeId: optional(Type.String({ maxLength: 100 }), 'Only this exchange; case-insensitive.'),
  IncludeNonTradable: Type.Boolean({
    default: false,
    description: 'Also return instruments that you may see but not trade.',
  }),
  Keywords: optional(
    Type.String({ maxLength: 500, examples: ['apple'] }),
    'Words that must all match: the start of a word of the description or symbol, or an ISIN.',
  ),
  OneMonthTotalValueChangesFrom: change('month', 'Minimum'),
  OneMonthTotalValueChangesTo: change('month', 'Maximum'),
  OneWeekTotalValueChangesFrom: change('week', 'Minimum'),
  OneWeekTotalValueChangesTo: change('week', 'Maximum'),
  OneYearTotalValueChangesFrom: change('year', 'Minimum'),
  OneYearTotalValueChangesTo: change('year', 'Maximum'),
  Tags,
  Uics,
})

export const DetailsListQuery = Type.Object({
  ...pageQuery(instrumentsPage),
  AccountKey,
  AsOf,
  AssetTypes,
  FieldGroups,
  Tags,
  Uics,
})

export const DetailsQuery = Type.Object({ AccountKey, AsOf, ClientKey, FieldGroups })

/** The query of 5 and 6. */
export const MomentQuery = Type.Object({ AsOf })

export const OptionSpaceQuery = Type.Object({
  AsOf,
  CanParticipateInMultiLegOrder: optional(
    Type.Boolean(),
    'Find the root only if its options can, or cannot, be legs of a multi-leg order.',
  ),
  ClientKey,
  ExpiryDates: optional(
    listOf(Type.String({ format: 'date' })),
    'With SpecificDates, or without OptionSpaceSegment: days, compared with Expiry and DisplayExpiry.',
  ),
  OptionSpaceSegment: optional(
    OptionSpaceSegment,
    'Which series include their options. DefaultDates selects the nearest expiry and the next two monthly ones. By default ' +
      'SpecificDates with ExpiryDates; else None, or DefaultDates with COMPAT=vendor.',
  ),
  TradingStatus: optional(TradingStatus, 'Only options with this status; NotDefined means any.'),
  UnderlyingUic: optional(AnyUic, 'With OptionSpaceSegment=UnderlyingUic: the underlying of the options.'),
})
export type OptionSpaceQuery = Static<typeof OptionSpaceQuery>
