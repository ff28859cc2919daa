import { type Static, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { describe, optional, wireDay } from '../../core/schema.ts'
import { TradingStatus } from '../../core/trading-status.ts'
import { DisplayHintType, OptionAssetType, PutCall, SummaryType } from './fields/enums.ts'
import {
  detailsExample,
  exchangeExample,
  futuresSpaceExample,
  optionSpaceExample,
  summaryExample,
} from './fields/examples.ts'
import { fieldSchemas } from './fields/fields.ts'
import {
  Country,
  Currency,
  DateTime,
  Day,
  Description,
  ExchangeId,
  Id,
  SymbolText,
  TradingSchedule,
} from './fields/values.ts'

export { TradingSchedule }

export const InstrumentSummary = Type.Object(
  {
    AssetType: describe(AssetType, 'The asset type of this result.'),
    CanParticipateInMultiLegOrder: optional(
      Type.Boolean(),
      'For an option root: whether its options can be legs of a multi-leg order.',
    ),
    CurrencyCode: Currency,
    Description,
    DisplayHint: Type.Optional(DisplayHintType),
    ExchangeId: Type.String({ description: 'The exchange where it is traded.' }),
    GroupId: Type.Integer({ description: 'Instruments with the same GroupId belong together; 0 means none.' }),
    GroupOptionRootId: optional(Id, 'The option root under which roots of the same underlying are grouped.'),
    Identifier: describe(Id, 'The Uic, or the OptionRootId of an option root.'),
    IsKeywordMatch: optional(Type.Boolean(), 'True if the keywords match this result itself.'),
    IssuerCountry: Type.Optional(Country),
    PrimaryListing: optional(Id, 'The Uic of the primary listing.'),
    SummaryType: describe(SummaryType, 'Whether Identifier is a Uic or an OptionRootId.'),
    Symbol: SymbolText,
    TradableAs: optional(Type.Array(AssetType), 'The asset types in which you may trade it.'),
    UnderlyingAssetType: Type.Optional(AssetType),
    UnderlyingUic: optional(Id, 'The Uic of the underlying instrument.'),
  },
  {
    title: 'InstrumentSummary',
    examples: [summaryExample],
    description: 'An instrument or an option root found by search.',
  },
)
export type InstrumentSummary = Static<typeof InstrumentSummary>

const { Uic, AssetType: DetailsAssetType, ...computed } = fieldSchemas('computed')

/** An instrument in one of its asset types, as the caller may see and trade it (§6.2). */
export const InstrumentDetails = Type.Object(
  { Uic, AssetType: DetailsAssetType, ...fieldSchemas('common', 'row', 'template', 'onRequest'), ...computed },
  {
    title: 'InstrumentDetails',
    examples: [detailsExample],
    description: 'The details of an instrument in one of its asset types.',
  },
)
export type InstrumentDetails = Static<typeof InstrumentDetails>

export const SpecificOption = Type.Object(
  {
    PutCall,
    StrikePrice: Type.Number({ description: 'The price at which it can be exercised.' }),
    TradingStatus,
    Uic: describe(Id, 'The Uic of the contract.'),
    UnderlyingUic: optional(Id, 'The Uic of its underlying.'),
  },
  { title: 'SpecificOption', description: 'One option contract of a series.' },
)
export type SpecificOption = Static<typeof SpecificOption>

const WireDay = Type.String({ format: wireDay, description: 'The expiry day of the series.' })
const Days = Type.Integer({ description: 'Calendar days from today at the exchange.' })
const rootFields = fieldSchemas('common', 'row', 'template')

export const ContractOptionEntry = Type.Object(
  {
    DisplayDaysToExpiry: Days,
    DisplayDaysToLastTradeDate: Type.Optional(Days),
    DisplayExpiry: describe(WireDay, 'The first day of the month of Expiry.'),
    Expiry: WireDay,
    LastTradeDate: optional(DateTime, 'The end of trading in the series, UTC.'),
    SpecificOptions: optional(
      Type.Array(SpecificOption),
      'The options by strike, Call before Put. Only in the series that OptionSpaceSegment selects.',
    ),
    TickSizeScheme: rootFields.TickSizeScheme,
  },
  { title: 'ContractOptionEntry', description: 'A series: the options of one expiry.' },
)
export type ContractOptionEntry = Static<typeof ContractOptionEntry>

export const OptionSpace = Type.Object(
  {
    OptionRootId: describe(Id, 'The id of the option root, which is not a Uic.'),
    AssetType: OptionAssetType,
    ...rootFields,
    Exchange: computed.Exchange,
    IsTradable: computed.IsTradable,
    NonTradableReason: computed.NonTradableReason,
    OptionSpace: Type.Array(ContractOptionEntry, { description: 'The unexpired series, nearest expiry first.' }),
    TradableOn: computed.TradableOn,
  },
  { title: 'OptionSpace', examples: [optionSpaceExample], description: 'An option root and its series.' },
)
export type OptionSpace = Static<typeof OptionSpace>

const FuturesSpaceElement = Type.Object(
  {
    DaysToExpiry: Days,
    ExpiryDate: describe(Day, 'The expiry day.'),
    Symbol: describe(SymbolText, 'The symbol of the future.'),
    Uic: describe(Id, 'The Uic of the future.'),
  },
  { title: 'FuturesSpaceElement' },
)

export const FuturesSpace = Type.Object(
  {
    BaseIdentifier: Type.String({ description: 'The common prefix of the symbols of the futures.' }),
    Elements: Type.Array(FuturesSpaceElement, { description: 'The unexpired futures, nearest expiry first.' }),
  },
  { title: 'FuturesSpace', examples: [futuresSpaceExample], description: 'The futures of a continuous future.' },
)
export type FuturesSpace = Static<typeof FuturesSpace>

const { Sessions, ...timeZone } = TradingSchedule.properties

export const Exchange = Type.Object(
  {
    AllDay: Type.Boolean({ description: 'Whether it trades around the clock all through the coming week.' }),
    CountryCode: Country,
    Currency: optional(Currency, 'Its main trading currency, if known.'),
    ExchangeId: describe(ExchangeId, 'The id by which instruments refer to it.'),
    ExchangeSessions: describe(
      Sessions,
      'Sessions in order and without gaps, from the current one to the end of the closure after the current or next ' +
        'trading day.',
    ),
    Mic: optional(Type.String(), 'ISO 10383 market identifier code.'),
    Name: Type.String({ description: 'The name of the exchange.' }),
    ...timeZone,
  },
  { title: 'Exchange', description: 'An exchange and its trading sessions.', examples: [exchangeExample] },
)
export type Exchange = Static<typeof Exchange>
