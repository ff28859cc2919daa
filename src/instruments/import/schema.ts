import { type Static, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { matching, singleLine } from '../../core/schema.ts'
import { TradingStatus } from '../../core/trading-status.ts'
import { OptionAssetType, PutCall, SessionState } from '../api/fields/enums.ts'
import { fieldSchemas } from '../api/fields/fields.ts'
import { Country, Currency, closed, DateTime, Day, ExchangeId, Id, Mic, TickSizeScheme } from '../api/fields/values.ts'

/** The records of reference data, as `refdesk import` reads and `refdesk export` writes them (contract §9). */
const Name = Type.String(singleLine(1, 200))

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export const Weekday = Type.Unsafe<(typeof weekdays)[number]>({ type: 'string', enum: [...weekdays] })

/** Local wall time, 00:00 to 24:00. */
export const TimeOfDay = Type.String({
  ...matching('a time written HH:MM, from 00:00 to 24:00', '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$'),
  description: 'HH:MM, local.',
})

/**
 * A period of the trading days that are named, in the exchange's local time. It ends on the trading day; one that begins
 * the evening before says so. A pause between two periods of the same trading day is a Break.
 */
export const Hours = Type.Array(
  Type.Object(
    {
      Days: Type.Array(Weekday, { minItems: 1, maxItems: 7 }),
      Start: TimeOfDay,
      End: TimeOfDay,
      StartsDayBefore: Type.Optional(Type.Boolean()),
      State: Type.Optional(SessionState),
    },
    closed,
  ),
  { maxItems: 50 },
)
export type Hours = Static<typeof Hours>

export const ExchangeRecord = Type.Object(
  {
    ExchangeId,
    Name,
    CountryCode: Country,
    /** The one that most of it is traded in. */
    Currency: Type.Optional(Currency),
    Mic: Type.Optional(Mic),
    PriceSourceName: Type.Optional(Name),
    TimeZone: Type.String({ maxLength: 60, description: 'An IANA name, such as America/New_York.' }),
    Hours,
    /** Trading days that do not take place. */
    Holidays: Type.Optional(Type.Array(Type.Object({ Date: Day, Name }, closed), { maxItems: 2_000 })),
    /** Trading days that end early, at this local time. */
    EarlyCloses: Type.Optional(
      Type.Array(Type.Object({ Date: Day, Close: TimeOfDay, Name: Type.Optional(Name) }, closed), { maxItems: 2_000 }),
    ),
    /** Trading days that begin late. */
    LateOpens: Type.Optional(
      Type.Array(Type.Object({ Date: Day, Open: TimeOfDay, Name: Type.Optional(Name) }, closed), { maxItems: 2_000 }),
    ),
  },
  closed,
)
export type ExchangeRecord = Static<typeof ExchangeRecord>

/** What is told of an instrument or root beside its details. */
const details = fieldSchemas('common', 'row', 'template', 'onRequest')
const Details = Type.Object(details)
export type Details = Static<typeof Details>

const described = { ...details, ExchangeId: Type.Optional(ExchangeId), IssuerCountry: Type.Optional(Country) }
const Rank = Type.Integer({ minimum: 1, maximum: 4_294_967_294, description: '1 is the most liquid.' })
const Percent = Type.Number({ minimum: -1e9, maximum: 1e9 })

/**
 * Details on the record itself hold for every asset type of `As`; those of an entry of `As` win there. Symbol,
 * Description, CurrencyCode and ExchangeId must be told in one of the two places.
 */
export const InstrumentRecord = Type.Object(
  {
    Uic: Id,
    Isin: Type.Optional(
      Type.String(matching('an ISIN of 12 characters such as US0378331005', '^[A-Z]{2}[A-Z0-9]{9}[0-9]$')),
    ),
    Rank: Type.Optional(Rank),
    OneWeekTotalValueChange: Type.Optional(Percent),
    OneMonthTotalValueChange: Type.Optional(Percent),
    OneYearTotalValueChange: Type.Optional(Percent),
    ReferencePrice: Type.Optional(Type.Number({ minimum: -1e12, maximum: 1e12 })),
    /** Own hours, where they differ from the exchange's; its time zone and holidays hold all the same. */
    Hours: Type.Optional(Hours),
    /** Of a future: the continuous parent whose space it belongs to. */
    ContinuousFuturesUic: Type.Optional(Id),
    /** Of a continuous parent: what its futures' symbols begin with. */
    BaseIdentifier: Type.Optional(Type.String({ minLength: 1, maxLength: 30 })),
    ...described,
    As: Type.Array(Type.Object({ AssetType, ...described }, closed), { minItems: 1, maxItems: 20 }),
  },
  closed,
)
export type InstrumentRecord = Static<typeof InstrumentRecord>

export const OptionRecord = Type.Object(
  {
    Uic: Id,
    PutCall,
    StrikePrice: Type.Number({ minimum: -1e12, maximum: 1e12 }),
    UnderlyingUic: Type.Optional(Id),
    TradingStatus: Type.Optional(TradingStatus),
  },
  closed,
)

export const SeriesRecord = Type.Object(
  {
    Expiry: Day,
    LastTradeDate: Type.Optional(DateTime),
    TickSizeScheme: Type.Optional(TickSizeScheme),
    Options: Type.Array(OptionRecord, { maxItems: 10_000 }),
  },
  closed,
)

export const OptionRootRecord = Type.Object(
  {
    OptionRootId: Id,
    AssetType: OptionAssetType,
    Rank: Type.Optional(Rank),
    /** The root under which this one is listed with others of the same underlying. */
    GroupOptionRootId: Type.Optional(Id),
    Hours: Type.Optional(Hours),
    ...described,
    Series: Type.Array(SeriesRecord, { maxItems: 1_000 }),
  },
  closed,
)
export type OptionRootRecord = Static<typeof OptionRootRecord>
