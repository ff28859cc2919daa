import type { App } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { codeBlock, confirmed, copyable, facts, notice, tag } from '../../shared/elements.ts'
import { type AuditRow, auditTable } from './activity.ts'
import { flows } from './form.ts'
import { appObject, bestSecret, isShortened, statusOf } from './model.ts'
import { type SecretsProps, secretSection } from './secrets.ts'
import { tryCard } from './try-it.ts'
import { uriSection } from './uris.ts'

export type AppPageProps = SecretsProps &
  Readonly<{
    baseUrl: string
    audit: readonly AuditRow[]
    hasMoreAudit: boolean
    /** What was just done, as the address says. */
    done: string | undefined
  }>

/** Beside the name: what it is, in words. */
export function appTags(app: App, isDemo: boolean): Html {
  const { word, tone } = statusOf(app)
  return html`${isDemo && tag('demo app')}${tag(word, tone)}${tag(app.Flow)}${tag(app.IsTradingEnabled ? 'read and write' : 'read only')}
${app.IsActive && html`<a class="button plain" href="/console/apps/${app.AppKey}/edit">Edit</a>`}`
}

const doneSentences = new Map<string, string>(
  Object.entries({
    created: 'The app is ready.',
    saved: 'Saved.',
    activated: 'The app is active again. Its secrets work as before; people sign in anew.',
    added: 'The redirect URI is added.',
    removed: 'The redirect URI is removed.',
    secretchanged: 'The secret is changed.',
    secretdeleted: 'The secret is deleted.',
  }),
)

export function appPage(props: AppPageProps): Html {
  const { app, done, formToken, audit, zone } = props
  const sentence = doneSentences.get(done ?? '')
  return html`${sentence && notice('good', sentence)}
${stateNotice(props)}
<div class="cards">${factsCard(props)}${objectCard(props)}</div>
${tryCard(app)}
${uriSection(app, formToken)}
${secretSection(props)}
<section class="flow" id="audit"><h2>What was done</h2><p class="small quiet">Every change, and every time a secret is shown; it appears here within a second or so.</p>${auditTable(audit, zone)}
${props.hasMoreAudit && html`<p><a href="/console/apps/${app.AppKey}/audit">All that was done</a></p>`}</section>
${app.IsActive && deactivation(props)}`
}

function stateNotice({ app, formToken, tag }: AppPageProps): Html | undefined {
  if (!app.IsActive)
    return html`<div class="notice warn stack" role="status"><p><strong>This app is inactive.</strong> Its sessions have ended, nobody can sign in to it, and its secrets open nothing. ${whyNot(app.Status, app.RedirectUris.length)}</p>
<form method="post" action="/console/apps/${app.AppKey}/activate">${formToken}<input type="hidden" name="tag" value="${tag}"><button class="button">Activate</button></form></div>`
  if (app.Status === 'OK') return undefined
  return notice(
    'warn',
    html`<strong>Waiting for approval.</strong> Whoever runs this service has been asked to let the app write. Until they do, it signs people in and reads; nothing needs to be done here. To take the request back, edit the app.`,
  )
}

function whyNot(status: string, uris: number): string | false {
  if (status !== 'OK') return 'It cannot be activated before whoever runs this service approves it.'
  return uris === 0 && 'Add a redirect URI first, then it can be activated.'
}

function factsCard({ app, baseUrl }: AppPageProps): Html {
  const [, name = app.Flow, sentence = ''] = flows.find(([flow]) => flow === app.Flow) ?? []
  return html`<div class="card app-facts"><h2>The app</h2>${facts([
    ['App key', copyable(app.AppKey, 'the app key')],
    ['Description', app.Description && html`<bdi>${app.Description}</bdi>`],
    ['Flow', html`${name}<br><span class="small quiet">${sentence}</span>`],
    ['Made by', app.CreatedBy && html`<bdi>${app.CreatedBy.Name}</bdi>`],
    ['Authorize', copyable(app.Endpoints.AuthorizationEndpoint, 'the authorization endpoint')],
    ['Token', copyable(app.Endpoints.TokenEndpoint, 'the token endpoint')],
    ['API', copyable(baseUrl, 'the base address of the API')],
  ])}</div>`
}

/** The settings of a client library, ready to be pasted; with the secret where it is shown anyway. */
function objectCard({ app, baseUrl, revealed, secrets, now }: AppPageProps): Html {
  const whole = revealed && !isShortened(revealed.value) ? revealed.value : undefined
  const best = bestSecret(secrets, now)
  const offer = app.Flow === 'Code' && best && revealed === undefined
  return html`<div class="card app-object" id="object"><h2>App object</h2><p class="small quiet">What client libraries of this interface read as their settings.</p>
${codeBlock(appObject(app, baseUrl, whole), 'app object')}
${offer && html`<p class="small"><a href="/console/apps/${app.AppKey}?secret=${best.SecretId}#object" rel="nofollow">Show it with the secret</a> <span class="quiet">Showing a secret is logged.</span></p>`}
${revealed && whole === undefined && html`<p class="small quiet">AppSecret is yours to add: this service told it in full only when it was made.</p>`}</div>`
}

function deactivation({ app, formToken, tag }: AppPageProps): Html {
  return html`<section class="flow" id="state"><h2>Deactivate</h2>
${confirmed('Deactivate the app', 'Its sessions and tokens end at once, and nobody can sign in to it. Nothing is deleted: you can activate it again.', html`<form method="post" action="/console/apps/${app.AppKey}/deactivate">${formToken}<input type="hidden" name="tag" value="${tag}"><button class="button danger">Yes, deactivate it</button></form>`)}</section>`
}
