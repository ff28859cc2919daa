import { type Html, html } from '../../http/html/html.ts'
import { facts, inputField, refusals, tag } from '../shared/elements.ts'
import { day, dayAndTime } from '../shared/format.ts'
import { travelChart } from './travel-line.ts'

/** GET {base_url}/x/v1/clock */
export type ClockFacts = Readonly<{
  Now: string
  RealNow: string
  Frozen: boolean
  OffsetSeconds: number
  IsTravelled: boolean
}>

export type TimeProps = Readonly<{
  clock: ClockFacts
  /** The next day on which options of the demo's best known chain expire. */
  expiry: Temporal.PlainDate | undefined
  against: readonly string[]
  /** What was typed, when it was refused. */
  typed?: string | undefined
  formToken: Html
}>

/** The steps that are one press away. */
export const steps: ReadonlyMap<string, { name: string; length: Temporal.DurationLike }> = new Map([
  ['hour', { name: '1 hour', length: { hours: 1 } }],
  ['day', { name: '1 day', length: { days: 1 } }],
  ['week', { name: '1 week', length: { weeks: 1 } }],
  ['month', { name: '1 month', length: { months: 1 } }],
  ['back', { name: 'Back 1 day', length: { days: -1 } }],
])

/** How far two moments are from each other, in the two largest units that say it. */
export function distance(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const
  let rest = Math.round(Math.abs(seconds))
  const words: string[] = []
  for (const [word, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 && words.length < 2) words.push(`${count} ${word}${count === 1 ? '' : 's'}`)
  }
  return words.join(' and ') || 'less than a second'
}

/** Where the service's time stands to the real one, as a sentence. */
export function clockSentence({ Now, OffsetSeconds, IsTravelled, Frozen }: ClockFacts): string {
  if (!IsTravelled) return 'The service lives at real time.'
  const where = `${distance(OffsetSeconds)} ${OffsetSeconds < 0 ? 'behind' : 'ahead of'} real time`
  return `The service lives at ${dayAndTime(Now, 'UTC')} UTC, ${where}${Frozen ? ', and time stands still' : ''}.`
}

export function timeCard(props: TimeProps): Html {
  const { clock, formToken, against } = props
  const { Now, RealNow, IsTravelled } = clock
  const told = clockSentence(clock)
  return html`<section class="card flow" id="time"><div class="row between"><h2>Travel in time</h2>${stateTag(clock)}</div>
${refusals(against)}
<p>${told}</p>
${travelChart(Temporal.Instant.from(Now), Temporal.Instant.from(RealNow), IsTravelled, told)}
<form method="post" action="/console/sim/clock" class="flow">${formToken}
${stepButtons(props)}
</form>
<form method="post" action="/console/sim/clock" class="filters">${formToken}
${inputField('at', 'Go to a moment, in UTC', shownMoment(props), { type: 'datetime-local', attributes: html` required min="1990-01-01T00:00" max="2100-01-01T00:00"` })}
<div class="field"><label for="f-then">and from there time</label><select id="f-then" name="then"><option value="run">runs on</option><option value="freeze"${clock.Frozen && html` selected`}>stands still</option></select></div>
<div><button class="button">Go there</button></div>
</form>
${consequences}</section>`
}

/** What was typed, as far as such a field can show it; else where the clock stands. */
function shownMoment({ typed = '', clock }: TimeProps): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(typed) ? typed : clock.Now.slice(0, 16)
}

function stateTag({ IsTravelled, Frozen }: ClockFacts): Html {
  if (!IsTravelled) return tag('Real time', 'good')
  return tag(Frozen ? 'Time stands still' : 'Travelled, and running', 'warn')
}

function stepButtons({ clock, expiry }: TimeProps): Html {
  const button = (step: string, name: string, kind = 'plain') =>
    html`<button class="button ${kind}" name="step" value="${step}">${name}</button>`
  return html`<div class="row" role="group" aria-label="Go ahead by"><span class="quiet small">Go ahead by</span>
${['hour', 'day', 'week', 'month'].map((step) => button(step, steps.get(step)?.name ?? step))}</div>
<div class="row">${clock.IsTravelled && button('real', 'Back to real time', '')}
${clock.Frozen ? button('run', 'Let time run') : button('freeze', 'Let time stand still')}
${button('back', steps.get('back')?.name ?? '')}
${expiry && button('expiry', `Past the next expiry of Apple's options, ${day(expiry)}`)}</div>`
}

const consequences = html`<h3>What follows from it</h3>${facts([
  ['Data', 'Options expire, deadlines pass, exchanges open and close: everything that has a date follows.'],
  ['You', 'You stay signed in here: your session of this console is issued anew at the new time.'],
  ['Others', 'Tokens, secrets and sign-ins whose time is over by then end, for everybody on this service.'],
  ['Going back', 'What was issued at a later time is refused until that time comes.'],
  ['Real time', 'Rate limits, time-outs and waits do not notice. The audit log has both times.'],
])}`

/** Everything back to how it began, after a second thought. */
export function resetCard({
  hasDemo,
  against,
  formToken,
}: {
  hasDemo: boolean
  against: readonly string[]
  formToken: Html
}): Html {
  const head = html`<h2>Reset to the demo data</h2>`
  if (!hasDemo)
    return html`<section class="card" id="reset">${head}<p>This service runs without the demo data (<code>DEMO=off</code>), so there is none to go back to.</p></section>`
  return html`<section class="card flow" id="reset">${head}
<p>Removes <strong>everything</strong> for everybody: clients, users, apps with their secrets, sessions, faults, instruments and events, whatever was imported too. Then it loads the demo data as of today, at real time. The audit log stays. This cannot be undone.</p>
${refusals(against)}
<form method="post" action="/console/sim/reset" class="filters">${formToken}
${inputField('confirm', 'Type the word reset', '', { attributes: html` required autocomplete="off" autocapitalize="none" spellcheck="false"` })}
<div><button class="button danger">Reset everything</button></div></form></section>`
}
