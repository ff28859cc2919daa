import type { App } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { copyable, emptyState, hiddenText, table, tag } from '../../shared/elements.ts'
import { askedAction, rowMenu } from '../../shared/fields.ts'
import { dayAndTime } from '../../shared/format.ts'
import { expiresSoon, isLastValid, isShortened, nameOf, overlapDays, type SecretUse, stateOf } from './model.ts'
import { deletionOf } from './secret-forms.ts'
import { lastUsed, secretTimeline } from './secret-timeline.ts'

/** Who used a secret last: the user that it signed in, and from where; `href` is the request in the log. */
export type SecretCaller = Readonly<{ user: string | undefined; address: string | undefined; href: string }>

export type SecretsProps = Readonly<{
  app: App
  secrets: readonly SecretUse[]
  revealed?: Readonly<{ id: number; value: string }> | undefined
  fields: Html
  /** By the id of the secret. Undefined without a request log. */
  callers?: ReadonlyMap<string, SecretCaller> | undefined
  now: Temporal.Instant
  zone: string
}>

const noSecretReasons: Record<Exclude<App['Flow'], 'Code'>, string> = {
  PKCE: 'PKCE apps prove their identity with a new code verifier at every sign-in. There is nothing to store or rotate.',
  Implicit: 'Implicit apps run in the browser, where nothing can be kept secret.',
}

export function secretSection(props: SecretsProps): Html {
  const { app, secrets, now, zone } = props
  if (app.Flow !== 'Code')
    return html`<section class="flow" id="secrets"><h2>Secrets</h2><div class="card"><p>This app has no secrets and needs none.</p><p class="small quiet">${noSecretReasons[app.Flow]}</p></div></section>`
  return html`<section class="flow app-actions" id="secrets"><h2>Secrets</h2>
${
  secrets.length === 0
    ? emptyState(
        'The app has no secret.',
        'It cannot exchange codes for tokens. Add a secret and configure it in your app.',
      )
    : html`<div class="card">${secretTimeline(secrets, now, zone)}</div>
${secretTable(props)}
<p class="small quiet">Times in ${zone}. Last use is accurate to half a minute.${props.callers && html` <a href="/console/requests?AppKey=${app.AppKey}&amp;Path=/token">All token requests</a>`}</p>`
}
${app.IsActive ? actions(props) : html`<p class="small quiet">Secrets of an inactive app cannot be changed. Activate the app first.</p>`}</section>`
}

function actions({ app, fields }: SecretsProps): Html {
  const path = `/console/apps/${app.AppKey}/secrets`
  return html`<div class="row"><form method="post" action="${path}/rotate">${fields}<button class="button" aria-describedby="rotate-hint">Rotate with ${overlapDays}-day overlap</button></form>
<a class="button plain" href="${path}/new">Add a secret</a></div>
<p class="small quiet" id="rotate-hint">Creates a new secret that is valid for one year. Secrets in use stay valid for ${overlapDays} days, so you can update your app without downtime.</p>`
}

/** No secret of an inactive app works, whatever its validity. */
export function stateTag(secret: SecretUse, now: Temporal.Instant, isActive = true): Html {
  if (!isActive && stateOf(secret, now) === 'valid') return tag('app inactive')
  if (expiresSoon(secret, now)) return tag('valid, expires soon', 'warn')
  const state = stateOf(secret, now)
  if (state === 'valid') return tag('valid', 'good')
  return state === 'upcoming' ? tag('not yet valid', 'accent') : tag('expired')
}

function secretTable({ app, secrets, revealed, fields, callers, now, zone }: SecretsProps): Html {
  const path = `/console/apps/${app.AppKey}`
  const value = (row: SecretUse) =>
    row.SecretId === revealed?.id
      ? shownValue(revealed.value)
      : html`<a href="${path}?secret=${row.SecretId}#secrets" rel="nofollow">Show${hiddenText(` secret ${nameOf(row)}`)}</a>`
  const name = (row: SecretUse) =>
    html`<span class="num app-id">${nameOf(row)}</span><br>${stateTag(row, now, app.IsActive)}`
  const edit = (row: SecretUse) => {
    const own = `${path}/secrets/${row.SecretId}`
    return rowMenu(
      `secret ${nameOf(row)}`,
      html`<a href="${own}">Edit validity, or regenerate</a>${askedAction(...deletionOf(own, fields, isLastValid(row, secrets, now)))}`,
    )
  }
  return table<SecretUse>(
    'Secrets and their validity',
    [
      ['Secret', name, 'name'],
      ['Value', value],
      ['Valid', (row) => html`from ${dayAndTime(row.ValidFrom, zone)}<br>until ${dayAndTime(row.ValidUntil, zone)}`],
      ['Last used', (row) => lastUseCell(row, callers, now)],
      app.IsActive && [hiddenText('Actions'), edit, 'figure'],
    ],
    secrets,
  )
}

/** When, by whom and from where. The log is ahead of the time of the last use, which is written every half a minute. */
export function lastUseCell(
  { SecretId, LastUsedAt: at }: SecretUse,
  callers: SecretsProps['callers'],
  now: Temporal.Instant,
): Html {
  const caller = callers?.get(String(SecretId))
  if (!at && !caller) return html`<span class="quiet">never</span>`
  const texts = caller && [caller.user && `for ${caller.user}`, caller.address && `from ${caller.address}`]
  return html`${at ? lastUsed(at, now) : 'just now'}${caller && html`<br><a class="small" href="${caller.href}"><bdi>${texts?.filter(Boolean).join(' ') || 'request'}</bdi></a>`}`
}

function shownValue(value: string): Html {
  if (!isShortened(value)) return copyable(value, 'the secret')
  return html`<span class="num">${value}</span> <span class="small quiet">shown in full only when created</span>`
}
