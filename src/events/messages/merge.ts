import type { EventRecord, EventSource } from '../import/schema.ts'
import * as limits from './limits.ts'

/** One event of one message. `cancels`: the message cancels the event and may have only the mandatory fields. */
export type Notification = Readonly<{ record: EventRecord; cancels: boolean; line: number }>

/** Applies notifications in the order of their preparation, at equal times in the order read. Those older than the
 *  message that the event came from are skipped. Any notification replaces an event that came from no message (§7.7). */
export function mergeNotifications<N extends Notification>(
  existing: EventRecord | undefined,
  notifications: readonly N[],
) {
  const timed = notifications.map((notification) => ({ notification, at: preparedAt(notification.record) }))
  const since = existing?.Source && preparedAt(existing)
  const newer = timed
    .filter(({ at }) => !since || compareTimes(at, since) >= 0)
    .toSorted((a, b) => compareTimes(a.at, b.at))
    .map(({ notification }) => notification)
  const last = newer.at(-1)
  const record = newer.reduce<EventRecord | undefined>(
    (before, { cancels, record }) => (cancels && before ? cancelledEvent(before, record) : record),
    existing,
  )
  const lastComplete = newer.findLastIndex(({ cancels }) => !cancels)
  return {
    /** The merged event at the line of the last notification; undefined if all were older than the existing event. */
    latest: last && record && { ...last, record },
    older: notifications.length - newer.length,
    /** What it was made from: the last complete notification and the cancellations after it. */
    from: newer.slice(Math.max(0, lastComplete)),
  }
}

type Time = Temporal.Instant | undefined

const preparedAt = ({ UpdatedDateTime }: EventRecord): Time =>
  UpdatedDateTime === undefined ? undefined : Temporal.Instant.from(UpdatedDateTime)

/** A message without a time counts as prepared now. */
function compareTimes(a: Time, b: Time): number {
  if (a && b) return Temporal.Instant.compare(a, b)
  return Number(a === undefined) - Number(b === undefined)
}

type Fields = Readonly<Record<string, unknown>>

/** A cancellation keeps the fields that it does not repeat. */
function cancelledEvent({ UpdatedDateTime, Source, ...before }: EventRecord, after: EventRecord): EventRecord {
  const record = mergeFields(before, after) as EventRecord
  return after.Source ? { ...record, Source: mergeSources(Source, after.Source) } : record
}

function mergeSources(before: EventSource | undefined, after: EventSource): EventSource {
  const present = after.Unmapped ?? []
  const seen = new Set(present.map(({ Path, Value }) => `${Path} ${Value}`))
  const earlier = before?.Unmapped?.filter(({ Path, Value }) => !seen.has(`${Path} ${Value}`)) ?? []
  const Unmapped = [...present, ...earlier].slice(0, limits.unmappedCount)
  return { ...after, ...(Unmapped.length > 0 && { Unmapped }) }
}

function mergeFields(before: Fields, after: Fields): Fields {
  const merged: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(after)) {
    const merge = merged[name] === undefined ? replace : (mergers[name] ?? replace)
    merged[name] = merge(merged[name], value)
  }
  return merged
}

type Merge = (before: unknown, after: unknown) => unknown

const replace: Merge = (_before, after) => after

const equalBy = (name: string) => (a: Fields, b: Fields) => a[name] === b[name]

/** Fields that may be repeated in part; all others are replaced. */
const mergers: Readonly<Record<string, Merge>> = {
  EventType: keepSameCode,
  OptionType: keepSameCode,
  Component: keepSameCode,
  Narrative: prependText,
  DisplayAndFormat: (before, after) => mergeFields(before as Fields, after as Fields),
  Options: mergeLists(equalBy('OptionId')),
  EventIndicators: mergeLists(equalBy('Indicator')),
  OptionIndicators: mergeLists(equalBy('Indicator')),
  Values: mergeLists(equalBy('Code')),
  CashMovements: mergeLists((a, b) => a.CashMovementType === b.CashMovementType && canShareCurrency(a, b)),
  SecurityMovements: mergeLists((a, b) => a.SecurityMovementType === b.SecurityMovementType && isinOf(a) === isinOf(b)),
  PayoutBreakdown: mergeLists((a, b) => codeOf(a.Component) === codeOf(b.Component) && canShareCurrency(a, b)),
}

const canShareCurrency = ({ Currency: a }: Fields, { Currency: b }: Fields): boolean =>
  a === undefined || b === undefined || a === b
const isinOf = ({ DisplayAndFormat }: Fields): unknown => (DisplayAndFormat as Fields | undefined)?.IsinCode
const codeOf = (described: unknown): unknown => (described as Fields).Code

/** A message has only the code; the existing one may also have a name. */
function keepSameCode(before: unknown, after: unknown): unknown {
  return codeOf(before) === codeOf(after) ? before : after
}

/** Each item is merged into the first unused existing item that it matches, else appended. */
function mergeLists(matches: (before: Fields, after: Fields) => boolean): Merge {
  return (before, after) => {
    const all = [...(before as Fields[])]
    const used = new Set<number>()
    for (const item of after as Fields[]) {
      const at = all.findIndex((existing, index) => !used.has(index) && matches(existing, item))
      const existing = all[at]
      if (existing) all[at] = mergeFields(existing, item)
      used.add(existing ? at : all.push(item) - 1)
    }
    return all
  }
}

const truncated = '\n\n[Truncated: a narrative cannot be longer.]'

/** The reason of the cancellation, then the earlier text. */
function prependText(before: unknown, after: unknown): unknown {
  if ((before as string).includes(after as string)) return before
  const text = `${after}\n\n${before}`
  if (text.length <= limits.valueLength) return text
  return text.slice(0, limits.valueLength - truncated.length).toWellFormed() + truncated
}
