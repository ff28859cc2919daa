import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check, Errors } from 'typebox/value'
import { demoExchanges } from '../../../test/support/demo.ts'
import { dayText, epochDay } from '../../core/time/days.ts'
import { timeZoneIdOf, timeZoneName } from '../../core/time/time-zones.ts'
import { CalendarRecord, ExchangeRecord } from '../../instruments/import/schema.ts'
import { pairCalendar, spotDate } from '../../instruments/rules/value-dates.ts'
import { daysIn } from './holidays.ts'
import { readDemo } from './read.ts'

const { exchanges: records, calendars, instruments: pairs } = await readDemo(Temporal.PlainDate.from('2026-11-15'))
const exchanges = await demoExchanges('2026-11-15')
const of2022 = await demoExchanges('2022-06-01')

function exchange(id: string, among = exchanges): ExchangeRecord {
  const found = among.find(({ ExchangeId }) => ExchangeId === id)
  assert.ok(found)
  return found
}

const inYear = (days: readonly { Date: string }[] | undefined, year: number): string =>
  (days ?? [])
    .map((day) => day.Date)
    .filter((date) => date.startsWith(String(year)))
    .map((date) => date.slice(5))
    .join(' ')

const isBankDay = (day: number): boolean => Temporal.PlainDate.from(dayText(day)).dayOfWeek <= 5

test('computes Easter', () => {
  const known = ['2000-04-23', '2008-03-23', '2011-04-24', '2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28']
  for (const date of [...known, '2028-04-16', '2038-04-25'])
    assert.deepEqual(daysIn('easter', Number(date.slice(0, 4))).map(dayText), [date])
})

test('has 29 exchanges, each a valid record in a known time zone', () => {
  assert.equal(new Set(exchanges.map(({ ExchangeId }) => ExchangeId)).size, 29)
  for (const record of records) {
    assert.ok(Check(ExchangeRecord, record), JSON.stringify(Errors(ExchangeRecord, record).slice(0, 1)))
    assert.equal(timeZoneName(record.TimeZone), record.TimeZone)
    assert.notEqual(timeZoneIdOf(record.TimeZone), undefined, record.TimeZone)
  }
})

test('every calendar is a valid record, and every currency settles by one of them', () => {
  for (const record of calendars) {
    assert.ok(Check(CalendarRecord, record), JSON.stringify(Errors(CalendarRecord, record).slice(0, 1)))
    assert.notEqual(timeZoneIdOf(record.TimeZone), undefined, record.TimeZone)
    assert.ok(
      record.Holidays?.some(({ Date: date }) => date.startsWith('2027')),
      record.CalendarId,
    )
  }
  const currencies = calendars.flatMap(({ Currencies = [] }) => Currencies)
  const named = pairs.flatMap(({ Symbol: symbol = '', SpotDays }) =>
    SpotDays === undefined ? [] : [symbol.slice(0, 3), symbol.slice(3)],
  )
  assert.deepEqual([...new Set(named)].sort(), currencies.sort())
})

test('computes days of the Hebrew and the Islamic calendar and Orthodox Easter', () => {
  const days = (expression: string, year: number) => daysIn(expression, year).map(dayText)
  assert.deepEqual(days('hebrew 1-10', 2026), ['2026-09-21'])
  assert.deepEqual(days('hebrew 7-15', 2027), ['2027-04-22'])
  assert.deepEqual(days('islamic 10-1', 2026), ['2026-03-20'])
  // A lunar year is shorter than ours.
  assert.equal(days('islamic 10-1', 2033).length, 2)
  assert.deepEqual(
    [2026, 2027, 2028].flatMap((year) => days('orthodox-easter', year)),
    ['2026-04-12', '2027-05-02', '2028-04-16'],
  )
})

const holidaysOf = (id: string, year: number): string =>
  inYear(calendars.find(({ CalendarId }) => CalendarId === id)?.Holidays, year)

test('currencies settle on the days on which their banks are open', () => {
  const dates = {
    'SETTLE_USD 2027': '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25',
    'SETTLE_EUR 2027': '01-01 03-26 03-29',
    'SETTLE_GBP 2026': '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28',
    // Independence Day is not on 5 Iyar if that is a Monday, Friday or Saturday.
    'SETTLE_ILS 2025': '04-13 05-01 06-02 08-03 09-23 09-24 10-02 10-07 10-14',
    'SETTLE_ILS 2027': '04-22 04-28 05-12 08-12 10-03 10-11',
    'SETTLE_THB 2026':
      '01-01 03-03 04-06 04-13 04-14 04-15 05-01 05-04 06-01 06-03 07-28 07-29 08-12 10-13 10-23 12-07 12-10 12-31',
    'SETTLE_RUB 2027': '01-01 01-05 01-06 01-07 01-08 02-23 03-08 05-03 05-10 06-14 11-04',
  }
  for (const [key, expected] of Object.entries(dates)) {
    const [id = '', year] = key.split(' ')
    assert.equal(holidaysOf(id, Number(year)), expected, key)
  }
})

test('nothing settles in Sydney and Wellington on the Monday after an Anzac Day on a weekend in 2026 and 2027', () => {
  for (const [key, expected] of Object.entries({
    'SETTLE_AUD 2025': '01-01 01-27 04-18 04-21 04-25 06-09 10-06 12-25 12-26',
    'SETTLE_AUD 2026': '01-01 01-26 04-03 04-06 04-27 06-08 10-05 12-25 12-28',
    'SETTLE_AUD 2027': '01-01 01-26 03-26 03-29 04-26 06-14 10-04 12-27 12-28',
    'SETTLE_NZD 2026': '01-01 01-02 02-06 04-03 04-06 04-27 06-01 07-10 10-26 12-25 12-28',
    'SETTLE_NZD 2027': '01-01 01-04 02-08 03-26 03-29 04-26 06-07 06-25 10-25 12-27 12-28',
  })) {
    const [id = '', year] = key.split(' ')
    assert.equal(holidaysOf(id, Number(year)), expected, key)
  }
  // The share market of Sydney is open.
  assert.equal(inYear(exchange('ASX').Holidays, 2027), '01-01 01-26 03-26 03-29 06-14 12-27 12-28')

  const settlesOn = (currency: string, day: number): boolean =>
    isBankDay(day) && !holidaysOf(`SETTLE_${currency}`, 2027).includes(dayText(day).slice(5))
  for (const currency of ['AUD', 'NZD']) {
    const pair = pairCalendar([currency, 'USD'], 2, isBankDay, settlesOn)
    const dates = ['21', '22', '23', '26', '27'].map((day) =>
      dayText(spotDate(pair, epochDay(`2027-04-${day}`))).slice(5),
    )
    assert.deepEqual(dates, ['04-23', '04-27', '04-28', '04-28', '04-29'], currency)
  }
})

test('lists holidays, early closes and late opens on trading days only, in order, each once, for four years', () => {
  for (const { ExchangeId, Holidays, EarlyCloses = [], LateOpens = [] } of exchanges) {
    if (Holidays === undefined) continue
    const closed = Holidays.map((day) => day.Date)
    assert.deepEqual([...new Set(closed.map((date) => date.slice(0, 4)))], ['2025', '2026', '2027', '2028'], ExchangeId)
    for (const dates of [closed, EarlyCloses.map((day) => day.Date), LateOpens.map((day) => day.Date)]) {
      assert.deepEqual(dates, [...new Set(dates)].sort(), ExchangeId)
      for (const date of dates) assert.ok(Temporal.PlainDate.from(date).dayOfWeek <= 5, `${ExchangeId} ${date}`)
    }
    for (const { Date: date } of [...EarlyCloses, ...LateOpens]) assert.ok(!closed.includes(date), ExchangeId)
  }
})

test('New York closes, and closes early, as the exchange has announced', () => {
  const { Holidays, EarlyCloses } = exchange('NYSE')
  assert.equal(inYear(Holidays, 2025), '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25')
  assert.equal(inYear(Holidays, 2026), '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25')
  assert.equal(inYear(Holidays, 2027), '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24')
  // 1 January 2028 is a Saturday: the Friday before is a normal trading day.
  assert.equal(inYear(Holidays, 2028), '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25')
  assert.equal(inYear(EarlyCloses, 2025), '07-03 11-28 12-24')
  assert.equal(inYear(EarlyCloses, 2026), '11-27 12-24')
  assert.equal(inYear(EarlyCloses, 2027), '11-26')
  assert.equal(inYear(EarlyCloses, 2028), '07-03 11-24')
})

test('Globex closes on three days of the year and trades shorter on the others', () => {
  const { Holidays, EarlyCloses = [] } = exchange('CME')
  assert.equal(inYear(Holidays, 2025), '01-01 04-18 12-25')
  assert.equal(inYear(Holidays, 2027), '01-01 03-26 12-24')
  const of2025 = EarlyCloses.filter((day) => day.Date.startsWith('2025')).map(
    (day) => `${day.Date.slice(5)} ${day.Close}`,
  )
  const noon = ['01-20', '02-17', '05-26', '06-19', '07-04', '09-01', '11-27'].map((day) => `${day} 12:00`)
  assert.deepEqual(of2025, [...noon, '07-03 12:15', '11-28 12:15', '12-24 12:15'].sort())
  assert.equal(EarlyCloses.find((day) => day.Date === '2026-04-03')?.Close, '08:15')
  assert.equal(inYear(exchange('CBOT').EarlyCloses, 2025), '01-20 02-17 05-26 06-19 07-04 09-01 11-27 11-28 12-24')
  assert.match(inYear(exchange('COMEX').Holidays, 2026), /04-03/)
})

test('London moves holidays and early closes off the weekend', () => {
  const { Holidays, EarlyCloses } = exchange('LSE')
  assert.equal(inYear(Holidays, 2027), '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28')
  assert.equal(inYear(Holidays, 2028), '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26')
  assert.equal(inYear(EarlyCloses, 2028), '12-22 12-29')
  assert.match(inYear(exchange('LSE', of2022).Holidays, 2022), /12-26 12-27$/)
})

test('Tokyo has equinoxes, substitutes for Sunday holidays, and the day between two holidays', () => {
  const { Holidays } = exchange('TYO')
  const year2026 = '01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23'
  assert.equal(inYear(Holidays, 2026), `${year2026} 10-12 11-03 11-23 12-31`)
  const year2027 = '01-01 01-11 02-11 02-23 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23'
  assert.equal(inYear(Holidays, 2027), `${year2027} 10-11 11-03 11-23 12-31`)
})

test('Hong Kong moves holidays that fall on a Sunday or on each other', () => {
  const { Holidays, EarlyCloses } = exchange('HKEX')
  const year2026 = '01-01 02-17 02-18 02-19 04-03 04-06 04-07 05-01 05-25 06-19 07-01 10-01 10-19 12-25'
  assert.equal(inYear(Holidays, 2026), year2026)
  const year2027 = '01-01 02-08 02-09 03-26 03-29 04-05 05-13 06-09 07-01 09-16 10-01 10-08 12-27'
  assert.equal(inYear(Holidays, 2027), year2027)
  assert.equal(inYear(EarlyCloses, 2027), '02-05 12-24 12-31')
  assert.match(inYear(exchange('HKEX', of2022).Holidays, 2022), /12-26 12-27$/)
})

test('Singapore moves a holiday on a Sunday to Monday', () => {
  assert.equal(inYear(exchange('SGX').Holidays, 2026), '01-01 02-17 02-18 04-03 05-01 05-27 06-01 08-10 11-09 12-25')
})

test('Stockholm has half days before its holidays, Frankfurt one at the end of the year', () => {
  assert.equal(inYear(exchange('STO').EarlyCloses, 2027), '01-05 03-25 04-30 05-05 11-05')
  assert.equal(inYear(exchange('XETRA').EarlyCloses, 2028), '12-29')
})

test('Eurex opens with Asia and São Paulo closes with New York, whose clocks change on other days', () => {
  const opens = exchange('EUREX').LateOpens?.map((day) => day.Date) ?? []
  assert.ok(!opens.includes('2027-03-25') && opens.includes('2027-03-30'))
  assert.ok(opens.includes('2027-10-29') && !opens.includes('2027-11-01'))
  const closes = exchange('BVMF').EarlyCloses?.map((day) => day.Date) ?? []
  assert.ok(!closes.includes('2027-03-12') && closes.includes('2027-03-15'))
  assert.ok(closes.includes('2027-11-05') && !closes.includes('2027-11-08'))
})

test('crypto assets have no holidays', () => {
  assert.equal(exchange('CRYPTO').Holidays, undefined)
})
