import {
  christmasAndBoxingDay,
  dayOf,
  easter,
  friday,
  holiday,
  lastWeekday,
  monday,
  mondayAfterSunday,
  mondayAfterWeekend,
  type NamedDay,
  nthWeekday,
  onOrAfter,
  timed,
  weekdayOnOrBefore,
  weekdaysOfSummerTime,
  type YearDays,
} from './holidays.ts'

const newYear = (year: number) => holiday("New Year's Day", dayOf(year, 1, 1))
const goodFriday = (year: number) => holiday('Good Friday', easter(year, -2))
const easterMonday = (year: number) => holiday('Easter Monday', easter(year, 1))
const labourDay = (year: number) => holiday('Labour Day', dayOf(year, 5, 1))
const ascension = (year: number) => holiday('Ascension Day', easter(year, 39))
const whitMonday = (year: number) => holiday('Whit Monday', easter(year, 50))
const christmasEve = (year: number) => holiday('Christmas Eve', dayOf(year, 12, 24))
const newYearsEve = (year: number) => holiday("New Year's Eve", dayOf(year, 12, 31))

/** What every exchange of the continent keeps, on the day itself: nothing moves when it falls on a weekend. */
function common(year: number): NamedDay[] {
  return [
    newYear(year),
    goodFriday(year),
    easterMonday(year),
    holiday('Christmas Day', dayOf(year, 12, 25)),
    holiday('Second Day of Christmas', dayOf(year, 12, 26)),
  ]
}

const eves = (year: number): NamedDay[] => [christmasEve(year), newYearsEve(year)]
const closingEarlyOnEves = (year: number, time: string) => eves(year).map(({ date, name }) => timed(time, name, date))

function bankHolidaysOfEngland(year: number): NamedDay[] {
  return [
    holiday("New Year's Day", dayOf(year, 1, 1), mondayAfterWeekend),
    goodFriday(year),
    easterMonday(year),
    holiday('Early May Bank Holiday', nthWeekday(year, 5, monday, 1)),
    holiday('Spring Bank Holiday', lastWeekday(year, 5, monday)),
    holiday('Summer Bank Holiday', lastWeekday(year, 8, monday)),
    ...christmasAndBoxingDay(year),
  ]
}

/** London's short days are the last trading days before Christmas and before the New Year. */
export function london(year: number): YearDays {
  return {
    holidays: bankHolidaysOfEngland(year),
    earlyCloses: eves(year).map(({ date, name }) => timed('12:30', name, weekdayOnOrBefore(date))),
  }
}

export const englishBanks = (year: number): YearDays => ({ holidays: bankHolidaysOfEngland(year) })

export function euronext(year: number): YearDays {
  return { holidays: [...common(year), labourDay(year)], earlyCloses: closingEarlyOnEves(year, '14:05') }
}

export function milan(year: number): YearDays {
  return {
    holidays: [...common(year), labourDay(year), holiday('Assumption Day', dayOf(year, 8, 15)), ...eves(year)],
  }
}

export function madrid(year: number): YearDays {
  return { holidays: [...common(year), labourDay(year)], earlyCloses: closingEarlyOnEves(year, '14:00') }
}

const germanHolidays = (year: number): NamedDay[] => [...common(year), labourDay(year), ...eves(year)]

/** Xetra ends its year at 14:00 on the last trading day. */
export function xetra(year: number): YearDays {
  const lastTradingDay = weekdayOnOrBefore(dayOf(year, 12, 30))
  return {
    holidays: germanHolidays(year),
    earlyCloses: [timed('14:00', 'Last trading day of the year', lastTradingDay)],
  }
}

/** Eurex opens with Asia, whose clocks do not change: at 01:10 in winter, at 02:10 in summer (circular 084/20). */
export function eurex(year: number): YearDays {
  const summer = weekdaysOfSummerTime(year, 'Europe/Berlin')
  return {
    holidays: germanHolidays(year),
    lateOpens: summer.map((date) => timed('02:10', 'Central European Summer Time', date)),
  }
}

export function zurich(year: number): YearDays {
  return {
    holidays: [
      ...common(year),
      holiday("Saint Berchtold's Day", dayOf(year, 1, 2)),
      labourDay(year),
      ascension(year),
      whitMonday(year),
      holiday('Swiss National Day', dayOf(year, 8, 1)),
      ...eves(year),
    ],
  }
}

/** The Great Prayer Day is none since 2024. */
export function copenhagen(year: number): YearDays {
  return {
    holidays: [
      ...common(year),
      holiday('Maundy Thursday', easter(year, -3)),
      ascension(year),
      holiday('Day after Ascension Day', easter(year, 40)),
      whitMonday(year),
      holiday('Constitution Day', dayOf(year, 6, 5)),
      ...eves(year),
    ],
  }
}

/** Stockholm trades half a day before a holiday that the country, too, spends half of at work. */
export function stockholm(year: number): YearDays {
  return {
    holidays: [
      ...common(year),
      holiday('Epiphany', dayOf(year, 1, 6)),
      labourDay(year),
      ascension(year),
      holiday('National Day of Sweden', dayOf(year, 6, 6)),
      holiday('Midsummer Eve', onOrAfter(dayOf(year, 6, 19), friday)),
      ...eves(year),
    ],
    earlyCloses: [
      timed('13:00', 'Eve of Epiphany', dayOf(year, 1, 5)),
      timed('13:00', 'Maundy Thursday', easter(year, -3)),
      timed('13:00', 'Walpurgis Night', dayOf(year, 4, 30)),
      timed('13:00', 'Eve of Ascension Day', easter(year, 38)),
      timed('13:00', "All Saints' Eve", onOrAfter(dayOf(year, 10, 30), friday)),
    ],
  }
}

export function luxembourgBanks(year: number): YearDays {
  return {
    holidays: [
      ...common(year),
      labourDay(year),
      holiday('Europe Day', dayOf(year, 5, 9)),
      ascension(year),
      whitMonday(year),
      holiday('National Day of Luxembourg', dayOf(year, 6, 23)),
      holiday('Assumption Day', dayOf(year, 8, 15)),
      holiday("All Saints' Day", dayOf(year, 11, 1)),
    ],
  }
}

/** The Public Holidays Act of 1994: a holiday on a Sunday is kept on the Monday. */
export function southAfrica(year: number): YearDays {
  const fixed: [month: number, day: number, name: string][] = [
    [1, 1, "New Year's Day"],
    [3, 21, 'Human Rights Day'],
    [4, 27, 'Freedom Day'],
    [5, 1, "Workers' Day"],
    [6, 16, 'Youth Day'],
    [8, 9, "National Women's Day"],
    [9, 24, 'Heritage Day'],
    [12, 16, 'Day of Reconciliation'],
    [12, 25, 'Christmas Day'],
    [12, 26, 'Day of Goodwill'],
  ]
  return {
    holidays: [
      ...fixed.map(([month, day, name]) => holiday(name, dayOf(year, month, day), mondayAfterSunday)),
      goodFriday(year),
      holiday('Family Day', easter(year, 1)),
    ],
  }
}
