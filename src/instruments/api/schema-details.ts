import { type Static, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { describe, describeMembers, wireDay } from '../../core/schema.ts'
import { Country, DateTime, Day, details, ExchangeId, Id, SymbolText } from './detail-schema.ts'
import { NonTradableReason, OptionAssetType, PutCall, SessionState, TradingStatus } from './enums.ts'
import { detailsExample, futuresSpaceExample, optionSpaceExample, scheduleExample } from './examples.ts'

/** Each member of §2.6 and of its additional list, in words. */
const texts: Record<keyof typeof details, string> = {
  AmountDecimals: 'How many decimals the amount to trade may have.',
  CanParticipateInMultiLegOrder: 'Whether the option root can be traded in strategies of several legs.',
  ContractSize: 'Units of the underlying in one contract.',
  CurrencyCode: 'The currency that it is traded in, ISO 4217.',
  DefaultAmount: 'The amount that a trade ticket begins with.',
  DefaultSlippage: 'How far the price may move against an order by default.',
  DefaultSlippageType: 'The unit of DefaultSlippage.',
  Description: 'What it is, in English.',
  DisplayHint: 'How a client should show it.',
  ExerciseStyle: 'American: exercised on any day; European: on the last one.',
  ExpiryDate: 'The last day of a future, a CFD on one, or an option contract.',
  Format: 'How its prices are written. Without Format.Format they are plain decimals.',
  FxForwardMaxForwardDate: 'The latest value date of a forward.',
  FxForwardMinForwardDate: 'The earliest value date of a forward.',
  GroupId: 'Instruments of one group belong together; 0 is no group.',
  IncrementSize: 'The step in which the amount grows.',
  IsComplex: 'Whether it counts as a complex instrument.',
  IsRedemptionByAmounts: 'Whether a fund is redeemed by amount of money, not by units.',
  LotSize: 'Contracts in a lot.',
  LotSizeType: 'Whether amounts other than whole lots can be traded.',
  MinimumLotSize: 'The fewest contracts that can be traded.',
  MinimumOrderValue: 'Amount times price must be at least this.',
  MinimumTradeSize: 'The smallest amount that can be traded.',
  NoticeDate: 'The first day on which a future may be delivered.',
  OrderDistances: 'How far from the price orders are placed by default.',
  OrderSetting: 'The bounds of an order. Only with FieldGroups=OrderSetting.',
  PriceCurrency: 'The currency that the price is told in, where it is another one.',
  PriceToContractFactor: 'What a price is multiplied by for the price of one contract.',
  PrimaryListing: 'The Uic of the primary listing.',
  RelatedInstruments: 'Instruments that have to do with this one, as far as you may see them.',
  RelatedOptionRootsEnhanced: 'Option roots that have to do with this one, as far as you may see them.',
  SettlementStyle: 'Whether money or the underlying changes hands in the end.',
  StandardAmounts: 'Amounts for the list of a trade ticket.',
  SupportedOrderTypes: 'The kinds of order that can be placed.',
  SupportedOrderTypeSettings: 'How long each kind of order may last. Only with FieldGroups=SupportedOrderTypeSettings.',
  SupportedStrategies: 'The option strategies that can be traded.',
  Symbol: 'Its symbol, with the lower-case MIC of its exchange where it has one: AAPL:xnas.',
  TickSize: 'The smallest movement of the price.',
  TickSizeScheme: 'The smallest movement by price: the first element whose HighPrice is not below the price.',
  TradingStatus: 'Whether it is open to trading for anybody.',
  UnderlyingAssetType: 'The asset type of what it is derived from.',
  UnderlyingUic: 'The Uic of what it is derived from.',
}

const describedDetails = describeMembers(details, texts)

export const ExchangeSummary = Type.Object(
  {
    CountryCode: Country,
    ExchangeId,
    Name: Type.String({ description: 'What it is called.' }),
    PriceSourceName: Type.Optional(Type.String({ description: 'Who its prices are from.' })),
    TimeZoneId: Type.Optional(Type.String({ description: 'The number of its time zone, as text.' })),
  },
  { title: 'ExchangeSummary', description: 'The exchange; of a CFD that of its underlying.' },
)
export type ExchangeSummary = Static<typeof ExchangeSummary>

export const TradingSchedule = Type.Object(
  {
    Sessions: Type.Array(
      Type.Object(
        {
          StartTime: describe(DateTime, 'When it begins, UTC.'),
          EndTime: describe(DateTime, 'When it ends and the next one begins, UTC.'),
          State: describe(SessionState, 'What takes place: AutomatedTrading is the regular session.'),
        },
        { title: 'TradingSession' },
      ),
      { description: 'Without gaps, in order, from the start of the present one through the next seven days.' },
    ),
    TimeZone: Type.Integer({ description: 'The number of the exchange’s time zone.' }),
    TimeZoneAbbreviation: Type.String({ description: 'What the time zone is called today: EST, EDT.' }),
    TimeZoneOffset: Type.String({ description: 'Its present distance from UTC: -05:00:00.' }),
  },
  { title: 'TradingSchedule', examples: [scheduleExample], description: 'When it is traded.' },
)
export type TradingSchedule = Static<typeof TradingSchedule>

const IsTradable = Type.Boolean({ description: 'Whether the caller may trade it on at least one account.' })
const TradableOn = Type.Array(Type.String(), {
  description: 'The ids of the accounts on which the caller may trade it.',
})

/** An instrument in one of its asset types (§2.6), as the caller may see and trade it. */
export const InstrumentDetails = Type.Object(
  {
    Uic: describe(Id, 'Its number; with the asset type it names the instrument.'),
    AssetType: describe(AssetType, 'As what it is told of here.'),
    ...describedDetails,
    Exchange: ExchangeSummary,
    IsTradable,
    NonTradableReason: describe(NonTradableReason, 'Why the caller cannot trade it; None when they can.'),
    OptionRootId: Type.Optional(describe(Id, 'The root that an option contract belongs to.')),
    PutCall: Type.Optional(describe(PutCall, 'Of an option contract.')),
    StrikePrice: Type.Optional(Type.Number({ description: 'The price at which an option can be exercised.' })),
    TradableAs: Type.Optional(
      Type.Array(AssetType, { description: 'The asset types in which the caller may trade this Uic.' }),
    ),
    TradableOn,
    TradingSessions: Type.Optional(
      describe(TradingSchedule, 'When it is traded. Only with FieldGroups=TradingSessions.'),
    ),
  },
  { title: 'InstrumentDetails', examples: [detailsExample], description: 'An instrument in one asset type.' },
)
export type InstrumentDetails = Static<typeof InstrumentDetails>

export const SpecificOption = Type.Object(
  {
    PutCall,
    StrikePrice: Type.Number({ description: 'The price at which it can be exercised.' }),
    TradingStatus,
    Uic: describe(Id, 'The number of the contract.'),
    UnderlyingUic: Type.Optional(describe(Id, 'The Uic of what it is an option on.')),
  },
  { title: 'SpecificOption', description: 'One option contract of a series.' },
)
export type SpecificOption = Static<typeof SpecificOption>

const DayTime = Type.String({ format: wireDay, description: 'The day on which the series ends.' })
const Days = Type.Integer({ description: 'Calendar days from today at the exchange.' })

/** §2.7. */
export const ContractOptionEntry = Type.Object(
  {
    DisplayDaysToExpiry: Days,
    DisplayDaysToLastTradeDate: Type.Optional(Days),
    DisplayExpiry: describe(DayTime, 'The first day of the month of Expiry.'),
    Expiry: DayTime,
    LastTradeDate: Type.Optional(describe(DateTime, 'Until when the series is traded, UTC.')),
    SpecificOptions: Type.Optional(
      Type.Array(SpecificOption, {
        description: 'By strike, Call before Put. Only where OptionSpaceSegment opens it.',
      }),
    ),
    TickSizeScheme: describedDetails.TickSizeScheme,
  },
  { title: 'ContractOptionEntry', description: 'A series: the options of one expiry.' },
)
export type ContractOptionEntry = Static<typeof ContractOptionEntry>

/** A root tells all that its record does, but for the field groups, which this operation does not know. */
const { OrderSetting: _setting, SupportedOrderTypeSettings: _durations, ...rootDetails } = describedDetails

export const OptionSpace = Type.Object(
  {
    OptionRootId: describe(Id, 'The number of the root, in a space of its own: it is no Uic.'),
    AssetType: OptionAssetType,
    ...rootDetails,
    Exchange: ExchangeSummary,
    IsTradable,
    NonTradableReason: describe(NonTradableReason, 'Why the caller cannot trade its options; None when they can.'),
    OptionSpace: Type.Array(ContractOptionEntry, { description: 'Its series by expiry, without the expired ones.' }),
    TradableOn,
  },
  { title: 'OptionSpace', examples: [optionSpaceExample], description: 'An option root and its series.' },
)
export type OptionSpace = Static<typeof OptionSpace>

export const FuturesSpace = Type.Object(
  {
    BaseIdentifier: Type.String({ description: 'What the symbols of its futures begin with.' }),
    Elements: Type.Array(
      Type.Object(
        {
          DaysToExpiry: Days,
          ExpiryDate: describe(Day, 'Its last day.'),
          Symbol: describe(SymbolText, 'Its symbol.'),
          Uic: describe(Id, 'Its number.'),
        },
        { title: 'FuturesSpaceElement' },
      ),
      {
        description: 'Its futures by expiry, without the expired ones.',
      },
    ),
  },
  { title: 'FuturesSpace', examples: [futuresSpaceExample], description: 'The futures behind a continuous one.' },
)
export type FuturesSpace = Static<typeof FuturesSpace>
