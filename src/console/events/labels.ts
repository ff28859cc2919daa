import { wallClock } from '../../core/time/wall-clock.ts'
import type { Event } from '../../events/api/schema.ts'
import { hasTime } from '../../events/rules/status/deadlines.ts'
import type { Progress } from '../../events/rules/status/status.ts'
import { describeStatus, optionText, type StatusTexts } from '../../events/rules/status/texts.ts'
import { type Html, html } from '../../http/html/html.ts'
import { type Tone, tag } from '../shared/elements.ts'
import { day, dayAndTime, dayIn, dayOf, figure, type Reader, time, zoneName } from '../shared/format.ts'

export const typeName = ({ EventType }: Event): string => EventType.Name ?? EventType.Code

export const instrumentName = ({ DisplayAndFormat: names, Uic }: Event): string =>
  names?.Description ?? names?.Symbol ?? `Uic ${Uic}`

export const optionName = optionText

/** What takes the place of a date that is not set. */
export const unsetText = ({ Status }: { Status?: string }): string =>
  Status === 'Ongoing' ? 'open-ended' : 'not set yet'

export const howToElect = (acceptsElections: boolean): string =>
  acceptsElections
    ? 'Open an event to elect.'
    : 'Submit elections to your bank or broker. This service shows events and recorded elections; it does not accept instructions.'

/** `66.60`: amounts of money with a fraction have at least two decimals. */
export const moneyFigure = (value: number): string => figure(value).replace(/\.\d$/, '$&0')

const dateIn = (at: Temporal.Instant, zone: string): Temporal.PlainDate => wallClock(at, zone).date

/** `18 Nov 2026, 12:00`, or `18 Nov 2026` for a day. */
export const dateAndTime = (at: string, zone: string): string => (hasTime(at) ? dayAndTime(at, zone) : day(at))

/** `18 Nov 2026, 12:00 UTC (13:00 Copenhagen)`, or `18 Nov 2026` for a day. */
export function momentIn(at: string, zone: string): Html {
  if (!hasTime(at)) return html`<time datetime="${at.slice(0, 10)}">${day(at)}</time>`
  const utc = html`<time datetime="${at}">${dayAndTime(at, 'UTC')} UTC</time>`
  if (zone === 'UTC') return utc
  const instant = Temporal.Instant.from(at)
  const local = dateIn(instant, zone).equals(dateIn(instant, 'UTC')) ? time(at, zone) : dayAndTime(at, zone)
  return html`${utc} <span class="zoned">(${local} ${zoneName(zone)})</span>`
}

export const participationTag = ({ CorporateActionType }: Event): Html =>
  tag(CorporateActionType, CorporateActionType === 'Voluntary' ? 'accent' : undefined)

const electionNames = { Elected: 'Elected', NotElected: 'Not elected', PartialElected: 'Partially elected' } as const

export const electionName = (status: keyof typeof electionNames): string => electionNames[status]

/** What one account elected. `isAwaited`: the event needs a decision. */
export function electionTag(status: Event['ElectionStatus'], isAwaited: boolean): Html {
  if (status === undefined) return html`<span class="quiet">Not applicable</span>`
  return tag(electionNames[status], status === 'Elected' ? 'good' : isAwaited ? 'warn' : undefined)
}

const tones: Partial<Record<Progress, Tone>> = {
  Decide: 'warn',
  Missed: 'bad',
  Open: 'warn',
  Elected: 'good',
  StandingInstruction: 'good',
  StandingInstructionApplied: 'good',
  Default: 'accent',
  DefaultApplied: 'accent',
  Paid: 'good',
}

/** The one status of an event, in words. Its dates are in the reader's time zone. */
export const describe = (event: Event, { now, zone }: Reader): StatusTexts =>
  describeStatus(event, now, {
    short: (at) => dayIn(dateIn(now, zone).year, hasTime(at) ? dateIn(Temporal.Instant.from(at), zone) : dayOf(at)),
    long: (at) => (hasTime(at) ? `${dayAndTime(at, zone)} (${zoneName(zone)})` : day(at)),
  })

/** The status, with its explanation on hover and focus. */
export const statusTag = (event: Event, reader: Reader): Html => tagOf(describe(event, reader))

export function tagOf({ progress, label, explanation }: StatusTexts): Html {
  return html`<span class="status" tabindex="0">${tag(label, tones[progress])}<span class="status-why" role="tooltip">${explanation}</span></span>`
}

/** The status and its explanation as the hint of a link. */
export function statusHint(event: Event, reader: Reader): Html {
  const { label, explanation } = describe(event, reader)
  return html`<span class="status-why" role="tooltip">${label}. ${explanation}</span>`
}
