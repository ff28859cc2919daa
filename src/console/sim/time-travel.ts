import type { Static } from 'typebox'
import { plural } from '../../core/text.ts'
import { type Html, html } from '../../http/html/html.ts'
import type { ClockView } from '../../sim/api/schema.ts'
import { errorNotice, facts, tag } from '../shared/elements.ts'
import { inputField, selectField } from '../shared/fields.ts'
import { day, dayAndTime } from '../shared/format.ts'
import { paddedAxis, textWidth } from '../shared/time-axis.ts'

export type ClockState = Static<typeof ClockView>

type TimeProps = Readonly<{
  clock: ClockState
  expiry: Temporal.PlainDate | undefined
  /** What can be travelled to, drawn on an axis. */
  targets: Html | undefined
  errors: readonly string[]
  typed: string | null | undefined
  formToken: Html
}>

export const steps: ReadonlyMap<string, Temporal.DurationLike> = new Map([
  ['hour', { hours: 1 }],
  ['day', { days: 1 }],
  ['week', { weeks: 1 }],
  ['month', { months: 1 }],
  ['days', { days: 30 }],
  ['back', { days: -1 }],
])

/** `1 day and 1 hour`: a duration in its two largest units. */
export function duration(total: number): string {
  const whole = Temporal.Duration.from({ seconds: Math.round(Math.abs(total)) })
  const { days, hours, minutes, seconds } = whole.round({ largestUnit: 'days' })
  const units = Object.entries({ day: days, hour: hours, minute: minutes, second: seconds })
  const texts = units.flatMap(([unit, count]) => (count > 0 ? [plural(count, unit)] : []))
  return texts.slice(0, 2).join(' and ') || 'less than a second'
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
${props.targets}
${IsTravelled && travelChart(Temporal.Instant.from(Now), Temporal.Instant.from(RealNow), sentence)}
${
  clock.MayControl &&
  html`<form method="post" action="/console/sim/clock" class="flow">${formToken}
${stepButtons(props)}
</form>
<form method="post" action="/console/sim/clock" class="filters">${formToken}
${inputField('at', 'Set the time (UTC)', inputValue(props), { type: 'datetime-local', attributes: range })}
${selectField('then', 'From then on, the clock', clockModes, clock.Frozen ? 'freeze' : 'run')}
<div><button class="button">Set time</button></div>
</form>`
}
${consequences}</section>`
}

const clockModes = [
  ['run', 'runs'],
  ['freeze', 'is frozen'],
] as const

/** The rejected input, if a date-time field can show it; else the service time. */
function inputValue({ typed, clock }: TimeProps): string {
  return typed && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(typed) ? typed : clock.Now.slice(0, 16)
}

function stateTag({ IsTravelled, Frozen }: ClockState): Html {
  if (!IsTravelled) return tag('Real time', 'good')
  return tag(Frozen ? 'Clock frozen' : 'Clock shifted', 'warn')
}

function stepButtons({ clock, expiry }: TimeProps): Html {
  const button = (step: string, name: string, kind = 'plain') =>
    html`<button class="button ${kind}" name="step" value="${step}">${name}</button>`
  return html`<div class="row" role="group" aria-label="Move forward"><span class="quiet small">Move forward</span>
${['hour', 'day', 'week', 'month'].map((step) => button(step, `1 ${step}`))}${button('days', '30 days')}</div>
<div class="row">${clock.IsTravelled && button('real', 'Back to real time', '')}
${clock.Frozen ? button('run', 'Resume the clock') : button('freeze', 'Freeze the clock')}
${button('back', 'Back 1 day')}
${expiry && button('expiry', `Past Apple's next option expiry, ${day(expiry)}`)}</div>`
}

const consequences = html`<h3>What time travel affects</h3>${facts([
  ['Data', 'Everything with a date follows: options expire, deadlines pass, exchanges open and close.'],
  [
    'Your session',
    'You stay signed in to the console, for as long as before. Other apps may ask for your password again.',
  ],
  ['Other users', 'Tokens, secrets and sessions that have expired by then stop working, for every user.'],
  ['Going back', 'Anything issued at a later time is rejected until that time.'],
  ['Not affected', 'Rate limits and timeouts use real time. The audit log records both times.'],
])}`

type ResetProps = Readonly<{
  hasDemo: boolean
  errors: readonly string[]
  typed: string | null | undefined
  formToken: Html
}>

export function resetCard(props: ResetProps): Html {
  const head = html`<h2>Reset to demo data</h2>`
  if (!props.hasDemo)
    return html`<section class="card" id="reset">${head}<p>The data of this service is not known to be the demo data, so it cannot be reset here.</p></section>`
  const attributes = html` required autocomplete="off" autocapitalize="none" spellcheck="false"`
  const isUnconfirmed = props.errors.length > 0 && props.typed?.trim() !== 'reset'
  // Without the fragment the browser would show the top of the page, and not the error.
  return html`<section class="card flow" id="reset">${head}
${props.errors.length > 0 && html`<div id="reset-error">${errorNotice(props.errors)}</div>`}
<p>Deletes <strong>all data</strong> of every user: clients, users, apps and their secrets, sessions, faults, instruments and events. Then loads the demo data as of today, at real time. The audit log is kept. This cannot be undone. If data was imported, nothing is deleted.</p>
<form method="post" action="/console/sim/reset#reset" class="filters">${props.formToken}
${inputField('confirm', 'Type reset to confirm', '', { attributes, errorIn: isUnconfirmed && 'reset-error' })}
<div><button class="button danger">Reset everything</button></div></form></section>`
}

/** Drawn twice, for wide and for narrow screens; the stylesheet shows one. */
const sizes = [
  { name: 'roomy', width: 900 },
  { name: 'compact', width: 330 },
] as const

type Mark = Readonly<{ x: number; text: string; textX: number }>
type TravelLine = Readonly<{
  here: Mark
  real: Mark
  ticks: readonly { x: number; label: string }[]
}>

/** Positions of both times and their labels, separate from the drawing for tests. */
export function layOutTravelLine(now: Temporal.Instant, real: Temporal.Instant, width: number): TravelLine {
  const axis = paddedAxis([now, real], { share: 0.3, minDays: 3 }, [8, width - 8])
  const placed = (instant: Temporal.Instant, name: string): Mark => {
    const [x, text] = [axis.x(instant), `${name}: ${dayAndTime(instant, 'UTC')}`]
    const half = textWidth(text) / 2
    return { x, text, textX: Math.min(Math.max(x, half), width - half) }
  }
  return {
    here: placed(now, 'service time'),
    real: placed(real, 'real time'),
    ticks: axis.ticks.filter(({ x, label }) => x > textWidth(label) / 2 && x < width - textWidth(label) / 2),
  }
}

/** Only after a travel: at real time there is one mark on it, which says nothing. */
function travelChart(now: Temporal.Instant, real: Temporal.Instant, description: string): Html {
  return html`<div class="chart sized travel-line">${sizes.map(({ name, width }) => {
    const { here, real: there, ticks } = layOutTravelLine(now, real, width)
    return html`<svg class="${name}" viewBox="0 0 ${width} 118" role="img" aria-label="${description}">
${ticks.map(({ x, label }) => html`<line class="grid-line" x1="${x}" x2="${x}" y1="48" y2="60"/><text x="${x}" y="112" text-anchor="middle">${label}</text>`)}
<line class="axis" x1="8" x2="${width - 8}" y1="54" y2="54"/>
<rect class="band" x="${Math.min(here.x, there.x)}" y="48" width="${Math.abs(here.x - there.x)}" height="12" rx="3"/><circle class="dot" cx="${there.x}" cy="54" r="6"/><text class="strong" x="${there.textX}" y="84" text-anchor="middle">${there.text}</text>
<line class="now" x1="${here.x}" x2="${here.x}" y1="24" y2="70"/><text class="now-word" x="${here.textX}" y="16" text-anchor="middle">${here.text}</text>
</svg>`
  })}</div>`
}
