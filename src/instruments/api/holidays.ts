import { Type } from 'typebox'
import { invalid, notFound } from '../../core/problem.ts'
import { describe } from '../../core/schema.ts'
import { wireTimeZoneId } from '../../core/time/time-zones.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type ExchangeRecord, TimeOfDay } from '../import/schema.ts'
import { daysWithin, namedInAnyCase } from '../rules/holidays.ts'
import { Country, Day, ExchangeId } from './detail-schema.ts'

const Params = Type.Object({
  ExchangeId: Type.String({
    maxLength: 100,
    description: 'The id of the exchange, in any case.',
    examples: ['NASDAQ'],
  }),
})
const Period = Type.Object({
  FromDate: Type.Optional(describe(Day, 'The first day to tell of.')),
  ToDate: Type.Optional(describe(Day, 'The last day to tell of.')),
})

const ShortDays = Type.Array(
  Type.Object(
    { Date: Day, Time: TimeOfDay, Name: Type.Optional(Type.String({ description: 'What the day is called.' })) },
    { title: 'ShortTradingDay' },
  ),
)

const holidaysExample = {
  ExchangeId: 'NASDAQ',
  Name: 'NASDAQ',
  CountryCode: 'US',
  TimeZone: 'America/New_York',
  TimeZoneId: '3',
  Data: [{ Date: '2026-11-26', Name: 'Thanksgiving Day' }],
  EarlyCloses: [{ Date: '2026-11-27', Time: '13:00', Name: 'Day after Thanksgiving' }],
  LateOpens: [],
}

/** What a calendar of an exchange needs and the trading schedule (6), which looks one week ahead, does not name. */
export const ExchangeHolidays = Type.Object(
  {
    ExchangeId,
    Name: Type.String({ description: 'What it is called.' }),
    Mic: Type.Optional(Type.String({ description: 'ISO 10383.' })),
    CountryCode: Country,
    TimeZone: Type.String({ description: 'Its IANA name, such as America/New_York.' }),
    TimeZoneId: Type.String({ description: 'The number of its time zone, as text.' }),
    Data: Type.Array(
      Type.Object(
        { Date: Day, Name: Type.String({ description: 'What the day is called.' }) },
        { title: 'ExchangeHoliday' },
      ),
      {
        description: 'Trading days that do not take place, in order.',
      },
    ),
    EarlyCloses: describe(ShortDays, 'Trading days that end early, at this local time.'),
    LateOpens: describe(ShortDays, 'Trading days that begin late, at this local time.'),
  },
  { title: 'ExchangeHolidays', examples: [holidaysExample] },
)

type Bounds = readonly [from: string | undefined, to: string | undefined]

function answerOf(record: ExchangeRecord, bounds: Bounds) {
  const { Name, Mic, CountryCode, TimeZone, Holidays = [], EarlyCloses = [], LateOpens = [] } = record
  return {
    ExchangeId: record.ExchangeId,
    Name,
    ...(Mic !== undefined && { Mic }),
    CountryCode,
    TimeZone,
    TimeZoneId: String(wireTimeZoneId(TimeZone)),
    Data: daysWithin(Holidays, ...bounds),
    EarlyCloses: daysWithin(EarlyCloses, ...bounds).map(({ Close, ...day }) => ({ ...day, Time: Close })),
    LateOpens: daysWithin(LateOpens, ...bounds).map(({ Open, ...day }) => ({ ...day, Time: Open })),
  }
}

export function holidayRoutes(api: Server, catalogue: Catalogue): void {
  api.get(
    '/x/v1/holidays/:ExchangeId',
    {
      schema: {
        operationId: 'getHolidays',
        summary: 'The holidays of an exchange by name, and its days that end early or begin late',
        description:
          'All that the data has, past ones too, or those of a period. They are days of the exchange, in its time zone; ' +
          'every caller may read them, whatever their rights.',
        documented: { etag: true, errors: ['NoResultFound'] },
        tags: ['x'],
        params: Params,
        querystring: Period,
        response: { 200: ExchangeHolidays },
      },
    },
    async (request, reply) => {
      const { FromDate, ToDate } = request.query
      if (FromDate !== undefined && ToDate !== undefined && ToDate < FromDate)
        throw invalid({ FromDate: ['Must not be after ToDate.'], ToDate: ['Must not be before FromDate.'] })
      const exchange = namedInAnyCase(catalogue.current().exchanges, request.params.ExchangeId)
      if (!exchange) throw notFound(`Exchange ${request.params.ExchangeId}`)
      const body = answerOf(exchange.record, [FromDate, ToDate])
      return sendWithBodyEtag(request, reply, body)
    },
  )
}
