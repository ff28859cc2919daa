import { type TSchema, Type } from 'typebox'
import type { Shape } from '../../core/validation/shape.ts'
import { describeCode } from '../codes/code-text.ts'
import { eventTypes } from '../codes/event-types.ts'
import { indicatorTexts } from '../codes/indicators.ts'
import { optionTypes } from '../codes/option-types.ts'
import { payoutTexts } from '../codes/payouts.ts'
import { EventRecord, HoldingRecord } from './schema.ts'

/** The elections of one account, without its key. */
export type Elections = Omit<HoldingRecord, 'AccountKey'>
type Aside = Pick<EventRecord, 'DisplayAndFormat' | 'EventStatus' | 'Source'>
type OnlyInRecord = keyof Aside | 'UpdatedDateTime' | 'Holdings'

/** An event as it is kept: what every holder is told alike, what is not told in this form, and the elections. */
export type CanonicalEvent = Readonly<{
  document: Omit<EventRecord, OnlyInRecord>
  /** Null when there is nothing to remember. */
  aside: Aside | null
  /** Null when the record does not tell it. */
  updatedDateTime: string | null
  holdings: [accountKey: string, Elections][]
}>

const { DisplayAndFormat, EventStatus, UpdatedDateTime, Holdings, Source, ...told } = EventRecord.properties
/** A schema is a shape when its hidden keys are ignored. */
export const shapeOf = (schema: TSchema): Shape => schema as Shape

const { AccountKey, ...elections } = HoldingRecord.properties
const formed = (schema: TSchema) => formOf(shapeOf(schema))
const forms = {
  document: formed(Type.Object(told)),
  elections: formed(Type.Object(elections)),
  names: formed(DisplayAndFormat),
  source: formed(Source),
}

/** One form for records that say the same: members in the order of the schema, no empty lists, instants in UTC, and
 *  what follows from the rest filled in. A canonical record stays as it is. */
export function canonicalEvent(record: EventRecord): CanonicalEvent {
  return {
    document: forms.document(filledIn(record)) as CanonicalEvent['document'],
    aside: asideOf(record),
    updatedDateTime: record.UpdatedDateTime === undefined ? null : utcInstant(record.UpdatedDateTime),
    holdings: (record.Holdings ?? []).map((holding) => [holding.AccountKey, forms.elections(holding) as Elections]),
  }
}

type Kept = Readonly<{
  document: string
  aside: string | null
  updatedAt: Temporal.Instant
  holdings: CanonicalEvent['holdings'] | null
}>

/** The record again, of what was kept of it as JSON. It tells the time of its last change also where that was an import,
 *  so that it is still known when the record is read elsewhere. */
export function recordText({ document, aside, updatedAt, holdings }: Kept): string {
  const UpdatedDateTime = microseconds(updatedAt)
  const Holdings = holdings?.map(([AccountKey, elections]) => ({ AccountKey, ...elections }))
  const parts = [document, ...(aside === null ? [] : [aside]), JSON.stringify({ UpdatedDateTime, Holdings })]
  return `{${parts.map((part) => part.slice(1, -1)).join(',')}}`
}

/** Where it is not told, a choice makes an event electable. */
export const isElectable = ({ Electable, Options = [] }: Pick<EventRecord, 'Electable' | 'Options'>): boolean =>
  Electable === undefined ? Options.length > 1 : Electable === 'Electable'

function filledIn(record: EventRecord): object {
  return {
    ...record,
    EventType: describeCode(eventTypes, record.EventType),
    Electable: isElectable(record) ? 'Electable' : 'NotElectable',
    EventIndicators: describedIndicators(record.EventIndicators),
    Options: record.Options?.map((option) => ({
      ...option,
      OptionType: option.OptionType && describeCode(optionTypes, option.OptionType),
      OptionIndicators: describedIndicators(option.OptionIndicators),
      PayoutBreakdown: option.PayoutBreakdown?.map((payout) => ({
        ...payout,
        Component: describeCode(payoutTexts, payout.Component),
      })),
    })),
  }
}

const describedIndicators = (details: EventRecord['EventIndicators']) =>
  details?.map(({ Indicator, Values }) => ({
    Indicator,
    Values: Values.map((value) => describeCode(indicatorTexts[Indicator], value)),
  }))

type Form = (value: unknown) => unknown

/** What brings a value of the shape into its one form; made once, for records are many. */
function formOf({ format, items, properties, required = [] }: Shape): Form {
  if (format === 'date-time') return utcInstant
  if (items) {
    const item = formOf(items)
    return (value) => (value as unknown[]).map(item)
  }
  if (!properties) return (value) => value
  const members = Object.entries(properties).map(
    ([name, member]) => [name, formOf(member), required.includes(name)] as const,
  )
  return (value) => {
    const [given, kept] = [value as Members, {} as Members]
    for (const [name, form, isRequired] of members) {
      const member = given[name]
      const saysNothing = member === undefined || (Array.isArray(member) && member.length === 0 && !isRequired)
      if (!saysNothing) kept[name] = form(member)
    }
    return kept
  }
}

type Members = Record<string, unknown>

function utcInstant(text: unknown): string {
  return microseconds(Temporal.Instant.from(text as string))
}

const microseconds = (instant: Temporal.Instant): string => instant.toString({ fractionalSecondDigits: 6 })

function asideOf(record: EventRecord): Aside | null {
  const aside = {
    ...(record.DisplayAndFormat && { DisplayAndFormat: forms.names(record.DisplayAndFormat) }),
    ...(record.EventStatus && { EventStatus: record.EventStatus }),
    ...(record.Source && { Source: forms.source(record.Source) }),
  }
  return Object.keys(aside).length === 0 ? null : (aside as Aside)
}
