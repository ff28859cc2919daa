/** The day that lies so many trading days after the day of loading, or before it. */
export type TradingDays = (offset: number) => Temporal.PlainDate

/**
 * 0 is the day of loading, or the first trading day after it; what is before is counted from the last trading day up to
 * it. So a larger offset is always a later day, whatever day it is loaded on.
 */
export function tradingDays(today: Temporal.PlainDate, holidays: ReadonlySet<string>): TradingDays {
  const isOpen = (day: Temporal.PlainDate) => day.dayOfWeek <= 5 && !holidays.has(day.toString())
  const after = walk(today, 1, isOpen)
  const before = walk(today, -1, isOpen)
  return (offset) => (offset < 0 ? before(-offset) : after(offset))
}

/** Days are looked for as far as they are asked for, and remembered. */
function walk(today: Temporal.PlainDate, step: 1 | -1, isOpen: (day: Temporal.PlainDate) => boolean): TradingDays {
  const found: Temporal.PlainDate[] = []
  let next = today
  return (count) => {
    while (found.length <= count) {
      if (isOpen(next)) found.push(next)
      next = next.add({ days: step })
    }
    return found[count] ?? today
  }
}
