/** The arithmetic of holidays: what a rule such as "the third Monday of January" or "Easter Monday" comes to in a year. */
export type NamedDay = Readonly<{ date: Temporal.PlainDate; name: string }>
export type TimedDay = NamedDay & Readonly<{ time: string }>

/** What is out of the ordinary in one year. Days on which the exchange does not trade anyway may be among them. */
export type YearDays = Readonly<{ holidays: NamedDay[]; earlyCloses?: TimedDay[]; lateOpens?: TimedDay[] }>

/** As ISO 8601 counts them. */
export const [monday, thursday, friday, saturday, sunday] = [1, 4, 5, 6, 7] as const

export function dayOf(year: number, month: number, day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from({ year, month, day })
}

/** The first such weekday on the day or after it. */
export function onOrAfter(date: Temporal.PlainDate, weekday: number): Temporal.PlainDate {
  return date.add({ days: (weekday - date.dayOfWeek + 7) % 7 })
}

/** The last such weekday on the day or before it. */
export function onOrBefore(date: Temporal.PlainDate, weekday: number): Temporal.PlainDate {
  return date.subtract({ days: (date.dayOfWeek - weekday + 7) % 7 })
}

export function nthWeekday(year: number, month: number, weekday: number, n: number): Temporal.PlainDate {
  return onOrAfter(dayOf(year, month, 7 * (n - 1) + 1), weekday)
}

export function lastWeekday(year: number, month: number, weekday: number): Temporal.PlainDate {
  return onOrBefore(dayOf(year, month, 1).add({ months: 1 }).subtract({ days: 1 }), weekday)
}

export const isWeekend = (date: Temporal.PlainDate): boolean => date.dayOfWeek >= saturday

/** Easter Sunday of the Western churches (the Gregorian computus, as Butcher wrote it down in 1876), and days after it. */
export function easter(year: number, daysAfter = 0): Temporal.PlainDate {
  const [a, b, c] = [year % 19, Math.trunc(year / 100), year % 100]
  const f = Math.trunc((b + 8) / 25)
  const h = (19 * a + b - Math.trunc(b / 4) - Math.trunc((b - f + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.trunc(c / 4) - h - (c % 4)) % 7
  const m = Math.trunc((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return dayOf(year, Math.trunc(n / 31), (n % 31) + 1).add({ days: daysAfter })
}

type Shift = (date: Temporal.PlainDate) => Temporal.PlainDate

export const mondayAfterWeekend: Shift = (date) => (isWeekend(date) ? onOrAfter(date, monday) : date)
export const mondayAfterSunday: Shift = (date) => (date.dayOfWeek === sunday ? date.add({ days: 1 }) : date)
/** As the United States do: a Saturday's holiday is kept on Friday, a Sunday's on Monday. */
export const nearestWeekday: Shift = (date) =>
  date.dayOfWeek === saturday ? date.subtract({ days: 1 }) : mondayAfterSunday(date)
/** The last day that is no Saturday or Sunday. */
export const weekdayOnOrBefore: Shift = (date) => (isWeekend(date) ? onOrBefore(date, friday) : date)

/** A holiday on the day that it is kept, which its name tells where it is not its own. */
export function holiday(name: string, own: Temporal.PlainDate, shift: Shift = (date) => date): NamedDay {
  const date = shift(own)
  return { date, name: date.equals(own) ? name : `${name} (observed)` }
}

export function timed(time: string, name: string, date: Temporal.PlainDate): TimedDay {
  return { date, name, time }
}

/** Christmas Day and the day after, of which neither is lost to a weekend (Britain, Canada, Australia). */
export function christmasAndBoxingDay(year: number): NamedDay[] {
  const christmas = dayOf(year, 12, 25)
  const twoDaysOn: Shift = (date) => (isWeekend(date) ? date.add({ days: 2 }) : date)
  return [holiday('Christmas Day', christmas, twoDaysOn), holiday('Boxing Day', christmas.add({ days: 1 }), twoDaysOn)]
}

/** Every weekday of the year on which clocks of the zone are forward, for hours that follow another country's summer. */
export function weekdaysOfSummerTime(year: number, timeZone: string): Temporal.PlainDate[] {
  const offsetOn = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone, plainTime: '12:00' }).offsetNanoseconds
  const standard = offsetOn(dayOf(year, 1, 1))
  const days = Array.from({ length: 366 }, (_, index) => dayOf(year, 1, 1).add({ days: index }))
  return days.filter((date) => date.year === year && !isWeekend(date) && offsetOn(date) > standard)
}
