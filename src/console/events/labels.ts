import type { Event } from '../../events/api/schema.ts'
import { type Html, html } from '../../http/html/html.ts'
import { tag } from '../shared/elements.ts'
import { dayAndTime, figure, time, words, zoneName } from '../shared/format.ts'

export type EventOption = NonNullable<Event['Options']>[number]

/** Names of events and of their options, and what their states mean: every page of events says it alike. */

export const typeName = ({ EventType }: Event): string => EventType.Name ?? EventType.Code

export const instrumentName = ({ DisplayAndFormat: names, Uic }: Event): string =>
  names?.Description ?? names?.Symbol ?? `Uic ${Uic}`

/** `1 Exercise`: custodians write ids with leading zeros, people do not. */
export function optionName({ OptionId, OptionType }: EventOption): string {
  const short = OptionId.replace(/^0+(?=.)/, '')
  return [short, OptionType?.Name ?? OptionType?.Code ?? ''].join(' ').trim()
}

export const isOpen = ({ OptionStatus }: EventOption): boolean =>
  OptionStatus !== 'Cancelled' && OptionStatus !== 'Inactive'

/** Custodians write 9999-12-31 for a day that has not been set. */
export const isSet = (date: string | undefined): date is string => date !== undefined && !date.startsWith('9999')

export const isOff = ({ EventState }: Event): boolean => EventState === 'Cancelled' || EventState === 'Withdrawn'

export const isAhead = (at: string, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(Temporal.Instant.from(at), now) > 0

const unique = (values: readonly string[]): string[] => [...new Set(values)].toSorted()

/** Our deadlines of the options that can still be chosen, earliest first. */
export const deadlinesOf = ({ Options = [] }: Event): string[] =>
  unique(Options.filter(isOpen).flatMap(({ Deadline }) => (isSet(Deadline?.Date) ? [Deadline.Date] : [])))

export const paymentsOf = ({ Options = [] }: Event): string[] =>
  unique(Options.filter(isOpen).flatMap(({ Payment }) => (isSet(Payment?.Date) ? [Payment.Date.slice(0, 10)] : [])))

/** The deadline that matters: the next one, or the last that there was. */
export function deadlineOf(event: Event, now: Temporal.Instant): string | undefined {
  const all = deadlinesOf(event)
  return all.find((at) => isAhead(at, now)) ?? all.at(-1)
}

/** The day that decides an event's place in the order by date (contract §7), and what day it is. */
export function keyDateOf(event: Event): { on: string; word: string } | undefined {
  const { Ex, Effective, Record, AnnouncedDate, Options = [] } = event
  const [payment] = unique(Options.flatMap(({ Payment }) => Payment?.Date ?? []))
  const days = { ex: Ex?.Date, effective: Effective?.Date, record: Record?.Date, payment, announced: AnnouncedDate }
  return Object.entries(days).flatMap(([word, on]) => (on === undefined ? [] : [{ on, word }]))[0]
}

export const defaultOption = ({ Options = [] }: Event): EventOption | undefined =>
  Options.find((option) => option.IsDefault === true && isOpen(option))

/** Somebody has still to choose, and can. */
export function awaitsAnswer(event: Event, now: Temporal.Instant): boolean {
  if (event.Electable !== 'Electable' || event.ElectionStatus === 'Elected' || isOff(event)) return false
  return deadlinesOf(event).some((at) => isAhead(at, now))
}

export type Due = Readonly<{ event: Event; at: string }>

/** What is to be answered, the earliest deadline first. */
export function dueEvents(events: readonly Event[], now: Temporal.Instant): Due[] {
  return events
    .filter((event) => awaitsAnswer(event, now))
    .map((event) => ({ event, at: deadlineOf(event, now) ?? '' }))
    .toSorted((a, b) => Temporal.Instant.compare(Temporal.Instant.from(a.at), Temporal.Instant.from(b.at)))
}

/** All that awaits an answer, as far as it could be read. */
export type Awaiting = Readonly<{
  due: readonly Due[]
  /** The last day of the deadlines that were looked at, where not all could be. */
  until?: string | undefined
  isWhole: boolean
}>

/** What people look for next, and do not find here. */
export const howToAnswer =
  'Elections are given to the bank or broker: this service tells events and the elections it was told, and takes no instructions.'

/** `66.60`: an amount of money with a fraction has two decimals at least. */
export const moneyFigure = (value: number): string => figure(value).replace(/\.\d$/, '$&0')

/** `in 3 days`, `tomorrow`: days as a calendar counts them, in the reader's zone. */
export function daysLeft(at: string, now: Temporal.Instant, zone: string): string {
  const [then, today] = [Temporal.Instant.from(at), now].map((one) => one.toZonedDateTimeISO(zone).toPlainDate())
  const days = today && then ? today.until(then, { largestUnit: 'days' }).days : 0
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  return days > 0 ? `in ${days} days` : `${-days} day${days === -1 ? '' : 's'} ago`
}

/** `18 Nov 2026, 12:00 UTC`, and the same in the reader's zone where that is another: only the time on the same day. */
export function momentIn(at: string, zone: string): Html {
  const utc = html`<time datetime="${at}">${dayAndTime(at, 'UTC')} UTC</time>`
  if (zone === 'UTC') return utc
  const dayIn = (zone: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate()
  const local = dayIn(zone).equals(dayIn('UTC')) ? time(at, zone) : dayAndTime(at, zone)
  return html`${utc} <span class="zoned">(${local} ${zoneName(zone)})</span>`
}

export const kindTag = ({ CorporateActionType }: Event): Html =>
  tag(CorporateActionType, CorporateActionType === 'Voluntary' ? 'accent' : undefined)

/** A state that changes nothing for the reader is only a word. */
export function stateTag({ EventState }: Event): Html {
  if (EventState === 'Cancelled' || EventState === 'Withdrawn') return tag(EventState, 'bad')
  return tag(EventState, EventState === 'Preliminary' ? 'warn' : undefined)
}

const electionWords = { Elected: 'Elected', NotElected: 'Not elected', PartialElected: 'Partly elected' } as const

export function electionTag(status: Event['ElectionStatus']): Html {
  if (status === undefined) return html`<span class="quiet">No choice</span>`
  return tag(electionWords[status] ?? words(status), status === 'Elected' ? 'good' : 'warn')
}
