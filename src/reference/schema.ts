import { type Static, Type } from 'typebox'

const text = (description: string) => Type.String({ description })

export const Country = Type.Object(
  {
    A3: text('ISO 3166-1 alpha-3 code.'),
    CountryCode: text('ISO 3166-1 alpha-2 code.'),
    DisplayName: text('The name to display: the English name.'),
    Name: text('The English name.'),
    Numeric: Type.Integer({ description: 'ISO 3166-1 numeric code.' }),
  },
  {
    title: 'Country',
    examples: [{ A3: 'DNK', CountryCode: 'DK', DisplayName: 'Denmark', Name: 'Denmark', Numeric: 208 }],
  },
)
export type Country = Static<typeof Country>

export const Currency = Type.Object(
  {
    CurrencyCode: text('ISO 4217 code.'),
    Decimals: Type.Integer({ description: 'Decimals of an amount.' }),
    Name: text('The English name.'),
    Symbol: text('The symbol, which other currencies may share; the code if it has none.'),
  },
  { title: 'Currency', examples: [{ CurrencyCode: 'USD', Decimals: 2, Name: 'US Dollar', Symbol: '$' }] },
)
export type Currency = Static<typeof Currency>

export const Language = Type.Object(
  {
    LanguageCode: text('ISO 639 code.'),
    LanguageName: text('The English name.'),
    NativeName: text('The name in the language itself.'),
  },
  { title: 'Language', examples: [{ LanguageCode: 'da', LanguageName: 'Danish', NativeName: 'Dansk' }] },
)
export type Language = Static<typeof Language>

export const Culture = Type.Object(
  { CultureCode: text('A language and a country: en-GB.'), Name: text('The English name.') },
  { title: 'Culture', examples: [{ CultureCode: 'en-GB', Name: 'English (United Kingdom)' }] },
)
export type Culture = Static<typeof Culture>

export const TimeZone = Type.Object(
  {
    DisplayName: text('The zone, with the abbreviations of its standard and daylight saving time if it has any.'),
    TimeZoneAbbreviation: text('The current abbreviation: EST in winter, EDT in summer.'),
    TimeZoneId: text('The number that identifies the zone everywhere else, as a string; it never changes.'),
    TimeZoneOffset: text('The current offset from UTC: -05:00:00.'),
    ZoneName: text('The IANA name.'),
  },
  {
    title: 'TimeZone',
    examples: [
      {
        DisplayName: 'America/New York (EST, EDT)',
        TimeZoneAbbreviation: 'EST',
        TimeZoneId: '3',
        TimeZoneOffset: '-05:00:00',
        ZoneName: 'America/New_York',
      },
    ],
  },
)
export type TimeZone = Static<typeof TimeZone>
