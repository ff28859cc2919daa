import {
  christmasAndBoxingDay,
  dayOf,
  easter,
  holiday,
  isWeekend,
  lastWeekday,
  monday,
  mondayAfterSunday,
  mondayAfterWeekend,
  type NamedDay,
  nearestWeekday,
  nthWeekday,
  onOrBefore,
  type TimedDay,
  thursday,
  timed,
  weekdaysOfSummerTime,
  type YearDays,
} from './holidays.ts'

const thanksgiving = (year: number) => nthWeekday(year, 11, thursday, 4)

/** New Year's Day on a Saturday is not kept on the Friday, which closes the books of the old year (NYSE Rule 7.2). */
const newYear = (year: number) => holiday("New Year's Day", dayOf(year, 1, 1), mondayAfterSunday)
const christmas = (year: number) => holiday('Christmas Day', dayOf(year, 12, 25), nearestWeekday)
const goodFriday = (year: number) => holiday('Good Friday', easter(year, -2))

/** The federal holidays on which shares rest and futures trade half a day. */
function federalHolidays(year: number): NamedDay[] {
  return [
    holiday('Martin Luther King, Jr. Day', nthWeekday(year, 1, monday, 3)),
    holiday("Washington's Birthday", nthWeekday(year, 2, monday, 3)),
    holiday('Memorial Day', lastWeekday(year, 5, monday)),
    holiday('Juneteenth National Independence Day', dayOf(year, 6, 19), nearestWeekday),
    holiday('Independence Day', dayOf(year, 7, 4), nearestWeekday),
    holiday('Labor Day', nthWeekday(year, 9, monday, 1)),
    holiday('Thanksgiving Day', thanksgiving(year)),
  ]
}

/** The eve of a holiday that stands on its own weekday; before one that is kept on Friday or Monday nothing is short. */
function beforeIndependenceDay(year: number, time: string): TimedDay[] {
  const own = dayOf(year, 7, 4)
  return isWeekend(own) ? [] : [timed(time, 'Day before Independence Day', own.subtract({ days: 1 }))]
}

function shortEves(year: number, time: string): TimedDay[] {
  return [
    timed(time, 'Day after Thanksgiving', thanksgiving(year).add({ days: 1 })),
    timed(time, 'Christmas Eve', dayOf(year, 12, 24)),
  ]
}

/** Days of mourning and the like, which no rule foretells: known through November 2026. */
const usClosures: readonly NamedDay[] = [holiday('National Day of Mourning for James Carter', dayOf(2025, 1, 9))]

export function usShares(year: number): YearDays {
  return {
    holidays: [
      newYear(year),
      goodFriday(year),
      christmas(year),
      ...federalHolidays(year),
      ...usClosures.filter(({ date }) => date.year === year),
    ],
    earlyCloses: [...beforeIndependenceDay(year, '13:00'), ...shortEves(year, '13:00')],
  }
}

type FuturesCloses = Readonly<{ holiday: string; eve: string; jobsReport?: string }>

/**
 * The futures exchanges of CME Group, in Chicago time. They rest on three days only. When the jobs report comes out on
 * Good Friday (it is then the month's first Friday, as in 2021, 2023 and 2026), financial futures trade through it.
 */
function usFutures(year: number, closes: FuturesCloses): YearDays & { earlyCloses: TimedDay[] } {
  const goodFridayReport = closes.jobsReport !== undefined && easter(year, -2).day <= 7 ? closes.jobsReport : undefined
  return {
    holidays: [newYear(year), ...(goodFridayReport ? [] : [goodFriday(year)]), christmas(year)],
    earlyCloses: [
      ...federalHolidays(year).map(({ name, date }) => timed(closes.holiday, name, date)),
      ...(goodFridayReport ? [timed(goodFridayReport, 'Good Friday', easter(year, -2))] : []),
      ...shortEves(year, closes.eve),
    ],
  }
}

/** Only futures on share indices close early before Independence Day, with the shares. */
export function equityFutures(year: number): YearDays {
  const days = usFutures(year, { holiday: '12:00', eve: '12:15', jobsReport: '08:15' })
  return { ...days, earlyCloses: [...days.earlyCloses, ...beforeIndependenceDay(year, '12:15')] }
}

export const rateFutures = (year: number) => usFutures(year, { holiday: '12:00', eve: '12:15', jobsReport: '10:15' })
/** Energy and metals. */
export const commodityFutures = (year: number) => usFutures(year, { holiday: '13:30', eve: '12:45' })

export function canada(year: number): YearDays {
  return {
    holidays: [
      holiday("New Year's Day", dayOf(year, 1, 1), mondayAfterWeekend),
      holiday('Family Day', nthWeekday(year, 2, monday, 3)),
      goodFriday(year),
      holiday('Victoria Day', onOrBefore(dayOf(year, 5, 24), monday)),
      holiday('Canada Day', dayOf(year, 7, 1), mondayAfterWeekend),
      holiday('Civic Holiday', nthWeekday(year, 8, monday, 1)),
      holiday('Labour Day', nthWeekday(year, 9, monday, 1)),
      holiday('Thanksgiving Day', nthWeekday(year, 10, monday, 2)),
      ...christmasAndBoxingDay(year),
    ],
    earlyCloses: [timed('13:00', 'Christmas Eve', dayOf(year, 12, 24))],
  }
}

/** B3 follows New York's close: an hour earlier by São Paulo's clocks, which do not change, while New York has summer. */
export function brazil(year: number): YearDays {
  return {
    holidays: [
      holiday('Universal Fraternization Day', dayOf(year, 1, 1)),
      holiday('Carnival Monday', easter(year, -48)),
      holiday('Carnival Tuesday', easter(year, -47)),
      goodFriday(year),
      holiday('Tiradentes Day', dayOf(year, 4, 21)),
      holiday('Labor Day', dayOf(year, 5, 1)),
      holiday('Corpus Christi', easter(year, 60)),
      holiday('Independence Day', dayOf(year, 9, 7)),
      holiday('Our Lady of Aparecida', dayOf(year, 10, 12)),
      holiday("All Souls' Day", dayOf(year, 11, 2)),
      holiday('Proclamation of the Republic', dayOf(year, 11, 15)),
      holiday('Black Consciousness Day', dayOf(year, 11, 20)),
      holiday('Christmas Eve', dayOf(year, 12, 24)),
      holiday('Christmas Day', dayOf(year, 12, 25)),
      holiday("New Year's Eve", dayOf(year, 12, 31)),
    ],
    earlyCloses: weekdaysOfSummerTime(year, 'America/New_York').map((date) =>
      timed('17:00', 'Summer time in New York', date),
    ),
    lateOpens: [timed('13:00', 'Ash Wednesday', easter(year, -46))],
  }
}

/** Currencies rest where every centre does. */
export function currencies(year: number): YearDays {
  return { holidays: [holiday("New Year's Day", dayOf(year, 1, 1)), holiday('Christmas Day', dayOf(year, 12, 25))] }
}
