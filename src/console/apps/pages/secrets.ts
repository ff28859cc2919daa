import type { App } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { copyable, emptyState, table, tag } from '../../shared/elements.ts'
import { dayAndTime } from '../../shared/format.ts'
import { endsSoon, isShortened, overlapDays, type SecretUse, stateOf } from './model.ts'
import { lastUsed, secretTimeline } from './secret-timeline.ts'

export type SecretsProps = Readonly<{
  app: App
  secrets: readonly SecretUse[]
  /** The one that was asked to be shown. */
  revealed?: Readonly<{ id: number; value: string }> | undefined
  tag: string
  now: Temporal.Instant
  zone: string
  formToken: Html
}>

const withoutSecret: Record<Exclude<App['Flow'], 'Code'>, string> = {
  PKCE: 'A PKCE app proves itself anew at every sign-in, by a code verifier. There is nothing to keep and nothing to rotate.',
  Implicit: 'An app of the implicit flow runs in the browser alone, where nothing could be kept secret.',
}

/** The secrets of an app: when each is valid, as a drawing and as a table, and what can be done with them. */
export function secretSection(props: SecretsProps): Html {
  const { app, secrets, now, zone } = props
  if (app.Flow !== 'Code')
    return html`<section class="flow" id="secrets"><h2>Secrets</h2><div class="card"><p>This app has no secrets, and needs none.</p><p class="small quiet">${withoutSecret[app.Flow]}</p></div></section>`
  return html`<section class="flow app-deeds" id="secrets"><h2>Secrets</h2>
${
  secrets.length === 0
    ? emptyState(
        'The app has no secret.',
        'Without one it cannot exchange codes for tokens. Add one, then put it into the app.',
      )
    : html`<div class="card">${secretTimeline(secrets, now, zone)}</div>
${secretTable(props)}
<p class="small quiet">Times in ${zone}. Last use is known to within half a minute.</p>`
}
${app.IsActive ? deeds(props) : html`<p class="small quiet">Secrets of an inactive app cannot be changed. Activate it first.</p>`}</section>`
}

function deeds({ app, tag, formToken }: SecretsProps): Html {
  const at = `/console/apps/${app.AppKey}/secrets`
  return html`<div class="row"><form method="post" action="${at}/rotate">${formToken}<input type="hidden" name="tag" value="${tag}"><button class="button" aria-describedby="rotate-hint">Rotate with ${overlapDays} days overlap</button></form>
<a class="button plain" href="${at}/new">Add a secret</a></div>
<p class="small quiet" id="rotate-hint">Rotating makes a new secret that is valid for a year. Those in use go on for ${overlapDays} days, so that you can change your app without a break.</p>`
}

export function stateTag(secret: SecretUse, now: Temporal.Instant): Html {
  if (endsSoon(secret, now)) return tag('valid, ends soon', 'warn')
  const state = stateOf(secret, now)
  if (state === 'valid') return tag('valid now', 'good')
  return state === 'coming' ? tag('comes', 'accent') : tag('ended')
}

function secretTable({ app, secrets, revealed, now, zone }: SecretsProps): Html {
  const at = `/console/apps/${app.AppKey}`
  const value = ({ SecretId, nth }: SecretUse) =>
    SecretId === revealed?.id
      ? shownValue(revealed.value)
      : html`<span class="num quiet" aria-hidden="true">••••</span> <a href="${at}?secret=${SecretId}#secrets" rel="nofollow">Show<span class="unseen"> secret ${nth}</span></a>`
  return table(
    'Secrets and when they are valid',
    [
      {
        head: 'Secret',
        isRowHead: true,
        cell: (row: SecretUse) =>
          html`${row.nth} <span class="small quiet app-id">id ${row.SecretId}</span><br>${stateTag(row, now)}`,
      },
      { head: 'Value', cell: value },
      {
        head: 'Valid',
        cell: (row) => html`from ${dayAndTime(row.ValidFrom, zone)}<br>until ${dayAndTime(row.ValidUntil, zone)}`,
      },
      {
        head: 'Last used',
        cell: ({ LastUsedAt }) =>
          LastUsedAt === undefined ? html`<span class="quiet">not yet</span>` : lastUsed(LastUsedAt, now),
      },
      {
        head: html`<span class="unseen">Change</span>`,
        isFigure: true,
        cell: ({ SecretId, nth }) =>
          app.IsActive &&
          html`<a href="${at}/secrets/${SecretId}">Change<span class="unseen"> secret ${nth}</span></a>`,
      },
    ],
    secrets,
  )
}

/** What the API told: the secret, or the ends of it where the service tells each one only once. */
function shownValue(value: string): Html {
  if (!isShortened(value)) return copyable(value, 'the secret')
  return html`<span class="num">${value}</span> <span class="small quiet">shown in full only when it was made</span>`
}
