import { monthStart } from './days.ts'

/** The third Friday of a month, given its first day: always from the 15th to the 21st. */
function thirdFriday(firstDay: number): number {
  const fifteenth = firstDay + 14
  // The first day of 1970 was a Thursday.
  const daysToFriday = (((1 - fifteenth) % 7) + 7) % 7
  return fifteenth + daysToFriday
}

/** The expiry on a month's third Friday, or on the Thursday before if that Friday is a holiday. */
function regularExpiry(firstDay: number, expiries: readonly number[]): number | undefined {
  const friday = thirdFriday(firstDay)
  return [friday, friday - 1].find((day) => expiries.includes(day))
}

/** The monthlies among sorted expiries: those on third Fridays. For a root that has none, or at most one expiry per month
 *  (such as many options on futures), the last expiry of each month. */
export function monthlyExpiries(expiries: readonly number[]): number[] {
  const months = [...Map.groupBy(expiries, (expiry) => monthStart(expiry))]
  const regular = months.map(([month, days]) => regularExpiry(month, days)).filter((day) => day !== undefined)
  const hasOthers = months.some(([, days]) => days.length > 1)
  return hasOthers && regular.length > 0 ? regular : months.flatMap(([, days]) => days.slice(-1))
}
