import type { CopyValue } from '../../database/staging/copy.ts'
import type { MessageEventRecord } from '../messages/warning.ts'
import { eventDates } from '../rules/dates.ts'
import { type CanonicalEvent, canonicalEvent, isElectable } from './canonical.ts'
import type { PositionRecord } from './schema.ts'

type Columns<Source> = Readonly<Record<string, readonly [type: string, valueOf: (source: Source) => CopyValue]>>

const typesOf = <S>(columns: Columns<S>) =>
  Object.fromEntries(Object.entries(columns).map(([name, [type]]) => [name, type]))
const valuesOf = <S>(columns: Columns<S>, source: S) => Object.values(columns).map(([, valueOf]) => valueOf(source))

const positionColumns: Columns<PositionRecord> = {
  account_key: ['text', ({ AccountKey }) => AccountKey],
  uic: ['bigint', ({ Uic }) => Uic],
  asset_type: ['text', ({ AssetType }) => AssetType],
  /** Null: held from the beginning. */
  held_from: ['date', ({ From }) => From ?? null],
  amount: ['numeric', ({ Amount }) => Amount],
}
export const positionStage = { table: 'staged_position', columns: typesOf(positionColumns), keys: 4 }
export const positionRow = (record: PositionRecord): CopyValue[] => valuesOf(positionColumns, record)

type EventSource = Readonly<{
  record: MessageEventRecord
  canonical: CanonicalEvent
  dates: ReturnType<typeof eventDates>
  hasHoldings: boolean
}>

const facts: Columns<EventSource> = {
  uic: ['bigint', ({ record }) => record.Uic],
  asset_type: ['text', ({ record }) => record.AssetType],
  corporate_action_type: ['text', ({ record }) => record.CorporateActionType],
  event_type: ['text', ({ record }) => record.EventType.Code],
  event_type_name: ['text', ({ record, canonical }) => canonical.document.EventType.Name ?? record.EventType.Code],
  state: ['text', ({ record }) => record.EventState],
  status: ['text', ({ record }) => record.EventStatus ?? null],
  is_electable: ['boolean', ({ record }) => isElectable(record)],
  announced_on: ['date', ({ dates }) => dates.announcedOn],
  ex_on: ['date', ({ dates }) => dates.exOn],
  record_on: ['date', ({ dates }) => dates.recordOn],
  key_date: ['date', ({ dates }) => dates.keyDate],
  starts_on: ['date', ({ dates }) => dates.startsOn],
  ends_on: ['date', ({ dates }) => dates.endsOn],
  deadlines: ['date[]', ({ dates }) => dates.deadlines],
  payments: ['date[]', ({ dates }) => dates.payments],
  description: ['text', ({ record }) => record.DisplayAndFormat?.Description ?? null],
  isin: ['text', ({ record }) => record.DisplayAndFormat?.IsinCode ?? null],
  symbol: ['text', ({ record }) => record.DisplayAndFormat?.Symbol ?? null],
}
const documents: Columns<EventSource> = {
  document: ['json', ({ canonical }) => JSON.stringify(canonical.document)],
  aside: ['json', ({ canonical }) => canonical.aside && JSON.stringify(canonical.aside)],
}
const eventColumns: Columns<EventSource> = {
  event_id: ['text', ({ record }) => record.EventId],
  ...facts,
  ...documents,
  updated_at: ['timestamptz', ({ canonical }) => canonical.updatedDateTime],
  /** Pairs of an account and its elections; null keeps the existing ones. */
  holdings: ['json', ({ canonical, hasHoldings }) => (hasHoldings ? JSON.stringify(canonical.holdings) : null)],
  warning_kind: ['text', ({ record }) => record.Warning?.Kind ?? null],
  warning: ['text', ({ record }) => record.Warning?.Text ?? null],
}
export const factNames = Object.keys(facts)
export const storedNames = ['event_id', ...factNames, ...Object.keys(documents)]
export const eventStage = { table: 'staged_event', columns: typesOf(eventColumns) }

/** What import derives from a record, of an event as it is stored. */
export function storedFacts(document: CanonicalEvent['document'], aside: CanonicalEvent['aside']): StoredFacts {
  const record = { ...document, ...aside }
  const canonical = { document, aside, updatedDateTime: null, holdings: [] }
  const source = { record, canonical, dates: eventDates(record), hasHoldings: false }
  return Object.fromEntries(Object.entries(facts).map(([name, [, valueOf]]) => [name, valueOf(source)]))
}

export type StoredFacts = Readonly<Record<string, CopyValue>>

export function eventRow(record: MessageEventRecord, hasHoldings: boolean): CopyValue[] {
  const source = { record, canonical: canonicalEvent(record), dates: eventDates(record), hasHoldings }
  return valuesOf(eventColumns, source)
}
