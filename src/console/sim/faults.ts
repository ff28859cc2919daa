import type { Static } from 'typebox'
import { type Html, html } from '../../http/html/html.ts'
import type { FaultView } from '../../sim/api/schema.ts'
import { emptyState, errorNotice, hiddenText, type Link, table, tag } from '../shared/elements.ts'
import { inputField, postLink, selectField } from '../shared/fields.ts'
import { duration } from './time-travel.ts'

export type FaultRow = Static<typeof FaultView>

const kinds: readonly (readonly [kind: string, name: string, description: string])[] = [
  ['RateLimited', 'Rate limited', '429 with Retry-After. The app should wait that long and retry.'],
  ['Unavailable', 'Unavailable', '503 with Retry-After, as in a database outage.'],
  ['Dropped', 'Dropped', 'The connection closes without a response. The app should retry idempotent calls.'],
  ['ExpiredToken', 'Expired token', '401, as for an expired token. The app should refresh it once and retry.'],
  ['Slow', 'Slow', 'The normal response after a delay. The app should have a timeout.'],
]

const groups = [
  ['', 'All API calls, not /token'],
  ['ref', 'Reference data (ref)'],
  ['ca', 'Corporate actions (ca)'],
  ['developer', 'Apps (developer)'],
  ['port', 'Portfolio (port)'],
  ['x', 'Extensions (x)'],
] as const
const durations = [
  ['60', '1 minute'],
  ['600', '10 minutes'],
  ['3600', '1 hour'],
  ['86400', '1 day'],
] as const

export const faultFields = ['app', 'kind', 'percent', 'delay', 'group', 'seconds'] as const

type FaultProps = Readonly<{
  faults: readonly FaultRow[]
  apps: readonly { AppKey: string; Name: string; IsActive: boolean }[]
  /** The values of the form's fields. */
  entry: Readonly<Partial<Record<(typeof faultFields)[number], string | undefined>>>
  errors: readonly string[]
  /** Faults end by real time. */
  realNow: Temporal.Instant
  formToken: Html
  mayControl: boolean
  hasRequestLog: boolean
  demoKey: string | undefined
}>

const createApp: Link = ['Create an app', '/console/apps/new']
const noApps = emptyState('You have no apps.', 'A fault applies to the calls of one app.', createApp)

export function faultCard(props: FaultProps): Html {
  return html`<section class="card flow" id="faults"><h2>Inject faults</h2>
<p>Test how your app handles errors. Every injected response has the header <code>X-Refdesk-Fault</code>. Other apps and this console are not affected.</p>
${faultTable(props)}
${props.mayControl && (props.apps.length === 0 ? noApps : faultForm(props))}</section>`
}

function faultTable({ faults, realNow, formToken, mayControl, hasRequestLog, demoKey }: FaultProps): Html {
  if (faults.length === 0) return html`<p>${tag('No active faults', 'good')}</p>`
  const remove = ({ AppKey, AppName }: FaultRow) =>
    postLink('/console/sim/faults/remove', formToken, 'Remove', `the fault of ${AppName}`, ['app', AppKey])
  const rows = table<FaultRow>(
    'Active faults',
    [
      ['App', ({ AppKey, AppName }) => html`<a href="/console/apps/${AppKey}"><bdi>${AppName}</bdi></a>`, 'name'],
      ['Fault', faultCell],
      ['Scope', ({ Percent, Group }) => `${Percent}% of ${Group ?? 'all API'} calls`],
      ['Ends in', ({ EndsAt }) => duration(realNow.until(EndsAt).total('seconds'))],
      ...(mayControl ? [[hiddenText('Remove'), remove] as const] : []),
    ],
    faults,
  )
  return html`<div class="sim-faults">${rows}</div>${faults[0] && hasRequestLog && whereToSee(faults[0], faults[0].AppKey === demoKey)}`
}

const whereToSee = ({ AppKey, AppName }: FaultRow, isDemo: boolean): Html =>
  html`<p class="hint">To see the fault of <bdi>${AppName}</bdi>, call the API with a token of this app (${isDemo && html`<code>npx refdesk token</code> prints one, `}<a href="/console/apps/${AppKey}?tab=connect">Connect</a>${isDemo ? ' shows other ways' : ' shows how to get one'}), then open its <a href="/console/requests?AppKey=${AppKey}">requests</a>.</p>`

function faultCell({ Kind, DelaySeconds }: FaultRow): Html {
  const name = kinds.find(([kind]) => kind === Kind)?.[1] ?? Kind
  return html`${tag(name, 'warn')}${DelaySeconds !== undefined && html` ${DelaySeconds} s`}`
}

function faultForm({ apps, entry, errors, formToken }: FaultProps): Html {
  const choices = apps.map(({ AppKey, Name, IsActive }) => [AppKey, IsActive ? Name : `${Name} (inactive)`] as const)
  const chosen = entry.kind ?? 'RateLimited'
  return html`<form method="post" action="/console/sim/faults" class="flow">${formToken}
${errorNotice(errors)}
<div class="filters">${selectField('app', 'App', choices, entry.app ?? choices[0]?.[0])}
${selectField('group', 'Calls', groups, entry.group)}
${selectField('seconds', 'Duration', durations, entry.seconds ?? '600')}</div>
<fieldset class="sim-kinds"><legend>Fault</legend>${kinds.map(
    ([kind, name, description]) =>
      html`<label class="sim-kind"><input type="radio" name="kind" value="${kind}" required${kind === chosen && html` checked`}><span><strong>${name}</strong> <span class="quiet">${description}</span></span></label>`,
  )}
${inputField('delay', 'Delay in seconds (Slow only)', entry.delay ?? '5', { type: 'number', attributes: html` min="0.1" max="60" step="0.1"` })}</fieldset>
<div class="filters">${inputField('percent', 'Share of calls (%)', entry.percent ?? '100', { type: 'number', attributes: html` min="1" max="100" required` })}
<div><button class="button">Inject fault</button></div></div></form>`
}
