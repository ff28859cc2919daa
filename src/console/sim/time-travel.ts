import type { Static } from 'typebox'
import { plural } from '../../core/text.ts'
import { type Html, html } from '../../http/html/html.ts'
import type { ClockView } from '../../sim/api/schema.ts'
import { errorNotice, facts, tag } from '../shared/elements.ts'
import { inputField, selectField } from '../shared/fields.ts'
import { day, dayAndTime } from '../shared/format.ts'
import { travelChart } from './travel-line.ts'

export type ClockState = Static<typeof ClockView>

type TimeProps = Readonly<{
  clock: ClockState
  expiry: Temporal.PlainDate | undefined
  errors: readonly string[]
  typed?: string | undefined
  formToken: Html
}>

export const steps: ReadonlyMap<string, { name: string; length: Temporal.DurationLike }> = new Map([
  ['hour', { name: '1 hour', length: { hours: 1 } }],
  ['day', { name: '1 day', length: { days: 1 } }],
  ['week', { name: '1 week', length: { weeks: 1 } }],
  ['month', { name: '1 month', length: { months: 1 } }],
  ['back', { name: 'Back 1 day', length: { days: -1 } }],
])

/** `1 day and 1 hour`: a duration in its two largest units. */
export function duration(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const
  let rest = Math.round(Math.abs(seconds))
  const texts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 && texts.length < 2) texts.push(plural(count, unit))
  }
  return texts.join(' and ') || 'less than a second'
}

export function clockSentence({ Now, OffsetSeconds, IsTravelled, Frozen }: ClockState): string {
  if (!IsTravelled) return 'The service clock shows real time.'
  const offset = `${duration(OffsetSeconds)} ${OffsetSeconds < 0 ? 'behind' : 'ahead of'} real time`
  return `The service clock shows ${dayAndTime(Now, 'UTC')} UTC, ${offset}${Frozen ? ', and is frozen' : ''}.`
}

export function timeCard(props: TimeProps): Html {
  const { clock, formToken, errors } = props
  const { Now, RealNow, IsTravelled } = clock
  const sentence = clockSentence(clock)
  const range = html` required min="1990-01-01T00:00" max="2100-01-01T00:00"`
  return html`<section class="card flow" id="time"><div class="row between"><h2>Time travel</h2>${stateTag(clock)}</div>
${errorNotice(errors)}
<p>${sentence}</p>
${travelChart(Temporal.Instant.from(Now), Temporal.Instant.from(RealNow), IsTravelled, sentence)}
<form method="post" action="/console/sim/clock" class="flow">${formToken}
${stepButtons(props)}
</form>
<form method="post" action="/console/sim/clock" class="filters">${formToken}
${inputField('at', 'Set the time (UTC)', inputValue(props), { type: 'datetime-local', attributes: range })}
${selectField('then', 'From then on, the clock', clockModes, clock.Frozen ? 'freeze' : 'run')}
<div><button class="button">Set time</button></div>
</form>
${consequences}</section>`
}

const clockModes = [
  ['run', 'runs'],
  ['freeze', 'is frozen'],
] as const

/** The rejected input, if a date-time field can show it; else the service time. */
function inputValue({ typed = '', clock }: TimeProps): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(typed) ? typed : clock.Now.slice(0, 16)
}

function stateTag({ IsTravelled, Frozen }: ClockState): Html {
  if (!IsTravelled) return tag('Real time', 'good')
  return tag(Frozen ? 'Clock frozen' : 'Clock shifted', 'warn')
}

function stepButtons({ clock, expiry }: TimeProps): Html {
  const button = (step: string, name: string, kind = 'plain') =>
    html`<button class="button ${kind}" name="step" value="${step}">${name}</button>`
  return html`<div class="row" role="group" aria-label="Move forward"><span class="quiet small">Move forward</span>
${['hour', 'day', 'week', 'month'].map((step) => button(step, steps.get(step)?.name ?? step))}</div>
<div class="row">${clock.IsTravelled && button('real', 'Back to real time', '')}
${clock.Frozen ? button('run', 'Resume the clock') : button('freeze', 'Freeze the clock')}
${button('back', steps.get('back')?.name ?? '')}
${expiry && button('expiry', `Past Apple's next option expiry, ${day(expiry)}`)}</div>`
}

const consequences = html`<h3>What time travel affects</h3>${facts([
  ['Data', 'Everything with a date follows: options expire, deadlines pass, exchanges open and close.'],
  ['Your session', 'You stay signed in. The console gets a new session at the new time.'],
  ['Other users', 'Tokens, secrets and sessions that have expired by then stop working, for every user.'],
  ['Going back', 'Anything issued at a later time is rejected until that time.'],
  ['Not affected', 'Rate limits and timeouts use real time. The audit log records both times.'],
])}`

export function resetCard(props: { hasDemo: boolean; errors: readonly string[]; formToken: Html }): Html {
  const head = html`<h2>Reset to demo data</h2>`
  if (!props.hasDemo)
    return html`<section class="card" id="reset">${head}<p>This service runs without demo data (<code>DEMO=off</code>), so there is nothing to reset to.</p></section>`
  const attributes = html` required autocomplete="off" autocapitalize="none" spellcheck="false"`
  return html`<section class="card flow" id="reset">${head}
<p>Deletes <strong>all data</strong> of every user: clients, users, apps and their secrets, sessions, faults, instruments and events, including imported data. Then loads the demo data as of today, at real time. The audit log is kept. This cannot be undone.</p>
${errorNotice(props.errors)}
<form method="post" action="/console/sim/reset" class="filters">${props.formToken}
${inputField('confirm', 'Type reset to confirm', '', { attributes })}
<div><button class="button danger">Reset everything</button></div></form></section>`
}
