import { type Static, Type } from 'typebox'
import { AccessLevel, EntityKey } from '../../access/api/schema.ts'
import { AssetType } from '../../core/asset-type.ts'
import { describe, named, oneOf, optional, requiredByDefault, wireDay } from '../../core/schema.ts'
import { TradingStatus } from '../../core/trading-status.ts'
import { TimeOfDay } from '../import/schema.ts'
import { DisplayHintType, NonTradableReason, OptionAssetType, PutCall, SummaryType } from './fields/enums.ts'
import * as examples from './fields/examples.ts'
import { ofOptionRoots, wireSchemas } from './fields/fields.ts'
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
      'For option roots and FX options: whether the options can be legs of a multi-leg order.',
    ),
    CurrencyCode: Currency,
    Description,
    DisplayHint: Type.Optional(DisplayHintType),
    ExchangeCountry: requiredByDefault(Country, 'The country of the exchange. Not in the vendor profile.'),
    ExchangeId: requiredByDefault(Type.String(), 'The exchange where it is traded.'),
    ExchangeName: requiredByDefault(Type.String(), 'The name of the exchange. Not in the vendor profile.'),
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
    examples: [examples.summaryExample],
    description: 'An instrument or an option root found by search.',
  },
)
export type InstrumentSummary = Static<typeof InstrumentSummary>

const { Uic, AssetType: DetailsAssetType, ...computed } = wireSchemas('computed')

/** An instrument in one of its asset types, as the caller may see and trade it (§6.2). */
export const InstrumentDetails = Type.Object(
  { Uic, AssetType: DetailsAssetType, ...wireSchemas('common', 'row', 'template', 'onRequest'), ...computed },
  {
    title: 'InstrumentDetails',
    examples: [examples.detailsExample],
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
const obsolete = 'Obsolete: only in the vendor profile.'
const rootFields = ofOptionRoots(wireSchemas('common', 'row', 'template'))

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
    DefaultExpiry: optional(WireDay, `The nearest monthly expiry that is more than a week away. ${obsolete}`),
    DefaultOption: optional(SpecificOption, `The call of DefaultExpiry that is nearest to the money. ${obsolete}`),
    Exchange: computed.Exchange,
    GroupOptionRootId: optional(Id, 'The option root under which roots of the same underlying are grouped.'),
    IsTradable: computed.IsTradable,
    NonTradableReason: requiredByDefault(NonTradableReason, 'Why you may not trade it. Not in the vendor profile.'),
    OptionSpace: Type.Array(ContractOptionEntry, { description: 'The unexpired series, nearest expiry first.' }),
    RelatedOptionRoots: computed.RelatedOptionRoots,
    TradableOn: computed.TradableOn,
  },
  { title: 'OptionSpace', examples: [examples.optionSpaceExample], description: 'An option root and its series.' },
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
  {
    title: 'FuturesSpace',
    examples: [examples.futuresSpaceExample],
    description: 'The futures of a continuous future.',
  },
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
    PriceSourceName: optional(Type.String(), 'The source of its prices.'),
    TimeZoneId: Type.String({ description: 'TimeZone as a string, as in the list of time zones.' }),
    ...timeZone,
  },
  { title: 'Exchange', description: 'An exchange and its trading sessions.', examples: [examples.exchangeExample] },
)
export type Exchange = Static<typeof Exchange>

export const ExchangeSchedule = Type.Object(TradingSchedule.properties, {
  title: 'ExchangeSchedule',
  description: 'The regular sessions of an exchange.',
  examples: [examples.exchangeScheduleExample],
})

const DayName = Type.String({ description: 'The name of the day.' })
const ShortDays = Type.Array(
  Type.Object({ Date: Day, Time: TimeOfDay, Name: Type.Optional(DayName) }, { title: 'ShortTradingDay' }),
)

export const ExchangeHolidays = Type.Object(
  {
    ExchangeId,
    Name: Type.String({ description: 'The name of the exchange.' }),
    Mic: optional(Type.String(), 'ISO 10383 market identifier code.'),
    CountryCode: Country,
    TimeZone: Type.String({ description: 'The IANA name of the time zone, such as America/New_York.' }),
    TimeZoneId: Type.String({ description: 'The number of the time zone, as a string.' }),
    Data: Type.Array(Type.Object({ Date: Day, Name: DayName }, { title: 'ExchangeHoliday' }), {
      description: 'The holidays, in order.',
    }),
    EarlyCloses: describe(ShortDays, 'Days that close early, at this local time.'),
    LateOpens: describe(ShortDays, 'Days that open late, at this local time.'),
  },
  { title: 'ExchangeHolidays', examples: [examples.holidaysExample] },
)
export type ExchangeHolidays = Static<typeof ExchangeHolidays>

const RightOwner = named('RightOwner', oneOf('Client', 'Account', 'User'), 'Whom an access right belongs to.')
const DecidingRight = Type.Object(
  {
    Level: AccessLevel,
    Of: describe(RightOwner, 'Whom the right belongs to.'),
    AssetTypes: optional(Type.Array(Type.String()), 'Absent means all.'),
    ExchangeIds: optional(Type.Array(Type.String()), 'Absent means all.'),
  },
  {
    title: 'DecidingRight',
    description: 'The access right that decides: Trade before View, a right of this account before a general one.',
  },
)

const AccountTradability = Type.Object(
  {
    AccountId: Type.String({ description: 'The account id.' }),
    AccountKey: EntityKey,
    Currency,
    MayView: Type.Boolean({ description: 'Whether this account has an access right of any level.' }),
    MayTrade: Type.Boolean({ description: 'Whether this account has a Trade right.' }),
    IsTradable: Type.Boolean({ description: 'Whether the instrument can be traded on this account.' }),
    NonTradableReason: describe(NonTradableReason, 'Why it cannot be traded; None if it can.'),
    Reason: Type.String({ description: 'The same as a sentence.' }),
    Right: Type.Optional(DecidingRight),
  },
  { title: 'AccountTradability' },
)

export const InstrumentTradability = Type.Object(
  {
    __next: Type.Optional(Type.String({ format: 'uri', description: 'The next page of accounts.' })),
    Uic: describe(Id, 'The Uic of the instrument.'),
    AssetType,
    ExchangeId: Type.String({ description: 'The exchange that access rights are compared with.' }),
    IsTradable: Type.Boolean({ description: 'Whether it can be traded on any account, as in its details (3).' }),
    NonTradableReason: describe(NonTradableReason, 'The reason in its details (3).'),
    Accounts: Type.Array(AccountTradability, { description: 'A page of the accounts of your client, by AccountId.' }),
    MaxRows: Type.Integer({ description: 'The maximum number of accounts on a page.' }),
  },
  { title: 'Tradability', examples: [examples.tradabilityExample] },
)
export type InstrumentTradability = Static<typeof InstrumentTradability>

export const ReferencePrice = Type.Object(
  {
    Uic: describe(Id, 'The Uic of the instrument.'),
    ReferencePrice: Type.Number({ description: 'A past price, for finding options near the money.' }),
    CurrencyCode: describe(Currency, 'The currency of the price: GBX for pence.'),
  },
  { title: 'ReferencePrice', examples: [{ Uic: 1000, ReferencePrice: 268.5, CurrencyCode: 'USD' }] },
)
export type ReferencePrice = Static<typeof ReferencePrice>
