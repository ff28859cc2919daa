import { type Static, type TProperties, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { matching, oneOf, singleLine } from '../../core/schema.ts'
import { TradingStatus } from '../../core/trading-status.ts'
import { OptionAssetType, PutCall, SessionState } from '../api/fields/enums.ts'
import { fieldSchemas, ofOptionRoots } from '../api/fields/fields.ts'
import {
  CalendarId,
  Country,
  Currency,
  closed,
  DateTime,
  Day,
  ExchangeId,
  Id,
  Mic,
  TickSizeScheme,
} from '../api/fields/values.ts'

/** The records of reference data, as imported and exported (§9.1). */
const Name = Type.String(singleLine(1, 200))

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const Weekday = oneOf(...weekdays)

export const TimeOfDay = Type.String({
  ...matching('a time written HH:MM, from 00:00 to 24:00', '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$'),
  description: 'HH:MM, local.',
})

/** Trading periods in the exchange's local time. A period ends on its trading day and may start the day before. The gap
 *  between two periods of a trading day is a Break. */
export const Hours = Type.Array(
  Type.Object(
    {
      Days: Type.Array(Weekday, { minItems: 1, maxItems: 7 }),
      Start: TimeOfDay,
      End: TimeOfDay,
      StartsDayBefore: Type.Optional(Type.Boolean()),
      State: Type.Optional(SessionState),
    },
    { ...closed, examples: [{ Days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], Start: '09:30', End: '16:00' }] },
  ),
  { maxItems: 50 },
)
export type Hours = Static<typeof Hours>

const days = <Members extends TProperties>(members: Members) =>
  Type.Optional(Type.Array(Type.Object(members, closed), { maxItems: 2_000 }))

const TimeZone = Type.String({ maxLength: 60, description: 'An IANA name, such as America/New_York.' })

const specialDays = {
  Holidays: days({ Date: Day, Name }),
  EarlyCloses: days({ Date: Day, Close: TimeOfDay, Name: Type.Optional(Name) }),
  LateOpens: days({ Date: Day, Open: TimeOfDay, Name: Type.Optional(Name) }),
}

/** Trading hours and holidays that exchanges, instruments and option roots refer to. */
export const CalendarRecord = Type.Object(
  {
    CalendarId,
    Name,
    TimeZone,
    Hours,
    ...specialDays,
    /** The currencies that settle on the days of this calendar. */
    Currencies: Type.Optional(Type.Array(Currency, { minItems: 1, maxItems: 50 })),
  },
  closed,
)
export type CalendarRecord = Static<typeof CalendarRecord>

/** An exchange has a calendar, or hours and holidays of its own. */
export const ExchangeRecord = Type.Object(
  {
    ExchangeId,
    Name,
    CountryCode: Country,
    Currency: Type.Optional(Currency),
    Mic: Type.Optional(Mic),
    PriceSourceName: Type.Optional(Name),
    TimeZone,
    CalendarId: Type.Optional(CalendarId),
    Hours: Type.Optional(Hours),
    ...specialDays,
  },
  closed,
)
export type ExchangeRecord = Static<typeof ExchangeRecord>

const details = fieldSchemas('common', 'row', 'template', 'onRequest')
const Details = Type.Object(details)
export type Details = Static<typeof Details>

const instrumentFields = { ...details, ExchangeId: Type.Optional(ExchangeId), IssuerCountry: Type.Optional(Country) }
const Rank = Type.Integer({ minimum: 1, maximum: 4_294_967_294, description: '1 is the most liquid.' })
const Percent = Type.Number({ minimum: -1e9, maximum: 1e9 })

const Identifier = Type.String(singleLine(1, 35))

const ownTimes = {
  /** Overrides the time zone, hours and holidays of the exchange. */
  CalendarId: Type.Optional(CalendarId),
  /** Overrides the hours of the calendar or exchange, but not its time zone and holidays. */
  Hours: Type.Optional(Hours),
}

/** Fields of the record apply to every asset type in `As`; an entry of `As` overrides them. Symbol, Description,
 *  CurrencyCode and ExchangeId are required in either place. */
export const InstrumentRecord = Type.Object(
  {
    Uic: Id,
    Isin: Type.Optional(
      Type.String(matching('an ISIN of 12 characters such as US0378331005', '^[A-Z]{2}[A-Z0-9]{9}[0-9]$')),
    ),
    Identifiers: Type.Optional(
      Type.Array(Type.Object({ Type: Identifier, Value: Identifier }, closed), {
        maxItems: 20,
        description: 'Other identifiers of the security than its ISIN, by which messages find it.',
        examples: [[{ Type: 'CUSIP', Value: '037833100' }]],
      }),
    ),
    Aliases: Type.Optional(
      Type.Array(Name, {
        maxItems: 20,
        description: 'Other names that search finds it by, such as Google for Alphabet.',
      }),
    ),
    Rank: Type.Optional(Rank),
    OneWeekTotalValueChange: Type.Optional(Percent),
    OneMonthTotalValueChange: Type.Optional(Percent),
    OneYearTotalValueChange: Type.Optional(Percent),
    ReferencePrice: Type.Optional(Type.Number({ minimum: -1e12, maximum: 1e12 })),
    ...ownTimes,
    /** Of a currency pair: the days from a trade to its spot date, from which value dates are computed. */
    SpotDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
    /** For a future: its continuous future. */
    ContinuousFuturesUic: Type.Optional(Id),
    /** For a continuous future: the symbol prefix of its futures. */
    BaseIdentifier: Type.Optional(Type.String({ minLength: 1, maxLength: 30 })),
    ...instrumentFields,
    As: Type.Array(Type.Object({ AssetType, ...instrumentFields }, { ...closed, examples: [{ AssetType: 'Stock' }] }), {
      minItems: 1,
      maxItems: 20,
    }),
  },
  closed,
)
export type InstrumentRecord = Static<typeof InstrumentRecord>

const OptionRecord = Type.Object(
  {
    Uic: Id,
    PutCall,
    StrikePrice: Type.Number({ minimum: -1e12, maximum: 1e12 }),
    UnderlyingUic: Type.Optional(Id),
    TradingStatus: Type.Optional(TradingStatus),
  },
  closed,
)

const SeriesRecord = Type.Object(
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
    /** The root under which roots of the same underlying are grouped. */
    GroupOptionRootId: Type.Optional(Id),
    ...ownTimes,
    ...ofOptionRoots(instrumentFields),
    Series: Type.Array(SeriesRecord, { maxItems: 1_000 }),
  },
  closed,
)
export type OptionRootRecord = Static<typeof OptionRootRecord>
