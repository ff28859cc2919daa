import { type Static, type TSchema, Type } from 'typebox'

/** A list that comes whole: it is short, and the same for everybody. */
function ListOf<Row extends TSchema>(title: string, row: Row) {
  return Type.Object({ Data: Type.Array(row, { description: 'All of them.' }) }, { title })
}

const text = (description: string) => Type.String({ description })

/** A row of GET /ref/v1/countries. */
export const Country = Type.Object(
  {
    A3: text('The three letters of ISO 3166-1.'),
    CountryCode: text('The two letters of ISO 3166-1.'),
    Name: text('What it is called in English.'),
    Numeric: Type.Integer({ description: 'The number of ISO 3166-1.' }),
  },
  { title: 'Country', examples: [{ A3: 'DNK', CountryCode: 'DK', Name: 'Denmark', Numeric: 208 }] },
)
export type Country = Static<typeof Country>
export const CountryList = ListOf('CountryList', Country)

/** A row of GET /ref/v1/currencies. */
export const Currency = Type.Object(
  {
    CurrencyCode: text('ISO 4217 code.'),
    Decimals: Type.Integer({ description: 'How many decimals an amount has.' }),
    Name: text('What it is called in English.'),
    Symbol: text('Its sign, which others may have too; the code where it has none.'),
  },
  { title: 'Currency', examples: [{ CurrencyCode: 'USD', Decimals: 2, Name: 'US Dollar', Symbol: '$' }] },
)
export type Currency = Static<typeof Currency>
export const CurrencyList = ListOf('CurrencyList', Currency)

/** A row of GET /ref/v1/languages. */
export const Language = Type.Object(
  {
    LanguageCode: text('ISO 639 code.'),
    LanguageName: text('What it is called in English.'),
    NativeName: text('What it calls itself.'),
  },
  { title: 'Language', examples: [{ LanguageCode: 'da', LanguageName: 'Danish', NativeName: 'Dansk' }] },
)
export type Language = Static<typeof Language>
export const LanguageList = ListOf('LanguageList', Language)

/** A row of GET /ref/v1/cultures. */
export const Culture = Type.Object(
  {
    CultureCode: text('A language and a country: en-GB.'),
    Name: text('What it is called in English.'),
  },
  { title: 'Culture', examples: [{ CultureCode: 'en-GB', Name: 'English (United Kingdom)' }] },
)
export type Culture = Static<typeof Culture>
export const CultureList = ListOf('CultureList', Culture)

/** A row of GET /ref/v1/timezones. */
export const TimeZone = Type.Object(
  {
    DisplayName: text('The zone, with what its time is called in winter and in summer where that has a name.'),
    TimeZoneId: Type.Integer({ description: 'The number that stands for it everywhere else; it never changes.' }),
    ZoneName: text('Its IANA name.'),
  },
  {
    title: 'TimeZone',
    examples: [{ DisplayName: 'America/New York (EST, EDT)', TimeZoneId: 3, ZoneName: 'America/New_York' }],
  },
)
export type TimeZone = Static<typeof TimeZone>
export const TimeZoneList = ListOf('TimeZoneList', TimeZone)
