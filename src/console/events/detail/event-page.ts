import type { Event } from '../../../events/api/schema.ts'
import {
  canBeElected,
  compareEnds,
  deadlineOf,
  deadlinesOf,
  defaultOption,
  isAhead,
  isCalledOff,
  paymentsOf,
  timeLeft,
} from '../../../events/rules/status/deadlines.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { tabs } from '../../shared/elements.ts'
import { capital, day, figure, type Reader } from '../../shared/format.ts'
import * as labels from '../labels.ts'
import { type Filters, hrefWith, parametersOf, scopeOnly } from '../list/filters.ts'
import { listPath } from '../list/views.ts'
import { narrative } from '../narrative.ts'
import { datesCard, keyDates } from './dates.ts'
import { factCards } from './facts.ts'
import { holdingsSection } from './holdings.ts'
import { optionsSection, termsOf } from './options.ts'

export type EventView = Readonly<{
  event: Event
  filters: Filters
  reader: Reader
  /** The form of the election, if there is one. */
  election?: Html | undefined
  acceptsElections: boolean
}>

export const eventTitle = (event: Event): string => `${labels.typeName(event)}, ${labels.instrumentName(event)}`

/** The pages of an event, for the same accounts. */
export function eventTabs(path: string, filters: Filters, current: 'Overview' | 'History'): Html {
  const tab = (name: typeof current, href: string) => ({
    ...{ name, href: hrefWith(href, scopeOnly(filters)) },
    current: name === current,
  })
  return html`<div class="page-tabs">${tabs('Pages of this event', [tab('Overview', path), tab('History', `${path}/history`)])}</div>`
}

export const eventTags = (event: Event, reader: Reader): Html =>
  html`${labels.participationTag(event)} ${labels.statusTag(event, reader)}`

export function eventBody(view: EventView): Html {
  const { event, filters, reader, election } = view
  const path = `${listPath}/${encodeURIComponent(event.EventId)}`
  const exportHref = (type: string) => hrefWith(`${path}/event.${type}`, scopeOnly(filters))
  return html`<div class="event-columns"><div class="flow"><section class="card lead-card"><h2 class="unseen">Summary</h2>${summary(view)}
<p class="small exports"><a href="/console/instruments/${event.Uic}/${event.AssetType}">View the instrument</a>
<a href="${exportHref('ics')}" download>Calendar (.ics)</a> <a href="${exportHref('csv')}" download>Table (.csv)</a></p></section>
${datesCard(event, reader.now, reader.zone)}
${optionsSection(event, reader)}
${election}
${holdingsSection(event, reader, { ...otherScope(path, filters), elect: electHref(view, path) })}
${event.Narrative !== undefined && html`<section class="card"><h2>Announcement</h2>${narrative(event.Narrative)}</section>`}
${factCards(event, reader.zone)}</div>
${keyDates(event, reader)}</div>`
}

function otherScope(path: string, filters: Filters): { href: string; name: string } {
  const isWide = filters.has('IncludeSubAccounts')
  const scope = { ...parametersOf(scopeOnly(filters)), IncludeSubAccounts: isWide ? undefined : 'true' }
  return {
    href: hrefWith(path, new Map(), scope),
    name: isWide ? 'By account, without sub-clients' : 'Totals including sub-clients',
  }
}

function summary({ event, reader, election, acceptsElections }: EventView): Html {
  return html`<p class="lead-sentence">${event.EventType.Description} ${outcome(event, reader)}</p>
<p>${requiredAction(event, reader)}</p>
${canBeElected(event, reader.now) && howToElect(election !== undefined, acceptsElections)}
${event.InformationToComply && html`<p class="small quiet">Restrictions may apply: read the announcement before you elect.</p>`}`
}

function howToElect(hasForm: boolean, acceptsElections: boolean): Html {
  if (hasForm) return html`<p class="small"><a href="#elect">Go to your election</a></p>`
  const text = acceptsElections ? 'Choose an account under Holdings to elect.' : labels.howToElect(false)
  return html`<p class="small quiet">${text}</p>`
}

/** Where to elect for one of several accounts. */
function electHref({ event, filters, reader, election, acceptsElections }: EventView, path: string) {
  if (election || !acceptsElections || !canBeElected(event, reader.now)) return undefined
  return ({ AccountKey, ClientKey }: { AccountKey: string; ClientKey: string }) =>
    `${hrefWith(path, scopeOnly(filters), { AccountKey, ClientKey })}#elect`
}

function outcome(event: Event, { now }: Reader): string {
  if (isCalledOff(event)) return `The event was ${event.EventState.toLowerCase()}: nothing will be booked.`
  const [only, ...others] = event.Options ?? []
  const [payment] = paymentsOf(event)
  const caveat = event.EventState === 'Preliminary' ? 'Not confirmed yet: terms and dates may change.' : ''
  if (!only || others.length > 0 || payment === undefined) return caveat
  const receive = termsOf(only, event)
    .receive.map((text) => `${text}, `)
    .join('')
  const isPast = payment < now.toZonedDateTimeISO('UTC').toPlainDate().toString()
  return isPast
    ? capital(`${receive}booked on ${day(payment)}.`)
    : `${capital(`${receive}to be booked on ${day(payment)}.`)} ${caveat}`
}

const isOpenEnded = ({ Options = [] }: Event): boolean => Options.some(({ Deadline }) => Deadline?.Status === 'Ongoing')

function requiredAction(event: Event, { now, zone }: Reader): Html | string {
  if (isCalledOff(event)) return 'No action is required.'
  if (event.Electable !== 'Electable') return 'There is nothing to elect. No action is required.'
  const at = deadlineOf(event, now)
  const fallback = defaultOption(event)
  const otherwise = fallback
    ? html`option <strong>${labels.optionName(fallback)}</strong>, the default`
    : html`no option, because none is marked as the default`
  if (at !== undefined && !isAhead(at, now))
    return html`The deadline was ${labels.momentIn(at, zone)}. Holdings without an election get ${otherwise}.`
  if (event.ElectionStatus === 'Elected')
    return 'You have elected for all your holdings. No further action is required.'
  const progress = event.ElectionStatus === 'PartialElected' ? electedSoFar(event) : ''
  if (at === undefined)
    return html`${progress} ${isOpenEnded(event) ? 'The election is open-ended.' : 'No deadline is set yet.'} Holdings without an election get ${otherwise}.`
  // Options may have different deadlines. The default applies after the last one.
  const isFirst = deadlinesOf(event).some((end) => compareEnds(end, at) > 0)
  const consequence = isFirst
    ? 'Some options stay open longer. Holdings without any election get'
    : 'Holdings without an election by then get'
  return html`${progress} <strong>Elect by ${labels.momentIn(at, zone)}</strong>, ${timeLeft(at, now)}. ${consequence} ${otherwise}.`
}

function electedSoFar({ Holdings = [] }: Event): string {
  const held = Holdings.reduce((sum, { Amount }) => sum + Amount, 0)
  const elected = Holdings.reduce((sum, { ElectedAmount }) => sum + ElectedAmount, 0)
  return held > 0
    ? `You have elected for ${figure(elected)} of ${figure(held)} held.`
    : 'You have elected for some of your holdings.'
}
