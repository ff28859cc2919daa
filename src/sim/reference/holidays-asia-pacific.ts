import {
  christmasAndBoxingDay,
  dayOf,
  easter,
  holiday,
  monday,
  mondayAfterWeekend,
  type NamedDay,
  nthWeekday,
  sunday,
  timed,
  weekdayOnOrBefore,
  type YearDays,
} from './holidays.ts'

/** A day of the Chinese calendar in the year in which its first month lies. */
function chineseDay(year: number, month: number, day: number): Temporal.PlainDate {
  const monthCode = `M${String(month).padStart(2, '0')}`
  return Temporal.PlainDate.from({ calendar: 'chinese', year, monthCode, day }).withCalendar('iso8601')
}

/** Ching Ming, when the sun has gone 15° beyond the equinox: this century on 4 or 5 April. */
function chingMing(year: number): Temporal.PlainDate {
  const y = year % 100
  return dayOf(year, 4, Math.trunc(0.2422 * y + 4.81) - Math.trunc(y / 4))
}

const nextDay = (date: Temporal.PlainDate) => date.add({ days: 1 })

/** Hong Kong's General Holidays Ordinance: one that falls on a Sunday or on another is kept on the next free weekday. */
function spreadOut(days: NamedDay[]): NamedDay[] {
  const taken = new Set<string>()
  return days
    .toSorted((one, other) => Temporal.PlainDate.compare(one.date, other.date))
    .map(({ name, date }) =>
      holiday(name, date, (own) => {
        let kept = own
        while (kept.dayOfWeek === sunday || taken.has(kept.toString())) kept = nextDay(kept)
        taken.add(kept.toString())
        return kept
      }),
    )
}

/** Lunar holidays come from the Chinese calendar that the runtime computes, so that no table runs out. */
export function hongKong(year: number): YearDays {
  const newYear = chineseDay(year, 1, 1)
  const holidays = spreadOut([
    holiday('The First Day of January', dayOf(year, 1, 1)),
    holiday("Lunar New Year's Day", newYear),
    holiday('The Second Day of Lunar New Year', newYear.add({ days: 1 })),
    holiday('The Third Day of Lunar New Year', newYear.add({ days: 2 })),
    holiday('Ching Ming Festival', chingMing(year)),
    holiday('Good Friday', easter(year, -2)),
    holiday('The Day following Good Friday', easter(year, -1)),
    holiday('Easter Monday', easter(year, 1)),
    holiday('Labour Day', dayOf(year, 5, 1)),
    holiday('The Birthday of the Buddha', chineseDay(year, 4, 8)),
    holiday('Tuen Ng Festival', chineseDay(year, 5, 5)),
    holiday('Hong Kong Special Administrative Region Establishment Day', dayOf(year, 7, 1)),
    holiday('The Day following Mid-Autumn Festival', nextDay(chineseDay(year, 8, 15))),
    holiday('National Day', dayOf(year, 10, 1)),
    holiday('Chung Yeung Festival', chineseDay(year, 9, 9)),
    holiday('Christmas Day', dayOf(year, 12, 25)),
    holiday('The First Weekday after Christmas Day', dayOf(year, 12, 26)),
  ])
  return { holidays, earlyCloses: halfDays(year, '12:00') }
}

/** The eves on which Hong Kong and Singapore trade the morning only. */
function halfDays(year: number, time: string) {
  return [
    timed(time, 'Lunar New Year Eve', chineseDay(year, 1, 1).subtract({ days: 1 })),
    timed(time, 'Christmas Eve', dayOf(year, 12, 24)),
    timed(time, "New Year's Eve", dayOf(year, 12, 31)),
  ]
}

/**
 * Singapore's feasts that follow the moon or are set by the Ministry of Manpower, as [month, day]. 2024 to 2026 are as
 * gazetted; 2027 to 2029 are what the calendars of the faiths foretell, which the gazette may move by a day. Beyond 2029
 * the table has nothing.
 */
const singaporeFeasts: Readonly<Record<number, readonly [month: number, day: number, name: string][]>> = {
  2024: [
    [4, 10, 'Hari Raya Puasa'],
    [5, 22, 'Vesak Day'],
    [6, 17, 'Hari Raya Haji'],
    [10, 31, 'Deepavali'],
  ],
  2025: [
    [3, 31, 'Hari Raya Puasa'],
    [5, 12, 'Vesak Day'],
    [6, 7, 'Hari Raya Haji'],
    [10, 20, 'Deepavali'],
  ],
  2026: [
    [3, 21, 'Hari Raya Puasa'],
    [5, 31, 'Vesak Day'],
    [5, 27, 'Hari Raya Haji'],
    [11, 8, 'Deepavali'],
  ],
  2027: [
    [3, 10, 'Hari Raya Puasa'],
    [5, 20, 'Vesak Day'],
    [5, 17, 'Hari Raya Haji'],
    [10, 28, 'Deepavali'],
  ],
  2028: [
    [2, 27, 'Hari Raya Puasa'],
    [5, 9, 'Vesak Day'],
    [5, 5, 'Hari Raya Haji'],
    [10, 17, 'Deepavali'],
  ],
  2029: [
    [2, 15, 'Hari Raya Puasa'],
    [5, 27, 'Vesak Day'],
    [4, 24, 'Hari Raya Haji'],
    [11, 5, 'Deepavali'],
  ],
}

export function singapore(year: number): YearDays {
  const newYear = chineseDay(year, 1, 1)
  return {
    holidays: spreadOut([
      holiday("New Year's Day", dayOf(year, 1, 1)),
      holiday('Chinese New Year', newYear),
      holiday('Second Day of Chinese New Year', nextDay(newYear)),
      holiday('Good Friday', easter(year, -2)),
      holiday('Labour Day', dayOf(year, 5, 1)),
      holiday('National Day', dayOf(year, 8, 9)),
      holiday('Christmas Day', dayOf(year, 12, 25)),
      ...(singaporeFeasts[year] ?? []).map(([month, day, name]) => holiday(name, dayOf(year, month, day))),
    ]),
    earlyCloses: halfDays(year, '12:00'),
  }
}

/** Sydney's short days are the last trading days before Christmas and of the year. Anzac Day stays where it falls. */
export function australia(year: number): YearDays {
  return {
    holidays: [
      holiday("New Year's Day", dayOf(year, 1, 1), mondayAfterWeekend),
      holiday('Australia Day', dayOf(year, 1, 26), mondayAfterWeekend),
      holiday('Good Friday', easter(year, -2)),
      holiday('Easter Monday', easter(year, 1)),
      holiday('Anzac Day', dayOf(year, 4, 25)),
      holiday("King's Birthday", nthWeekday(year, 6, monday, 2)),
      ...christmasAndBoxingDay(year),
    ],
    earlyCloses: [
      timed('14:10', 'Last trading day before Christmas', weekdayOnOrBefore(dayOf(year, 12, 24))),
      timed('14:10', 'Last trading day of the year', weekdayOnOrBefore(dayOf(year, 12, 31))),
    ],
  }
}

/** The day of an equinox in Japan, by the formula of its observatory's almanac, good for 1980 to 2099. */
function equinox(year: number, month: number, base: number): Temporal.PlainDate {
  const years = year - 1980
  return dayOf(year, month, Math.trunc(base + 0.242194 * years) - Math.trunc(years / 4))
}

/** The Act on National Holidays: one on a Sunday moves to the next free day; a day between two holidays is one too. */
function japaneseNationalHolidays(year: number): NamedDay[] {
  const own = [
    holiday("New Year's Day", dayOf(year, 1, 1)),
    holiday('Coming of Age Day', nthWeekday(year, 1, monday, 2)),
    holiday('National Foundation Day', dayOf(year, 2, 11)),
    holiday("The Emperor's Birthday", dayOf(year, 2, 23)),
    holiday('Vernal Equinox Day', equinox(year, 3, 20.8431)),
    holiday('Showa Day', dayOf(year, 4, 29)),
    holiday('Constitution Memorial Day', dayOf(year, 5, 3)),
    holiday('Greenery Day', dayOf(year, 5, 4)),
    holiday("Children's Day", dayOf(year, 5, 5)),
    holiday('Marine Day', nthWeekday(year, 7, monday, 3)),
    holiday('Mountain Day', dayOf(year, 8, 11)),
    holiday('Respect for the Aged Day', nthWeekday(year, 9, monday, 3)),
    holiday('Autumnal Equinox Day', equinox(year, 9, 23.2488)),
    holiday('Sports Day', nthWeekday(year, 10, monday, 2)),
    holiday('Culture Day', dayOf(year, 11, 3)),
    holiday('Labor Thanksgiving Day', dayOf(year, 11, 23)),
  ]
  const taken = new Set(own.map(({ date }) => date.toString()))
  const substitutes = own
    .filter(({ date }) => date.dayOfWeek === sunday)
    .map(({ name, date }) =>
      holiday(name, date, (day) => {
        let kept = day
        while (taken.has(kept.toString())) kept = nextDay(kept)
        return kept
      }),
    )
  const between = own
    .map(({ date }) => nextDay(date))
    .filter((date) => !taken.has(date.toString()) && taken.has(nextDay(date).toString()))
    .map((date) => holiday('National Holiday', date))
  return [...own, ...substitutes, ...between]
}

export function japan(year: number): YearDays {
  return {
    holidays: [
      ...japaneseNationalHolidays(year),
      holiday('Market Holiday', dayOf(year, 1, 2)),
      holiday('Market Holiday', dayOf(year, 1, 3)),
      holiday('Market Holiday', dayOf(year, 12, 31)),
    ],
  }
}
