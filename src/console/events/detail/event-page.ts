import type { Event } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { tag } from '../../shared/elements.ts'
import { day, figure, shortDay, time } from '../../shared/format.ts'
import * as said from '../labels.ts'
import { listPath, type Reader } from '../list/event-list.ts'
import { type Asked, hrefWith, parametersOf, scopeOnly } from '../list/filters.ts'
import { narrative } from '../narrative.ts'
import { datesCard } from './dates.ts'
import { factCards } from './facts.ts'
import { holdingsSection } from './holdings.ts'
import { optionsSection } from './options.ts'
import { termsOf } from './terms.ts'

export type Story = Readonly<{ event: Event; asked: Asked; reader: Reader }>

/** `Rights Issue, Orsted A/S`. */
export const storyTitle = (event: Event): string => `${said.typeName(event)}, ${said.instrumentName(event)}`

/** The tags beside the heading: what kind it is, and by when to answer. */
export function storyTags({ event, reader }: Story): Html {
  const at = said.awaitsAnswer(event, reader.now) ? said.deadlineOf(event, reader.now) : undefined
  const isPlain = event.EventState === 'Confirmed' || event.EventState === 'Approved'
  return html`${said.kindTag(event)} ${!isPlain && said.stateTag(event)} ${at !== undefined && tag(`Answer by ${shortDay(at)}, ${time(at, 'UTC')} UTC`, 'warn')}`
}

/** One event as a story: what happens, when, what one can choose, what was chosen, and all that is known besides. */
export function storyBody(story: Story): Html {
  const { event, asked, reader } = story
  return html`<section class="card lead-card"><h2 class="unseen">In short</h2>${inShort(story)}
<p class="small exports"><a href="/console/instruments/${event.Uic}/${event.AssetType}">Open the instrument</a>
<a href="${exportHref(event, asked, 'ics')}" download>Calendar (.ics)</a> <a href="${exportHref(event, asked, 'csv')}" download>Table (.csv)</a></p></section>
${datesCard(event, reader.now, reader.zone)}
${optionsSection(event, reader)}
${holdingsSection(event, otherView(event, asked))}
${event.Narrative !== undefined && html`<section class="card"><h2>What the announcement says</h2>${narrative(event.Narrative)}</section>`}
${factCards(event, reader.zone)}`
}

function exportHref(event: Event, asked: Asked, type: 'ics' | 'csv'): string {
  const path = `${listPath}/${encodeURIComponent(event.EventId)}/event.${type}`
  return hrefWith(path, new Map(), parametersOf(scopeOnly(asked)))
}

function otherView(event: Event, asked: Asked): { href: string; name: string } {
  const isWide = asked.has('IncludeSubAccounts')
  const scope = { ...parametersOf(scopeOnly(asked)), IncludeSubAccounts: isWide ? undefined : 'true' }
  return {
    href: hrefWith(`${listPath}/${encodeURIComponent(event.EventId)}`, new Map(), scope),
    name: isWide ? 'By account, without clients below' : 'Sum with the accounts of clients below',
  }
}

/** What happens, what one must do by when, and what happens else. */
function inShort({ event, reader }: Story): Html {
  return html`<p class="lead-sentence">${event.EventType.Description} ${whatComes(event, reader)}</p>
<p>${whatToDo(event, reader)}</p>
${said.awaitsAnswer(event, reader.now) && html`<p class="small quiet">${said.howToAnswer}</p>`}
${event.InformationToComply && html`<p class="small quiet">Restrictions may apply: read the announcement before you answer.</p>`}`
}

function whatComes(event: Event, { now }: Reader): string {
  if (said.isOff(event)) return `It has been ${event.EventState.toLowerCase()}: nothing will be booked.`
  const [only, ...others] = event.Options ?? []
  const [payment] = said.paymentsOf(event)
  const expected = event.EventState === 'Preliminary' ? 'Not confirmed yet: terms and dates may change.' : ''
  if (!only || others.length > 0 || payment === undefined) return expected
  const receive = termsOf(only, event).receive.join(', ')
  const isPast = payment < now.toZonedDateTimeISO('UTC').toPlainDate().toString()
  const what = receive === '' ? 'It was' : `${receive},`
  if (isPast) return `${what} booked on ${day(payment)}.`
  return `${receive === '' ? 'It is' : `${receive},`} to be booked on ${day(payment)}. ${expected}`
}

function whatToDo(event: Event, { now, zone }: Reader): Html | string {
  if (said.isOff(event)) return 'There is nothing to do.'
  if (event.Electable !== 'Electable') return 'There is nothing to choose and nothing to do.'
  const at = said.deadlineOf(event, now)
  const fallback = said.defaultOption(event)
  const otherwise = fallback
    ? html`option <strong>${said.optionName(fallback)}</strong>, the default`
    : html`no option, as none is marked as the default`
  if (at !== undefined && !said.isAhead(at, now))
    return html`The deadline was ${said.momentIn(at, zone)}. What was not elected by then gets ${otherwise}.`
  if (event.ElectionStatus === 'Elected') return 'You have elected for all that you hold: there is nothing more to do.'
  const rest = event.ElectionStatus === 'PartialElected' ? restOf(event) : ''
  if (at === undefined) return html`${rest} No deadline is set yet. What is not elected gets ${otherwise}.`
  // Options may close one after the other; only when the last has is there nothing left but the default.
  const isFirst = (event.Options ?? []).some(({ Deadline }) => Deadline?.Date !== undefined && Deadline.Date > at)
  const thereafter = isFirst
    ? 'Some options are open for longer. What is never elected gets'
    : 'What is not elected by then gets'
  return html`${rest} <strong>Choose by ${said.momentIn(at, zone)}</strong>, ${said.daysLeft(at, now, zone)}. ${thereafter} ${otherwise}.`
}

function restOf({ Holdings = [] }: Event): string {
  const held = Holdings.reduce((sum, { Amount }) => sum + Amount, 0)
  const elected = Holdings.reduce((sum, { ElectedAmount }) => sum + ElectedAmount, 0)
  return held > 0
    ? `You have elected for ${figure(elected)} of the ${figure(held)} that you hold.`
    : 'You have elected in part.'
}
