import { dayText, epochDay } from '../../core/time/days.ts'

/** Months are counted from the year 0: simple to add, compare and use as keys. */
export const monthOf = (day: number): number => {
  const [year, month] = dayText(day).split('-')
  return Number(year) * 12 + Number(month) - 1
}

export const firstDayOf = (month: number): number =>
  epochDay(`${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`)

export const monthsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index)

export const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The letters that exchanges use for the months of a year. */
export const monthCode = (month: number): string => 'FGHJKMNQUVXZ'.charAt(month % 12)

/** The symbol of a future: ESZ6 is the E-mini of December 2026. */
export const futureSymbol = (code: string, month: number): string =>
  `${code}${monthCode(month)}${Math.floor(month / 12) % 10}`
