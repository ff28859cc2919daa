import type { Event } from '../../events/api/schema.ts'
import { type Html, html } from '../../http/html/html.ts'
import { tag } from '../shared/elements.ts'
import { day, dayAndTime, daysFromToday, figure, time, words, zoneName } from '../shared/format.ts'
import { type EventOption, hasTime, isCalledOff } from './deadlines.ts'

export const typeName = ({ EventType }: Event): string => EventType.Name ?? EventType.Code

export const instrumentName = ({ DisplayAndFormat: names, Uic }: Event): string =>
  names?.Description ?? names?.Symbol ?? `Uic ${Uic}`

/** `1 Exercise`. Custodians write ids with leading zeros. */
export function optionName({ OptionId, OptionType }: EventOption): string {
  const id = OptionId.replace(/^0+(?=.)/, '')
  return [id, OptionType?.Name ?? OptionType?.Code ?? ''].join(' ').trim()
}

export const howToElect = (acceptsElections: boolean): string =>
  acceptsElections
    ? 'Open an event to elect.'
    : 'Submit elections to your bank or broker. This service shows events and recorded elections; it does not accept instructions.'

/** `66.60`: amounts of money with a fraction have at least two decimals. */
export const moneyFigure = (value: number): string => figure(value).replace(/\.\d$/, '$&0')

const dateIn = (at: Temporal.Instant, zone: string): Temporal.PlainDate => at.toZonedDateTimeISO(zone).toPlainDate()

/** `in 3 days`, `tomorrow`: calendar days in the reader's time zone. */
/** A day is the same in every zone. */
export const daysLeft = (at: string, now: Temporal.Instant, zone: string): string =>
  hasTime(at)
    ? daysFromToday(dateIn(now, zone), dateIn(Temporal.Instant.from(at), zone))
    : daysFromToday(dateIn(now, 'UTC'), Temporal.PlainDate.from(at.slice(0, 10)))

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

export function stateTag(event: Event): Html {
  if (isCalledOff(event)) return tag(event.EventState, 'bad')
  return tag(event.EventState, event.EventState === 'Preliminary' ? 'warn' : undefined)
}

const electionNames = { Elected: 'Elected', NotElected: 'Not elected', PartialElected: 'Partially elected' } as const

export function electionTag(status: Event['ElectionStatus']): Html {
  if (status === undefined) return html`<span class="quiet">Not applicable</span>`
  return tag(electionNames[status] ?? words(status), status === 'Elected' ? 'good' : 'warn')
}
