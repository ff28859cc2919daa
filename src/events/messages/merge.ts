import type { EventRecord, EventSource } from '../import/schema.ts'
import * as limits from './limits.ts'

/** What one message tells of one event. */
export type Told = Readonly<{
  record: EventRecord
  /** It calls the event off, and may repeat no more than it must. */
  cancels: boolean
  /** Where it stands. */
  line: number
}>

/** The event as it is after all messages: at the place of the last, which is undefined when all were left out. `from` are
 *  those that it came from: the last, and if that calls the event off, those before it whose words stay. */
export type Folded<One extends Told> = Readonly<{ latest: One | undefined; older: number; from: readonly One[] }>

/**
 * Messages report as things go on: they count in the order of their preparation, and of the same time as they were read.
 * One that is older than the message that the event came from is left out. An event that came from no message gives way
 * to any.
 */
export function mergeNotifications<One extends Told>(
  existing: EventRecord | undefined,
  told: readonly One[],
): Folded<One> {
  const timed = told.map((one) => ({ one, at: preparedAt(one.record) }))
  const since = existing?.Source && preparedAt(existing)
  const newer = timed.filter(({ at }) => !since || order(at, since) >= 0).toSorted((a, b) => order(a.at, b.at))
  const last = newer.at(-1)?.one
  const record = newer.reduce<EventRecord | undefined>(
    (before, { one }) => (one.cancels && before ? calledOff(before, one.record) : one.record),
    existing,
  )
  const whole = newer.findLastIndex(({ one }) => !one.cancels)
  const from = newer.slice(Math.max(0, whole)).map(({ one }) => one)
  return { latest: last && record && { ...last, record }, older: told.length - newer.length, from }
}

type Time = Temporal.Instant | undefined

const preparedAt = ({ UpdatedDateTime }: EventRecord): Time =>
  UpdatedDateTime === undefined ? undefined : Temporal.Instant.from(UpdatedDateTime)

/** Without a time of its own a message is as late as the run that reads it, which is the time that is kept with it. */
function order(a: Time, b: Time): number {
  if (a && b) return Temporal.Instant.compare(a, b)
  return Number(a === undefined) - Number(b === undefined)
}

type Members = Readonly<Record<string, unknown>>

/** What a cancellation does not repeat stays as it was. */
function calledOff({ UpdatedDateTime, Source, ...before }: EventRecord, said: EventRecord): EventRecord {
  const record = withSaid(before, said) as EventRecord
  return said.Source ? { ...record, Source: sourceWith(Source, said.Source) } : record
}

function sourceWith(before: EventSource | undefined, said: EventSource): EventSource {
  const known = said.Unmapped ?? []
  const met = new Set(known.map(({ Path, Value }) => `${Path} ${Value}`))
  const earlier = before?.Unmapped?.filter(({ Path, Value }) => !met.has(`${Path} ${Value}`)) ?? []
  const Unmapped = [...known, ...earlier].slice(0, limits.unmappedCount)
  return { ...said, ...(Unmapped.length > 0 && { Unmapped }) }
}

function withSaid(before: Members, said: Members): Members {
  const all: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(said))
    all[name] = all[name] === undefined ? value : (waysOf[name] ?? saidWhole)(all[name], value)
  return all
}

type Way = (before: unknown, said: unknown) => unknown

const saidWhole: Way = (_before, said) => said

/** How members go together of which a part may be said anew; all others are said as a whole. */
const waysOf: Readonly<Record<string, Way>> = {
  EventType: sameCode,
  OptionType: sameCode,
  Component: sameCode,
  Narrative: textWith,
  DisplayAndFormat: (before, said) => withSaid(before as Members, said as Members),
  Options: listWith(alike('OptionId')),
  EventIndicators: listWith(alike('Indicator')),
  OptionIndicators: listWith(alike('Indicator')),
  Values: listWith(alike('Code')),
  CashMovements: listWith((a, b) => a.CashMovementType === b.CashMovementType && canShareCurrency(a, b)),
  SecurityMovements: listWith((a, b) => a.SecurityMovementType === b.SecurityMovementType && isinOf(a) === isinOf(b)),
  PayoutBreakdown: listWith((a, b) => codeOf(a.Component) === codeOf(b.Component) && canShareCurrency(a, b)),
}

function alike(name: string) {
  return (a: Members, b: Members): boolean => a[name] === b[name]
}

const canShareCurrency = ({ Currency: a }: Members, { Currency: b }: Members): boolean =>
  a === undefined || b === undefined || a === b
const isinOf = ({ DisplayAndFormat }: Members): unknown => (DisplayAndFormat as Members | undefined)?.IsinCode
const codeOf = (described: unknown): unknown => (described as Members).Code

/** A message has the code alone; what describes it may have been given. */
function sameCode(before: unknown, said: unknown): unknown {
  return codeOf(before) === codeOf(said) ? before : said
}

/** Each that is said goes to the first before it that it can be the same as. */
function listWith(isSame: (before: Members, said: Members) => boolean): Way {
  return (before, said) => {
    const all = [...(before as Members[])]
    const taken = new Set<number>()
    for (const item of said as Members[]) {
      const at = all.findIndex((one, index) => !taken.has(index) && isSame(one, item))
      const known = all[at]
      if (known) all[at] = withSaid(known, item)
      taken.add(known ? at : all.push(item) - 1)
    }
    return all
  }
}

const isCut = '\n\n[Cut: longer than a narrative may be.]'

/** The reason first, then what was written before, as far as a narrative may go; that it goes no further is said. */
function textWith(before: unknown, said: unknown): unknown {
  if ((before as string).includes(said as string)) return before
  const text = `${said}\n\n${before}`
  if (text.length <= limits.valueLength) return text
  return text.slice(0, limits.valueLength - isCut.length).toWellFormed() + isCut
}
