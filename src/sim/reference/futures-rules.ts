import {
  lastTradingDay,
  onOrAfter,
  onOrBefore,
  type TradingCalendar,
  thirdFriday,
  thirdWednesday,
  tradingDaysAfter,
  tradingDaysBefore,
} from './expiries.ts'

/** A delivery month's day, by a rule of the exchange. */
export type MonthRule = (calendar: TradingCalendar, month: Temporal.PlainYearMonth) => Temporal.PlainDate
export type DeliveryRule = { lastTrade: MonthRule; firstNotice?: MonthRule }

const oneMonth = { months: 1 }

/** Of grains, metals and Treasuries: the last business day of the month before delivery. */
const lastDayOfMonthBefore: MonthRule = (calendar, month) => lastTradingDay(calendar, month.subtract(oneMonth))

/** Three business days before the 25th of the month before delivery, or before the last business day ahead of it. */
const crudeLastTrade: MonthRule = (calendar, month) =>
  tradingDaysBefore(calendar, onOrBefore(calendar, month.subtract(oneMonth).toPlainDate({ day: 25 })), 3)

const gasLastTrade: MonthRule = (calendar, month) => tradingDaysBefore(calendar, month.toPlainDate({ day: 1 }), 3)

const currencyLastTrade: MonthRule = (calendar, month) => tradingDaysBefore(calendar, thirdWednesday(month), 2)

/** Two exchange days before the 10th, or before the exchange day that follows it. Notice is given on the same day. */
const bundLastTrade: MonthRule = (calendar, month) =>
  tradingDaysBefore(calendar, onOrAfter(calendar, month.toPlainDate({ day: 10 })), 2)

export const equityIndex: DeliveryRule = { lastTrade: thirdFriday }

export const crudeOil: DeliveryRule = {
  lastTrade: crudeLastTrade,
  firstNotice: (calendar, month) => tradingDaysAfter(calendar, crudeLastTrade(calendar, month), 2),
}

export const naturalGas: DeliveryRule = {
  lastTrade: gasLastTrade,
  firstNotice: (calendar, month) => tradingDaysAfter(calendar, gasLastTrade(calendar, month), 1),
}

/** The third last business day of the delivery month. */
export const metal: DeliveryRule = {
  lastTrade: (calendar, month) => tradingDaysBefore(calendar, lastTradingDay(calendar, month), 2),
  firstNotice: lastDayOfMonthBefore,
}

/** The business day before the 15th of the delivery month. */
export const grain: DeliveryRule = {
  lastTrade: (calendar, month) => tradingDaysBefore(calendar, month.toPlainDate({ day: 15 }), 1),
  firstNotice: lastDayOfMonthBefore,
}

/** Seven business days before the last business day of the delivery month. */
export const treasury: DeliveryRule = {
  lastTrade: (calendar, month) => tradingDaysBefore(calendar, lastTradingDay(calendar, month), 7),
  firstNotice: lastDayOfMonthBefore,
}

/** Two business days before the third Wednesday, on which currencies are delivered. */
export const currency: DeliveryRule = { lastTrade: currencyLastTrade, firstNotice: currencyLastTrade }

export const bund: DeliveryRule = { lastTrade: bundLastTrade, firstNotice: bundLastTrade }
