import { stringify } from 'csv-stringify/sync'
import { type EventOption, isOpen, isPast, isSet, isWholeDay, optionName, rateOf } from '../rules/option-terms.ts'
import type { Event } from './schema.ts'

/** `options` are the available ones. `rate` is that of the default option, else of the first option that has one. */
type Row = Readonly<{
  event: Event
  options: readonly EventOption[]
  rate: ReturnType<typeof rateOf>
  now: Temporal.Instant
}>

/** One row per event, with columns to sort and filter by in a spreadsheet. */
const columns: Readonly<Record<string, (row: Row) => string | number | undefined>> = {
  EventId: ({ event }) => event.EventId,
  Symbol: ({ event }) => event.DisplayAndFormat?.Symbol,
  IsinCode: ({ event }) => event.DisplayAndFormat?.IsinCode,
  Description: ({ event }) => event.DisplayAndFormat?.Description,
  AssetType: ({ event }) => event.AssetType,
  Uic: ({ event }) => event.Uic,
  EventType: ({ event }) => event.EventType.Code,
  EventTypeName: ({ event }) => event.EventType.Name,
  CorporateActionType: ({ event }) => event.CorporateActionType,
  EventState: ({ event }) => event.EventState,
  EventStatus: ({ event }) => event.EventStatus,
  Electable: ({ event }) => event.Electable,
  ElectionStatus: ({ event }) => event.ElectionStatus,
  AnnouncedDate: ({ event }) => event.AnnouncedDate,
  ExDate: ({ event }) => first([event.Ex?.Date])?.slice(0, 10),
  RecordDate: ({ event }) => first([event.Record?.Date])?.slice(0, 10),
  EffectiveDate: ({ event }) => first([event.Effective?.Date])?.slice(0, 10),
  NextDeadline: ({ options, now }) => {
    const ahead = options.map(({ Deadline }) => Deadline?.Date).filter((at) => at && !isPast(at, now))
    const next = first(ahead.map((at) => at && endText(at)))
    return next?.endsWith('T24') ? next.slice(0, 10) : toSecond(next)
  },
  FirstPayment: ({ options }) => first(options.map(({ Payment }) => Payment?.Date))?.slice(0, 10),
  DefaultOption: ({ options }) => options.filter(({ IsDefault }) => IsDefault).map(optionName)[0],
  GrossRate: ({ rate }) => rate?.gross,
  NetRate: ({ rate }) => rate?.net,
  Currency: ({ rate }) => rate?.unit,
  AffectedAccounts: ({ event }) => event.AffectedAccounts ?? event.Holdings?.length,
  EligibleHoldings: ({ event }) => event.EligibleHoldings ?? sum(event.Holdings?.map(({ Amount }) => Amount)),
  ElectedAmount: ({ event }) => electedIn(event),
  UpdatedDateTime: ({ event }) => toSecond(event.UpdatedDateTime),
}

function rowOf(event: Event, now: Temporal.Instant): Row {
  const options = (event.Options ?? []).filter(isOpen)
  const defaultFirst = [...options.filter(({ IsDefault }) => IsDefault), ...options]
  return { event, options, rate: defaultFirst.map(rateOf).find((rate) => rate !== undefined), now }
}

/** Undefined where Holdings are incomplete (AffectedAccounts is set): a partial sum would be misleading. */
const electedIn = ({ Electable, AffectedAccounts, Holdings }: Event): number | undefined =>
  Electable === 'Electable' && AffectedAccounts === undefined
    ? sum(Holdings?.map(({ ElectedAmount }) => ElectedAmount))
    : undefined

/** Sorts a day after the times on it. */
const endText = (at: string): string => (isWholeDay(at) ? `${at.slice(0, 10)}T24` : at)

const toSecond = (instant: string | undefined): string | undefined =>
  instant && Temporal.Instant.from(instant).toString({ smallestUnit: 'second' })

const first = (dates: readonly (string | undefined)[]): string | undefined =>
  dates.filter((date) => date !== undefined && isSet(date)).toSorted()[0]

/** Rounded to the 15 digits a double can hold: 0.1 + 0.2 is 0.3. */
const sum = (amounts: readonly number[] | undefined): number | undefined =>
  amounts && Number(amounts.reduce((total, amount) => total + amount, 0).toPrecision(15))

/** RFC 4180, without a byte order mark. Text that a spreadsheet would run as a formula gets an apostrophe. */
export function renderCsv(events: readonly Event[], now: Temporal.Instant): string {
  const rows = events
    .map((event) => rowOf(event, now))
    .map((row) => Object.values(columns).map((cellOf) => cellOf(row)))
  return stringify(rows, {
    header: true,
    columns: Object.keys(columns),
    record_delimiter: 'windows',
    escape_formulas: true,
  })
}
