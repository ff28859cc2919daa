import { isWithin, type Shape } from '../../http/input/constraints.ts'
import { isElectable, shapeOf } from './canonical.ts'
import { EventRecord } from './schema.ts'

/** What the schemas of records cannot say. Each function tells every fault it finds, with the field it is in. */
export type Fault = (field: string, reason: string) => void

export function refuseEvent(record: EventRecord, fault: Fault): void {
  if (record.EventId.toLowerCase() === 'lookupdata')
    fault('EventId', 'Must not be lookupdata, which is the address of an operation.')
  if (record.DisplayAndFormat?.Description?.trim() === '') fault('DisplayAndFormat.Description', 'Must not be blank.')
  refuseTimes?.(record, '', fault)
  const options = new Set<string>()
  for (const [index, { OptionId }] of (record.Options ?? []).entries()) {
    if (options.has(OptionId)) fault(`Options[${index}].OptionId`, 'Is that of an option before it.')
    options.add(OptionId)
  }
  refuseHoldings(record, options, fault)
}

function refuseHoldings(record: EventRecord, options: ReadonlySet<string>, fault: Fault): void {
  const accounts = new Set<string>()
  for (const [index, { AccountKey, Options = [] }] of (record.Holdings ?? []).entries()) {
    const field = `Holdings[${index}]`
    if (accounts.has(AccountKey)) fault(`${field}.AccountKey`, 'Is that of a holding before it.')
    accounts.add(AccountKey)
    if (Options.length > 0 && !isElectable(record))
      fault(`${field}.Options`, 'Must not elect: the event is NotElectable.')
    for (const [at, { OptionId }] of Options.entries())
      if (!options.has(OptionId)) fault(`${field}.Options[${at}].OptionId`, `The event has no option ${OptionId}.`)
  }
}

type Check = (value: unknown, field: string, fault: Fault) => void

const refuseDay: Check = (value, field, fault) => {
  if (!isKept(value as string)) fault(field, 'Must be in the years 0001 to 9999.')
}

const refuseInstant: Check = (value, field, fault) => {
  if (!isMoment(value as string))
    fault(field, 'Must have seconds up to 59, 0 to 6 fractional digits, and Z or an offset.')
}

/** Looks at every day, instant and period of a record, wherever its schema has one; undefined where it has none. */
function timesOf({ items, properties, format }: Shape): Check | undefined {
  if (format === 'date') return refuseDay
  if (format === 'date-time') return refuseInstant
  if (items) {
    const check = timesOf(items)
    return (
      check &&
      ((value, field, fault) => {
        for (const [at, item] of (value as unknown[]).entries()) check(item, `${field}[${at}]`, fault)
      })
    )
  }
  if (!properties) return undefined
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const check = timesOf(member)
    return check ? [[name, check] as const] : []
  })
  if (members.length === 0) return undefined
  const isDay = properties.Date && properties.Status
  const isPeriod = properties.Start && properties.End
  return (value, field, fault) => {
    const given = value as Record<string, unknown>
    if (isDay && (given.Date === undefined) === (given.Status === undefined))
      fault(field, 'Must have either Date or Status.')
    if (isPeriod) refusePeriod(given, field, fault)
    for (const [name, check] of members)
      if (given[name] !== undefined) check(given[name], field ? `${field}.${name}` : name, fault)
  }
}

const refuseTimes = timesOf(shapeOf(EventRecord))

type Period = { Start?: { Date?: string }; End?: { Date?: string } }

function refusePeriod({ Start, End }: Period, field: string, fault: Fault): void {
  if (Start?.Date !== undefined && End?.Date !== undefined && End.Date < Start.Date)
    fault(`${field}.End`, 'Must not be before Start.')
}

/** PostgreSQL knows no year 0, and no later one could be written with four digits. */
const isKept = (day: string): boolean => /^(?!0000)\d{4}-/.test(day)

/** Temporal reads a leap second as the one before it, so that it would not come back as it was written. */
function isMoment(text: string): boolean {
  return (
    isWithin({ format: 'date-time' }, text) &&
    text.slice(17, 19) !== '60' &&
    isKept(Temporal.Instant.from(text).toString())
  )
}
