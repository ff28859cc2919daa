import { type Html, html } from '../../http/html/html.ts'
import { emptyState, inputField, notice, refusals, selectField, table, tag } from '../shared/elements.ts'
import { distance } from './time-travel.ts'

/** GET {base_url}/x/v1/faults */
export type FaultRow = Readonly<{
  AppKey: string
  AppName: string
  Kind: string
  Percent: number
  DelaySeconds?: number
  Group?: string
  EndsAt: string
}>

/** What an app meets, and what a good one does then. The last one has a field of its own, which stands below it. */
const kinds: readonly (readonly [kind: string, name: string, sentence: string])[] = [
  ['RateLimited', 'Rate limited', '429 with Retry-After. A good app waits that long and tries again.'],
  ['Unavailable', 'Unavailable', '503 with Retry-After, as while the database is away.'],
  ['Dropped', 'Dropped', 'No answer: the connection is cut. A good app tries again what is safe to repeat.'],
  ['ExpiredToken', 'Expired token', '401, as if the token had ended. A good app refreshes it once and tries again.'],
  ['Slow', 'Slow', 'The right answer, but after a delay. A good app has a time-out.'],
]
const kindName = (kind: string): string => kinds.find(([id]) => id === kind)?.[1] ?? kind

const groups = [
  { value: '', name: 'All calls' },
  { value: 'ref', name: 'Reference data (ref)' },
  { value: 'ca', name: 'Corporate actions (ca)' },
  { value: 'developer', name: 'Apps (developer)' },
  { value: 'port', name: 'Portfolio (port)' },
  { value: 'x', name: 'More (x)' },
]
const times = [
  { value: '60', name: '1 minute' },
  { value: '600', name: '10 minutes' },
  { value: '3600', name: '1 hour' },
  { value: '86400', name: '1 day' },
]

export type FaultEntry = Readonly<
  Record<'app' | 'kind' | 'percent' | 'delay' | 'group' | 'seconds', string | undefined>
>

export type FaultProps = Readonly<{
  faults: readonly FaultRow[]
  apps: readonly { AppKey: string; Name: string }[]
  entry: FaultEntry
  against: readonly string[]
  /** What was done just now. */
  done: string | undefined
  /** Faults end by real time. */
  real: Temporal.Instant
  formToken: Html
}>

/** What goes wrong for which app now, and a form for more. */
export function faultCard(props: FaultProps): Html {
  return html`<section class="card flow" id="faults"><h2>Let calls of an app go wrong</h2>
<p>See how your app copes. Every answer that is made so has the header <code>X-Refdesk-Fault</code>; other apps, and this console, notice nothing.</p>
${props.done && notice('good', props.done)}
${faultTable(props)}
${props.apps.length === 0 ? emptyState('You have no app yet.', 'A fault is for the calls of one app.', { href: '/console/apps/new', name: 'Make an app' }) : faultForm(props)}</section>`
}

function faultTable({ faults, real, formToken }: FaultProps): Html {
  if (faults.length === 0) return html`<p>${tag('Nothing goes wrong now', 'good')}</p>`
  const rows = table(
    'What goes wrong now',
    [
      {
        head: 'App',
        cell: ({ AppKey, AppName }) => html`<a href="/console/apps/${AppKey}"><bdi>${AppName}</bdi></a>`,
        isRowHead: true,
      },
      { head: 'What', cell: ({ Kind, DelaySeconds }) => whatCell(Kind, DelaySeconds) },
      { head: 'Calls', cell: ({ Percent, Group }) => `${Percent} % of ${Group ?? 'all'}` },
      { head: 'Ends in', cell: ({ EndsAt }) => distance(real.until(EndsAt).total('seconds')) },
      {
        head: html`<span class="unseen">Remove</span>`,
        cell: ({ AppKey, AppName }) =>
          html`<form method="post" action="/console/sim/faults/remove">${formToken}<button class="link" name="app" value="${AppKey}">Remove<span class="unseen"> the fault of ${AppName}</span></button></form>`,
      },
    ],
    faults,
  )
  return html`<div class="sim-faults">${rows}</div>`
}

const whatCell = (kind: string, delay: number | undefined): Html =>
  html`${tag(kindName(kind), 'warn')}${delay !== undefined && html` ${delay} s`}`

function faultForm({ apps, entry, against, formToken }: FaultProps): Html {
  const choices = apps.map(({ AppKey, Name }) => ({ value: AppKey, name: Name }))
  const kind = entry.kind ?? 'RateLimited'
  return html`<form method="post" action="/console/sim/faults" class="flow">${formToken}
${refusals(against)}
<div class="filters">${selectField('app', 'For the app', choices, entry.app ?? choices[0]?.value)}
${selectField('group', 'Of its calls', groups, entry.group)}
${selectField('seconds', 'For', times, entry.seconds ?? '600')}</div>
<fieldset class="sim-kinds"><legend>What it meets</legend>${kinds.map(
    ([value, name, sentence]) =>
      html`<label class="sim-kind"><input type="radio" name="kind" value="${value}" required${value === kind && html` checked`}><span><strong>${name}</strong> <span class="quiet">${sentence}</span></span></label>`,
  )}
${inputField('delay', 'Delay in seconds, for Slow only', entry.delay ?? '5', { type: 'number', attributes: html` min="0.1" max="60" step="0.1"` })}</fieldset>
<div class="filters">${inputField('percent', 'Percent of the calls', entry.percent ?? '100', { type: 'number', attributes: html` min="1" max="100" required` })}
<div><button class="button">Let them go wrong</button></div></div></form>`
}
