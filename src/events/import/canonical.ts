import { type TSchema, Type } from 'typebox'
import { dayOrTime } from '../../core/validation/formats.ts'
import type { Shape } from '../../core/validation/shape.ts'
import { describeCode } from '../codes/code-text.ts'
import { eventTypes } from '../codes/event-types.ts'
import { indicatorTexts } from '../codes/indicators.ts'
import { optionTypes } from '../codes/option-types.ts'
import { payoutTexts } from '../codes/payouts.ts'
import { EventRecord, HoldingRecord } from './schema.ts'

export type Elections = Omit<HoldingRecord, 'AccountKey'>
type Aside = Pick<EventRecord, 'DisplayAndFormat' | 'EventStatus' | 'Source'>
type OnlyInRecord = keyof Aside | 'UpdatedDateTime' | 'Holdings'

/** An event as it is stored: the fields all holders see, fields that are not returned in this form, and elections. */
export type CanonicalEvent = Readonly<{
  document: Omit<EventRecord, OnlyInRecord>
  aside: Aside | null
  updatedDateTime: string | null
  holdings: [accountKey: string, Elections][]
}>

const { DisplayAndFormat, EventStatus, UpdatedDateTime, Holdings, Source, ...documentFields } = EventRecord.properties
export const shapeOf = (schema: TSchema): Shape => schema as Shape

const { AccountKey, ...electionFields } = HoldingRecord.properties
const normaliserFor = (schema: TSchema) => normaliser(shapeOf(schema))
const normalise = {
  document: normaliserFor(Type.Object(documentFields)),
  elections: normaliserFor(Type.Object(electionFields)),
  aside: normaliserFor(Type.Object({ DisplayAndFormat, EventStatus, Source })),
}

/** Equal records get equal text: fields in schema order, no empty lists, instants in UTC. Idempotent. */
export function canonicalEvent(record: EventRecord): CanonicalEvent {
  return {
    document: normalise.document(withDerivedFields(record)) as CanonicalEvent['document'],
    aside: asideOf(record),
    updatedDateTime: record.UpdatedDateTime === undefined ? null : utcInstant(record.UpdatedDateTime),
    holdings: (record.Holdings ?? []).map((holding) => [holding.AccountKey, normalise.elections(holding) as Elections]),
  }
}

export type StoredEvent = Readonly<{
  document: string
  aside: string | null
  updatedAt: Temporal.Instant
  holdings: CanonicalEvent['holdings'] | null
}>

/** The record as JSON, from its stored parts. It always has UpdatedDateTime, so that another service keeps that time. */
export function recordText({ document, aside, updatedAt, holdings }: StoredEvent): string {
  const UpdatedDateTime = microseconds(updatedAt)
  const Holdings = holdings?.map(([AccountKey, elections]) => ({ AccountKey, ...elections }))
  const objects = [document, ...(aside === null ? [] : [aside]), JSON.stringify({ UpdatedDateTime, Holdings })]
  return `{${objects.map((object) => object.slice(1, -1)).join(',')}}`
}

/** Without Electable, an event with more than one option is electable (§7.5). */
export const isElectable = ({ Electable, Options = [] }: Pick<EventRecord, 'Electable' | 'Options'>): boolean =>
  Electable === undefined ? Options.length > 1 : Electable === 'Electable'

function withDerivedFields(record: EventRecord): object {
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

type Normaliser = (value: unknown) => unknown

/** Built once per schema: there are many records. */
function normaliser({ format, items, properties, required = [] }: Shape): Normaliser {
  if (format === 'date-time') return utcInstant
  if (format === dayOrTime) return (value) => ((value as string).length === 10 ? value : utcInstant(value))
  if (items) {
    const item = normaliser(items)
    return (value) => (value as unknown[]).map(item)
  }
  if (!properties) return (value) => value
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, normaliser(field), required.includes(name)] as const,
  )
  return (value) => {
    const given = value as Record<string, unknown>
    const kept: Record<string, unknown> = {}
    for (const [name, normaliseField, isRequired] of fields) {
      const field = given[name]
      const isEmpty = field === undefined || (Array.isArray(field) && field.length === 0 && !isRequired)
      if (!isEmpty) kept[name] = normaliseField(field)
    }
    return kept
  }
}

function utcInstant(text: unknown): string {
  return microseconds(Temporal.Instant.from(text as string))
}

const microseconds = (instant: Temporal.Instant): string => instant.toString({ fractionalSecondDigits: 6 })

function asideOf(record: EventRecord): Aside | null {
  const aside = normalise.aside(record) as Aside
  return Object.keys(aside).length === 0 ? null : aside
}
