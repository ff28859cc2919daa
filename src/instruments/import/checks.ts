import { identifierType } from '../../core/records/identifiers.ts'
import { timeZoneName } from '../../core/time/time-zones.ts'
import type { ReportError } from '../../database/staging/copy.ts'
import { optionAssetTypes } from '../api/fields/enums.ts'
import { currenciesIn } from '../rules/currency-pairs.ts'
import { checkHours } from './hours.ts'
import type { CalendarRecord, ExchangeRecord, InstrumentRecord, OptionRootRecord } from './schema.ts'

// Checks that a schema cannot express. Each function reports every error it finds.

export function checkCalendar({ TimeZone, Hours, Currencies = [] }: CalendarRecord, reportError: ReportError): void {
  checkTimeZone(TimeZone, reportError)
  checkHours(Hours, reportError)
  if (new Set(Currencies).size < Currencies.length) reportError('Currencies', 'Must name each currency once.')
}

const timesOfExchange = ['Hours', 'Holidays', 'EarlyCloses', 'LateOpens'] as const

export function checkExchange(record: ExchangeRecord, reportError: ReportError): void {
  checkTimeZone(record.TimeZone, reportError)
  if (record.CalendarId === undefined && record.Hours === undefined)
    reportError('Hours', 'Is required, unless CalendarId names a calendar with the hours.')
  if (record.CalendarId !== undefined)
    for (const member of timesOfExchange)
      if (record[member] !== undefined) reportError(member, 'Must be on the calendar that CalendarId names, not here.')
  checkHours(record.Hours, reportError)
}

function checkTimeZone(timeZone: string, reportError: ReportError): void {
  const zone = timeZoneName(timeZone)
  if (zone === undefined) reportError('TimeZone', 'Must be the IANA name of a time zone, such as America/New_York.')
  else if (zone !== timeZone) reportError('TimeZone', `Must be spelled ${zone}.`)
}

function checkBlank(text: string | undefined, field: string, reportError: ReportError): void {
  if (text !== undefined && text.trim() === '') reportError(field, 'Must not be blank.')
}

const required = ['Symbol', 'Description', 'CurrencyCode', 'ExchangeId'] as const

export function checkInstrument(record: InstrumentRecord, reportError: ReportError): void {
  if (record.Isin !== undefined && !hasCheckDigit(record.Isin))
    reportError('Isin', 'Has a wrong check digit (ISO 6166). Look for a mistyped character.')
  checkHours(record.Hours, reportError)
  checkBlank(record.Description, 'Description', reportError)
  for (const [index, alias] of (record.Aliases ?? []).entries()) checkBlank(alias, `Aliases[${index}]`, reportError)
  checkIdentifiers(record, reportError)
  checkAsFuture(record, reportError)
  checkValueDates(record, reportError)
  const types = new Set<string>()
  for (const [index, entry] of record.As.entries()) {
    const field = `As[${index}]`
    for (const member of required)
      if (entry[member] === undefined && record[member] === undefined)
        reportError(`${field}.${member}`, 'Is required here or on the record.')
    checkBlank(entry.Description, `${field}.Description`, reportError)
    if (types.has(entry.AssetType)) reportError(`${field}.AssetType`, 'Must not appear twice in As.')
    if ((optionAssetTypes as readonly string[]).includes(entry.AssetType))
      reportError(`${field}.AssetType`, 'Must not be an option type. Import options as records of kind optionRoot.')
    types.add(entry.AssetType)
  }
}

function checkIdentifiers({ Identifiers = [] }: InstrumentRecord, reportError: ReportError): void {
  for (const [index, { Type, Value }] of Identifiers.entries()) {
    const field = `Identifiers[${index}]`
    checkBlank(Value, `${field}.Value`, reportError)
    const type = identifierType(Type)
    if (type === '') reportError(`${field}.Type`, 'Must have a letter or a digit.')
    if (type === 'ISIN') reportError(`${field}.Type`, 'Must not be ISIN. Give it as the Isin of the record.')
  }
}

/** A futures space lists futures by the expiry of their main asset type (§6.4). */
function checkAsFuture(
  { Uic, ContinuousFuturesUic, ExpiryDate, As: [main] }: InstrumentRecord,
  reportError: ReportError,
): void {
  if (ContinuousFuturesUic === undefined) return
  if (ContinuousFuturesUic === Uic)
    reportError('ContinuousFuturesUic', 'Must be the Uic of a continuous future, not of the instrument itself.')
  if (main?.ExpiryDate === undefined && ExpiryDate === undefined)
    reportError('ExpiryDate', 'Is required with ContinuousFuturesUic, for the first asset type.')
}

const forwardDates = ['FxForwardMinForwardDate', 'FxForwardMaxForwardDate'] as const

/** With SpotDays, value dates are computed every day from the symbol's two currencies (§6.2). */
function checkValueDates(record: InstrumentRecord, reportError: ReportError): void {
  if (record.SpotDays === undefined) return
  if (!currenciesIn(record.As[0]?.Symbol ?? record.Symbol ?? ''))
    reportError('SpotDays', 'Requires a symbol of two currencies, such as EURUSD.')
  for (const [index, entry] of [record, ...record.As].entries())
    for (const member of forwardDates)
      if (entry[member] !== undefined)
        reportError(
          index === 0 ? member : `As[${index - 1}].${member}`,
          'Is computed from SpotDays. Remove one of them.',
        )
}

/** ISO 6166: letters count as 10 to 35, then the Luhn algorithm. */
export function hasCheckDigit(isin: string): boolean {
  let sum = 0
  let isDoubled = false
  const add = (digit: number) => {
    const value = isDoubled ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
    isDoubled = !isDoubled
  }
  for (let index = isin.length - 1; index >= 0; index--) {
    const code = isin.charCodeAt(index)
    const value = code > 57 ? code - 55 : code - 48
    add(value % 10)
    if (value > 9) add(Math.floor(value / 10))
  }
  return sum % 10 === 0
}

export function checkOptionRoot(record: OptionRootRecord, reportError: ReportError): void {
  for (const member of required) if (record[member] === undefined) reportError(member, 'Is required.')
  checkHours(record.Hours, reportError)
  checkBlank(record.Description, 'Description', reportError)
  const expiries = new Set<string>()
  const uics = new Set<number>()
  for (const [index, series] of record.Series.entries()) {
    const field = `Series[${index}]`
    if (expiries.has(series.Expiry)) reportError(`${field}.Expiry`, 'Must be unique among the series of the root.')
    expiries.add(series.Expiry)
    if (series.LastTradeDate !== undefined && isLeapSecond(series.LastTradeDate))
      reportError(`${field}.LastTradeDate`, 'Must have seconds from 0 to 59.')
    checkOptions(series.Options, field, uics, reportError)
  }
}

/** Temporal reads a leap second as the second before, so it would not be exported as it was imported. */
const isLeapSecond = (text: string): boolean => text.slice(17, 19) === '60'

function checkOptions(
  options: OptionRootRecord['Series'][number]['Options'],
  field: string,
  uics: Set<number>,
  reportError: ReportError,
): void {
  const terms = new Set<string>()
  for (const [index, { Uic, PutCall, StrikePrice, UnderlyingUic }] of options.entries()) {
    const term = `${PutCall} ${StrikePrice} ${UnderlyingUic}`
    if (terms.has(term))
      reportError(
        `${field}.Options[${index}]`,
        'Repeats the terms of an earlier option: PutCall, StrikePrice, UnderlyingUic.',
      )
    if (uics.has(Uic)) reportError(`${field}.Options[${index}].Uic`, 'Repeats the Uic of an earlier option.')
    terms.add(term)
    uics.add(Uic)
  }
}
