import { dayOrTime } from '../../core/validation/formats.ts'
import type { Shape } from '../../core/validation/shape.ts'
import type { ReportError } from '../../database/staging/copy.ts'
import { isElectable, shapeOf } from './canonical.ts'
import { EventRecord } from './schema.ts'

/** The rules that the schema of records cannot express. Reports every error, with its field. */
export function checkEvent(record: EventRecord, reportError: ReportError): void {
  if (record.EventId.toLowerCase() === 'lookupdata')
    reportError('EventId', 'Must not be lookupdata, which is the path of an operation.')
  if (record.DisplayAndFormat?.Description?.trim() === '')
    reportError('DisplayAndFormat.Description', 'Must not be blank.')
  checkTimes?.(record, '', reportError)
  const options = new Set<string>()
  for (const [index, { OptionId }] of (record.Options ?? []).entries()) {
    if (options.has(OptionId))
      reportError(`Options[${index}].OptionId`, 'Duplicates an earlier option. Give each option its own OptionId.')
    options.add(OptionId)
  }
  checkHoldings(record, options, reportError)
}

function checkHoldings(record: EventRecord, options: ReadonlySet<string>, reportError: ReportError): void {
  const accounts = new Set<string>()
  for (const [index, { AccountKey, Options = [] }] of (record.Holdings ?? []).entries()) {
    const field = `Holdings[${index}]`
    if (accounts.has(AccountKey))
      reportError(`${field}.AccountKey`, 'Duplicates an earlier holding. Give each account once.')
    accounts.add(AccountKey)
    if (Options.length > 0 && !isElectable(record))
      reportError(`${field}.Options`, 'The event is NotElectable. Remove the elections, or set Electable.')
    for (const [at, { OptionId }] of Options.entries())
      if (!options.has(OptionId))
        reportError(`${field}.Options[${at}].OptionId`, `The event has no option ${OptionId}.`)
  }
}

type Check = (value: unknown, field: string, reportError: ReportError) => void

/** In UTC the year must have four digits and not be 0, which PostgreSQL does not have. Temporal reads a leap second as
 *  the second before it, so it would not be exported unchanged. */
const checkInstant: Check = (value, field, reportError) => {
  const text = value as string
  if (text.length === 10) return
  if (text.slice(17, 19) === '60' || !/^(?!0000)\d{4}-/.test(Temporal.Instant.from(text).toString()))
    reportError(field, 'Must have seconds up to 59 and, in UTC, a year from 0001 to 9999.')
}

/** Checks every instant, period and DateAndStatus that the schema has; undefined if it has none. */
function timesOf({ items, properties, format }: Shape): Check | undefined {
  if (format === 'date-time' || format === dayOrTime) return checkInstant
  if (items) {
    const check = timesOf(items)
    return (
      check &&
      ((value, field, reportError) => {
        for (const [at, item] of (value as unknown[]).entries()) check(item, `${field}[${at}]`, reportError)
      })
    )
  }
  if (!properties) return undefined
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const check = timesOf(schema)
    return check ? [[name, check] as const] : []
  })
  const isDay = properties.Date && properties.Status
  const isPeriod = properties.Start && properties.End
  if (fields.length === 0 && !isDay && !isPeriod) return undefined
  return (value, field, reportError) => {
    const given = value as Record<string, unknown>
    if (isDay && (given.Date === undefined) === (given.Status === undefined))
      reportError(field, 'Must have either Date or Status.')
    if (isPeriod) checkPeriod(given, field, reportError)
    for (const [name, check] of fields)
      if (given[name] !== undefined) check(given[name], field ? `${field}.${name}` : name, reportError)
  }
}

const checkTimes = timesOf(shapeOf(EventRecord))

type Period = { Start?: { Date?: string }; End?: { Date?: string } }

function checkPeriod({ Start, End }: Period, field: string, reportError: ReportError): void {
  if (Start?.Date !== undefined && End?.Date !== undefined && End.Date < Start.Date)
    reportError(`${field}.End`, 'Must not be before Start.')
}
