import { monthStart } from './days.ts'

/** The third Friday of the month that begins with a day: it is never before the 15th nor after the 21st. */
function thirdFriday(firstDay: number): number {
  const fifteenth = firstDay + 14
  // The first day of 1970 was a Thursday.
  const daysToFriday = (((1 - fifteenth) % 7) + 7) % 7
  return fifteenth + daysToFriday
}

/** The expiry on a month's third Friday, or on the Thursday before when none is on that Friday: it is a holiday then. */
function regularExpiry(firstDay: number, expiries: readonly number[]): number | undefined {
  const friday = thirdFriday(firstDay)
  return [friday, friday - 1].find((day) => expiries.includes(day))
}

/**
 * The monthlies among expiries in order: what expires on third Fridays. A root that never does so, or that has no more
 * than one expiry a month, as many options on futures, has the last expiry of each month as its monthly.
 */
export function monthlyExpiries(expiries: readonly number[]): number[] {
  const months = [...Map.groupBy(expiries, (expiry) => monthStart(expiry))]
  const regular = months.map(([month, days]) => regularExpiry(month, days)).filter((day) => day !== undefined)
  const hasOthers = months.some(([, days]) => days.length > 1)
  return hasOthers && regular.length > 0 ? regular : months.flatMap(([, days]) => days.slice(-1))
}
