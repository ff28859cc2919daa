import { isBefore } from '../../../core/clock.ts'
import { relativeTime } from '../../../core/time/relative-time.ts'
import { wallClock } from '../../../core/time/wall-clock.ts'
import type { Event } from '../../api/schema.ts'
import { type EventOption, isOpen, isSet as isSetDate, isWholeDay } from '../option-terms.ts'

export type { EventOption }

export const isSet = (date: string | undefined): date is string => date !== undefined && isSetDate(date)

export const isCalledOff = ({ EventState }: Event): boolean => EventState === 'Cancelled' || EventState === 'Withdrawn'

export const hasTime = (date: string): boolean => !isWholeDay(date)

/** A day lasts until its end, in UTC. */
export const endOf = (at: string): Temporal.Instant =>
  hasTime(at) ? Temporal.Instant.from(at) : Temporal.Instant.from(`${at.slice(0, 10)}T00:00:00Z`).add({ hours: 24 })

let lastDay = { dayNumber: Number.NaN, text: '' }

export function utcDayOf(now: Temporal.Instant): string {
  const { date, dayNumber } = wallClock(now, 'UTC')
  if (lastDay.dayNumber !== dayNumber) lastDay = { dayNumber, text: date.toString() }
  return lastDay.text
}

export const isAhead = (at: string, now: Temporal.Instant): boolean => compareEnds(at, now) > 0

export function compareEnds(a: string, b: string | Temporal.Instant): number {
  const [end, other] = [endOf(a), typeof b === 'string' ? endOf(b) : b]
  return Number(isBefore(other, end)) - Number(isBefore(end, other))
}

const dayMs = 86_400_000

/** `in 2 days` until a deadline. The same in every time zone, because the days of none are counted but those of UTC. */
export function timeLeft(at: string, now: Temporal.Instant): string {
  const left = endOf(at).epochMilliseconds - now.epochMilliseconds
  if (left < 0) return 'over'
  // A day of the next week is as far away as it is in a calendar, not until its end.
  const days = Math.ceil(left / dayMs) - 1
  return relativeTime(hasTime(at) || days < 2 ? left : days * dayMs, 'day')
}

/** When an option can no longer be elected: its deadline, else the end of its period. */
export function optionEnd({ Deadline, ElectionPeriod }: EventOption): string | undefined {
  const end = Deadline?.Date ?? ElectionPeriod?.End?.Date
  return isSet(end) ? end : undefined
}

/** For display only: the API decides (§7.9). */
export function isElectableNow(option: EventOption, now: Temporal.Instant): boolean {
  const start = option.ElectionPeriod?.Start?.Date
  const hasBegun = !isSet(start) || start.slice(0, 10) <= utcDayOf(now)
  const end = optionEnd(option)
  return isOpen(option) && hasBegun && (end === undefined || isAhead(end, now))
}

/** When elections will open, if that is ahead. */
export function electionStartOf({ Options = [] }: Event, now: Temporal.Instant): string | undefined {
  const starts = Options.filter(isOpen).flatMap(({ ElectionPeriod }) => ElectionPeriod?.Start?.Date ?? [])
  return sorted(starts.map((start) => start.slice(0, 10))).find((day) => isSet(day) && day > now.toString())
}

/** Remembers what a rule makes of an event, which never changes: a page asks several times. */
function ofEvent(rule: (event: Event) => readonly string[]): (event: Event) => readonly string[] {
  const known = new WeakMap<Event, readonly string[]>()
  return (event) => known.getOrInsertComputed(event, rule)
}

/** When its options can no longer be elected, each time once, earliest first. */
export const deadlinesOf = ofEvent(({ Options = [] }) =>
  sorted(Options.filter(isOpen).flatMap((option) => optionEnd(option) ?? [])).toSorted(compareEnds),
)

/** After it the default is applied to what was not elected. */
export const lastDeadlineOf = (event: Event): string | undefined => deadlinesOf(event).at(-1)

/** Whether the default, or a standing instruction, has been applied. */
export function isApplied(event: Event, now: Temporal.Instant): boolean {
  const last = lastDeadlineOf(event)
  return last !== undefined && !isAhead(last, now) && defaultOption(event) !== undefined && !isCalledOff(event)
}

export function canBeElected(event: Event, now: Temporal.Instant): boolean {
  const { Electable, EventState, Options = [] } = event
  const isTaken = Electable === 'Electable' && !isCalledOff(event) && EventState !== 'Complete'
  return isTaken && !isApplied(event, now) && Options.some((option) => isElectableNow(option, now))
}

const sorted = (values: readonly string[]): string[] =>
  values.length < 2 ? [...values] : [...new Set(values)].toSorted()

export const paymentsOf = ofEvent(({ Options = [] }) =>
  sorted(Options.filter(isOpen).flatMap(({ Payment }) => (isSet(Payment?.Date) ? [Payment.Date.slice(0, 10)] : []))),
)

/** The next deadline, or the last one if all have passed. */
export function deadlineOf(event: Event, now: Temporal.Instant): string | undefined {
  const all = deadlinesOf(event)
  return all.find((at) => isAhead(at, now)) ?? all.at(-1)
}

/** The date that sorts an event in a list (§7.2), and its name. */
export function keyDateOf(event: Event): { on: string; word: string } | undefined {
  const { Ex, Effective, Record, AnnouncedDate, Options = [] } = event
  if (Ex?.Date !== undefined) return { on: Ex.Date, word: 'ex' }
  if (Effective?.Date !== undefined) return { on: Effective.Date, word: 'effective' }
  if (Record?.Date !== undefined) return { on: Record.Date, word: 'record' }
  const [payment] = sorted(Options.flatMap(({ Payment }) => Payment?.Date ?? []))
  if (payment !== undefined) return { on: payment, word: 'payment' }
  return AnnouncedDate === undefined ? undefined : { on: AnnouncedDate, word: 'announced' }
}

export const defaultOption = ({ Options = [] }: Event): EventOption | undefined =>
  Options.find((option) => option.IsDefault === true && isOpen(option))
