import type { Event } from '../../api/schema.ts'
import { isOpen, movesOnlySecurities } from '../option-terms.ts'
import { defaultOption, lastDeadlineOf } from './deadlines.ts'
import { type Progress, type Status, statusOf } from './status.ts'

/** How dates read: `short` in a label (`3 Dec`), `long` in a sentence (`3 Dec 2026, 12:00 UTC`). */
export type DateTexts = Readonly<{ short(at: string): string; long(at: string): string }>
export type StatusTexts = Status & Readonly<{ label: string; explanation: string }>

type Words = Readonly<{ event: Event; short: string; long: string; default: string; dates: DateTexts }>
type TextOf = (words: Words) => string

const booked: TextOf = ({ event }) => (onlySecurities(event) ? 'Securities are booked' : 'The payment is booked')

function onlySecurities({ Options = [] }: Event): boolean {
  const open = Options.filter(isOpen)
  return open.length > 0 && open.every(movesOnlySecurities)
}

/** What to do by when, and what happens otherwise. */
const decision: TextOf = ({ event, long, default: fallback, dates }) => {
  const part = event.ElectionStatus === 'PartialElected' ? 'You have elected for a part of what you hold. ' : ''
  const last = lastDeadlineOf(event)
  const longer = last !== undefined && dates.long(last) !== long ? ' Some options stay open longer.' : ''
  return `${part}Elect by ${long}, or you get ${fallback}.${longer}`
}

const texts: Readonly<Record<Progress, readonly [label: TextOf, explanation: TextOf]>> = {
  Withdrawn: [() => 'Withdrawn', () => 'The event was withdrawn: nothing will be booked, and there is nothing to do.'],
  Cancelled: [() => 'Cancelled', () => 'The event was cancelled: nothing will be booked, and there is nothing to do.'],
  Complete: [() => 'Complete', () => 'Everything has been booked.'],
  Lapsed: [() => 'Lapsed', () => 'It is past and was never confirmed: nothing was booked.'],
  Decide: [({ short }) => `Decide by ${short}`, decision],
  Opens: [({ short }) => `Opens ${short}`, ({ long }) => `It can be elected from ${long}.`],
  Open: [
    () => 'Open',
    ({ default: fallback }) => `It can be elected. No deadline is set; without an election you get ${fallback}.`,
  ],
  Elected: [() => 'Elected', () => 'You have elected for all you hold.'],
  StandingInstruction: [
    () => 'Standing instruction applies',
    ({ long }) => `Your standing instruction elects, unless you do${long && ` by ${long}`}.`,
  ],
  StandingInstructionApplied: [
    () => 'Standing instruction applied',
    ({ long }) => `The deadline was ${long}. Your standing instruction elected what you had not.`,
  ],
  Default: [
    () => 'Default applies',
    ({ long, default: fallback }) => `The deadline was ${long}. What was not elected gets ${fallback}.`,
  ],
  DefaultApplied: [
    () => 'Default applied',
    ({ long, default: fallback }) => `The deadline was ${long}. What was not elected got ${fallback}.`,
  ],
  Missed: [
    () => 'Missed',
    ({ long }) => `The deadline was ${long}. You did not elect for all you hold, and no option is the default.`,
  ],
  Ex: [({ short }) => `Ex ${short}`, ({ long }) => `There is nothing to elect. The ex date is ${long}.`],
  Effective: [({ short }) => `Effective ${short}`, ({ long }) => `It takes effect on ${long}.`],
  Pays: [
    ({ event, short }) => `${onlySecurities(event) ? 'Books' : 'Pays'} ${short}`,
    (words) => `${booked(words)} on ${words.long}.`,
  ],
  Paid: [
    ({ event }) => (onlySecurities(event) ? 'Booked' : 'Paid'),
    ({ event, long }) => `${onlySecurities(event) ? 'Securities were booked' : 'It was paid'} on ${long}.`,
  ],
  Upcoming: [() => 'Upcoming', () => 'None of its dates has come yet.'],
  Active: [() => 'Active', () => 'It is under way, and none of its dates is ahead.'],
  Past: [() => 'Past', () => 'All its dates have passed.'],
}

const caveat = 'Not confirmed yet: terms and dates may change.'
const caveated: readonly Progress[] = ['Decide', 'Opens', 'Open', 'Ex', 'Effective', 'Pays', 'Upcoming']

/** The one status of an event, in words: a label, and a sentence that explains it. */
export function describeStatus(event: Event, now: Temporal.Instant, dates: DateTexts): StatusTexts {
  const status = statusOf(event, now)
  const { progress, at } = status
  const [label, explanation] = texts[progress]
  const fallback = defaultOption(event)
  const words: Words = {
    event,
    dates,
    short: at === undefined ? '' : dates.short(at),
    long: at === undefined ? '' : dates.long(at),
    default: fallback ? `option ${optionText(fallback)}, the default` : 'nothing, as no option is the default',
  }
  const isTentative = event.EventState === 'Preliminary' && caveated.includes(progress)
  return {
    ...status,
    label: label(words),
    explanation: `${explanation(words)}${isTentative ? ` ${caveat}` : ''}`,
  }
}

/** `1 Exercise`. Custodians write ids with leading zeros. */
export function optionText({ OptionId, OptionType }: NonNullable<Event['Options']>[number]): string {
  const id = OptionId.replace(/^0+(?=.)/, '')
  return [id, OptionType?.Name ?? OptionType?.Code ?? ''].join(' ').trim()
}
