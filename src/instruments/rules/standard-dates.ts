import { dayText } from '../../core/time/days.ts'
import { forwardDate, optionExpiry, type PairCalendar, type Tenor } from './value-dates.ts'

const tenors = (unit: Tenor['unit'], ...values: number[]): Tenor[] => values.map((value) => ({ unit, value }))

const weeksToYear = [...tenors('Weeks', 1, 2, 3), ...tenors('Months', 1, 2, 3, 6, 9), ...tenors('Years', 1)]
const optionTenors = [...tenors('Days', 1), ...weeksToYear]

type StandardDate = Readonly<{ Date: string; Unit: Tenor['unit']; Value: number }>

/** The value dates of the usual forwards, as of today (§6.6). */
export function forwardTenors(pair: PairCalendar, today: number): StandardDate[] {
  return weeksToYear.map((tenor) => standardDate(tenor, forwardDate(pair, today, tenor)))
}

/** The expiries of the usual options on a currency pair, as of today (§6.6). */
export function optionExpiries(pair: PairCalendar, today: number): StandardDate[] {
  return optionTenors.map((tenor) => standardDate(tenor, optionExpiry(pair, today, tenor)))
}

const standardDate = ({ unit, value }: Tenor, day: number): StandardDate => ({
  Date: dayText(day),
  Unit: unit,
  Value: value,
})
