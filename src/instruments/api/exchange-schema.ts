import { type Static, Type } from 'typebox'
import { describe } from '../../core/schema.ts'
import { Country, Currency, ExchangeId, Id } from './detail-schema.ts'
import { TradingSchedule } from './schema-details.ts'

export const ExchangeParams = Type.Object({
  ExchangeId: Type.String({
    maxLength: 100,
    description: 'The id of the exchange, in any case.',
    examples: ['NASDAQ'],
  }),
})

const { Sessions, ...zone } = TradingSchedule.properties

/** A row of GET /ref/v1/exchanges. */
export const Exchange = Type.Object(
  {
    AllDay: Type.Boolean({ description: 'Whether it is open at all times in the week ahead.' }),
    CountryCode: Country,
    Currency: Type.Optional(describe(Currency, 'The currency that most of it is traded in, where the data has it.')),
    ExchangeId: describe(ExchangeId, 'The id by which instruments name it.'),
    ExchangeSessions: describe(
      Sessions,
      'Without gaps, in order, from the present one through the closure that ends the trading under way or coming next.',
    ),
    Mic: Type.Optional(Type.String({ description: 'ISO 10383.' })),
    Name: Type.String({ description: 'What it is called.' }),
    ...zone,
  },
  {
    title: 'Exchange',
    description: 'A place where instruments are traded.',
    examples: [
      {
        AllDay: false,
        CountryCode: 'US',
        Currency: 'USD',
        ExchangeId: 'NASDAQ',
        ExchangeSessions: [
          {
            StartTime: '2026-11-13T21:00:00.000000Z',
            EndTime: '2026-11-16T14:30:00.000000Z',
            State: 'Closed',
          },
          {
            StartTime: '2026-11-16T14:30:00.000000Z',
            EndTime: '2026-11-16T21:00:00.000000Z',
            State: 'AutomatedTrading',
          },
          {
            StartTime: '2026-11-16T21:00:00.000000Z',
            EndTime: '2026-11-17T14:30:00.000000Z',
            State: 'Closed',
          },
        ],
        Mic: 'XNAS',
        Name: 'NASDAQ',
        TimeZone: 3,
        TimeZoneAbbreviation: 'EST',
        TimeZoneOffset: '-05:00:00',
      },
    ],
  },
)
export type Exchange = Static<typeof Exchange>

/** GET /ref/v1/currencypairs. */
export const CurrencyPairs = Type.Object(
  {
    CurrencyCode: describe(Currency, 'The first currency of the pairs.'),
    RelatedCurrencies: Type.Array(
      Type.Object(
        {
          CurrencyCode: describe(Currency, 'The second currency of the pair.'),
          Uic: describe(Id, 'The number of the pair, an instrument of the type FxSpot.'),
        },
        { title: 'RelatedCurrency' },
      ),
      { description: 'What it is traded against, by code.' },
    ),
  },
  {
    title: 'CurrencyPairs',
    examples: [{ CurrencyCode: 'EUR', RelatedCurrencies: [{ CurrencyCode: 'USD', Uic: 4000 }] }],
  },
)
export const CurrencyPairsList = Type.Object(
  { Data: Type.Array(CurrencyPairs, { description: 'Each pair once, under its first currency; by code.' }) },
  { title: 'CurrencyPairsList' },
)
