import { dayText, epochDay } from '../../core/time/days.ts'
import { takeSteps } from '../../core/time/relative-days.ts'
import type { CalendarRecord } from '../../instruments/import/schema.ts'

/** A line of demo/templates/holidays.ndjson: a holiday, an early close or a late open of some calendars in every year. */
export type HolidayRule = Readonly<{
  Name: string
  /** A day of the year, such as `07-04`, `05/end<mon` (last Monday of May), `easter-2`, `lunar 8-15+1` or `hebrew 1-10`. */
  Day: string
  /** The ids of calendars, and of exchanges that have none. */
  Calendars: readonly string[]
  /** How a holiday on a weekend, or on another holiday, is moved. */
  Moved?: 'monday' | 'sunday' | 'nearest' | 'two-days' | 'free-day' | 'japan' | 'israel'
  /** Only in years in which it is on one of these days of its month, first and last. */
  DaysOfMonth?: readonly [number, number]
  Close?: string
  Open?: string
  /** Why the days are these, where the name does not say it. */
  Source?: string
}>

type NamedDay = Readonly<{ day: number; name: string; time: string }>

const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const [saturday, sunday] = [6, 7]
const dateOf = (day: number): Temporal.PlainDate => Temporal.PlainDate.from(dayText(day))
const dayOfWeek = (day: number): number => dateOf(day).dayOfWeek

type Times = Readonly<Partial<Pick<CalendarRecord, 'Hours' | 'Holidays' | 'EarlyCloses' | 'LateOpens'>>>

/** Adds the holidays, early closes and late opens of the years around today to a calendar or an exchange. */
export function withHolidays<Timed extends Times>(
  id: string,
  timed: Timed,
  rules: readonly HolidayRule[],
  year: number,
): Timed {
  const own = rules.filter(({ Calendars }) => Calendars.includes(id))
  if (own.length === 0) return timed
  const traded = new Set<string>((timed.Hours ?? []).flatMap(({ Days }) => Days))
  const isTraded = ({ day }: NamedDay) => traded.has(weekdayNames[dayOfWeek(day) - 1] ?? '')
  const daysBy = (isWanted: (rule: HolidayRule) => unknown) =>
    [-1, 0, 1, 2].flatMap((offset) => daysOfYear(own.filter(isWanted), year + offset)).filter(isTraded)
  const holidays = inOrder(daysBy(({ Close, Open }) => !Close && !Open))
  const closed = new Set(holidays.map(({ day }) => day))
  const special = (days: NamedDay[]) => inOrder(days.filter(({ day }) => !closed.has(day)))
  const closes = special(daysBy(({ Close }) => Close))
  const opens = special(daysBy(({ Open }) => Open))
  const dated = ({ day, name }: NamedDay) => ({ Date: dayText(day), Name: name })
  return {
    ...timed,
    Holidays: holidays.map(dated),
    ...(closes.length > 0 && { EarlyCloses: closes.map((day) => ({ ...dated(day), Close: day.time })) }),
    ...(opens.length > 0 && { LateOpens: opens.map((day) => ({ ...dated(day), Open: day.time })) }),
  }
}

/** By date, each date once: the rule that comes first wins. */
function inOrder(days: NamedDay[]): NamedDay[] {
  const byDay = new Map(days.toReversed().map((named) => [named.day, named]))
  return [...byDay.values()].sort((one, other) => one.day - other.day)
}

function daysOfYear(rules: readonly HolidayRule[], year: number): NamedDay[] {
  const named = (some: readonly HolidayRule[]): NamedDay[] =>
    some.flatMap(({ Name: name, Day, DaysOfMonth: [first, last] = [1, 31], Moved, Close, Open }) =>
      daysIn(Day, year)
        .filter((day) => dateOf(day).day >= first && dateOf(day).day <= last)
        .map((day) => moved({ day, name, time: Close ?? Open ?? '' }, (own) => movedBy(Moved, own))),
    )
  return [
    ...toFreeDays(named(rules.filter(({ Moved }) => Moved === 'free-day'))),
    ...withSubstitutes(named(rules.filter(({ Moved }) => Moved === 'japan'))),
    ...named(rules.filter(({ Moved }) => Moved !== 'free-day' && Moved !== 'japan')),
  ]
}

function moved(named: NamedDay, move: (day: number) => number): NamedDay {
  const day = move(named.day)
  return day === named.day ? named : { ...named, day, name: `${named.name} (observed)` }
}

/** Independence Day, and the evening before it, must not touch the Sabbath. By day of the week. */
const awayFromSabbath: Readonly<Record<number, number>> = { 1: 1, 5: -1, 6: -2 }

function movedBy(move: HolidayRule['Moved'], day: number): number {
  const weekday = dayOfWeek(day)
  if (move === 'monday') return takeSteps(day, '+0b')
  if (move === 'sunday') return weekday === sunday ? day + 1 : day
  if (move === 'nearest') return weekday === saturday ? day - 1 : weekday === sunday ? day + 1 : day
  if (move === 'two-days') return weekday >= saturday ? day + 2 : day
  if (move === 'israel') return day + (awayFromSabbath[weekday] ?? 0)
  return day
}

/** Hong Kong and Singapore: a holiday on a Sunday or on another holiday moves to the next free weekday. */
function toFreeDays(days: NamedDay[]): NamedDay[] {
  const taken = new Set<number>()
  return days
    .toSorted((one, other) => one.day - other.day)
    .map((named) =>
      moved(named, (own) => {
        let day = own
        while (dayOfWeek(day) === sunday || taken.has(day)) day++
        taken.add(day)
        return day
      }),
    )
}

/** Japan: a holiday on a Sunday moves to the next free day; a day between two holidays is a holiday too. */
function withSubstitutes(days: NamedDay[]): NamedDay[] {
  const taken = new Set(days.map(({ day }) => day))
  const nextFree = (own: number): number => {
    let day = own
    while (taken.has(day)) day++
    return day
  }
  const substitutes = days.filter(({ day }) => dayOfWeek(day) === sunday).map((named) => moved(named, nextFree))
  const between = days
    .map(({ day }) => ({ day: day + 1, name: 'National Holiday', time: '' }))
    .filter(({ day }) => !taken.has(day) && taken.has(day + 1))
  return [...days, ...substitutes, ...between]
}

const dayForm =
  /^(\d{4}-\d\d-\d\d|\d\d-\d\d|\d\d|(?:lunar|hebrew|islamic) \d+-\d+|summer-time \S+|[a-z]+(?:-[a-z]+)?)(.*)$/

/** The days of a year that an expression means: one, none, or all weekdays of summer time. */
export function daysIn(expression: string, year: number): number[] {
  const [, anchor = '', steps = ''] = dayForm.exec(expression) ?? []
  return anchorsIn(anchor, year).map((day) => takeSteps(day, steps))
}

function anchorsIn(anchor: string, year: number): number[] {
  const [word = '', argument = ''] = anchor.split(' ')
  if (word === 'easter') return [easter(year)]
  if (word === 'orthodox-easter') return [orthodoxEaster(year)]
  const calendar = calendars[word]
  if (calendar) return daysOfCalendar(calendar, year, argument)
  if (word === 'summer-time') return weekdaysOfSummerTime(year, argument)
  if (word === 'ching-ming') return [chingMing(year)]
  if (word === 'vernal-equinox') return [equinox(year, '03', 20.8431)]
  if (word === 'autumnal-equinox') return [equinox(year, '09', 23.2488)]
  if (word.length === 10) return word.startsWith(`${year}-`) ? [epochDay(word)] : []
  return [epochDay(`${year}-${word.length === 2 ? `${word}-01` : word}`)]
}

/** Easter Sunday of the Western churches: the Gregorian computus, as Butcher published it in 1876. */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.trunc(year / 100), year % 100]
  const f = Math.trunc((b + 8) / 25)
  const h = (19 * a + b - Math.trunc(b / 4) - Math.trunc((b - f + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.trunc(c / 4) - h - (c % 4)) % 7
  const m = Math.trunc((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return dayOf(year, String(Math.trunc(n / 31)), (n % 31) + 1)
}

const dayOf = (year: number, month: string, day: number): number =>
  epochDay(`${year}-${month.padStart(2, '0')}-${String(day).padStart(2, '0')}`)

const calendars: Readonly<Record<string, string>> = {
  lunar: 'chinese',
  hebrew: 'hebrew',
  islamic: 'islamic-umalqura',
}

/** A day of another calendar, `month-day`, in a year of ours: one, two or none. The runtime computes it. */
function daysOfCalendar(calendar: string, year: number, monthAndDay: string): number[] {
  const [month = '', day] = monthAndDay.split('-')
  const first = Temporal.PlainDate.from(`${year}-01-01`).withCalendar(calendar).year
  return [first, first + 1]
    .map((own) => ({ calendar, year: own, monthCode: `M${month.padStart(2, '0')}`, day: Number(day) }))
    .map((date) => Temporal.PlainDate.from(date).withCalendar('iso8601'))
    .filter((date) => date.year === year)
    .map((date) => epochDay(date.toString()))
}

/** Easter Sunday of the Eastern churches: Meeus's Julian algorithm; 13 days between the calendars until 2099. */
function orthodoxEaster(year: number): number {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const n = d + e + 114
  return dayOf(year, String(Math.trunc(n / 31)), (n % 31) + 1) + 13
}

/** 4 or 5 April in this century: the sun is 15° past the equinox. */
function chingMing(year: number): number {
  const y = year % 100
  return dayOf(year, '4', Math.trunc(0.2422 * y + 4.81) - Math.trunc(y / 4))
}

/** In Japan, by the formula of its observatory's almanac, valid from 1980 to 2099. */
function equinox(year: number, month: string, base: number): number {
  const years = year - 1980
  return dayOf(year, month, Math.trunc(base + 0.242194 * years) - Math.trunc(years / 4))
}

function weekdaysOfSummerTime(year: number, timeZone: string): number[] {
  const offsetOn = (day: number) => dateOf(day).toZonedDateTime({ timeZone, plainTime: '12:00' }).offsetNanoseconds
  const [first, next] = [dayOf(year, '1', 1), dayOf(year + 1, '1', 1)]
  const [days, standard] = [Array.from({ length: next - first }, (_, index) => first + index), offsetOn(first)]
  return days.filter((day) => dayOfWeek(day) < saturday && offsetOn(day) > standard)
}
