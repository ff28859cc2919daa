import type { App } from '../../../apps/api/schema.ts'
import { secretName } from '../../../core/app.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { codeBlock, copyable, doneNotice, facts, notice, tabs, tag } from '../../shared/elements.ts'
import { confirmation, postButton } from '../../shared/fields.ts'
import { flows } from '../form.ts'
import { uriSection } from '../redirect-uris.ts'
import { appObject, isShortened, longestSecret, statusOf } from './model.ts'
import { type SecretsProps, secretSection } from './secrets.ts'

type AppPageProps = SecretsProps & Readonly<{ baseUrl: string; done: string | undefined; isDemo: boolean }>

export function appTags(app: App, isDemo: boolean): Html {
  const { word, tone } = statusOf(app)
  return html`${isDemo && tag('demo app')}${tag(word, tone)}${tag(app.Flow)}${tag(app.IsTradingEnabled ? 'read and write' : 'read only')}
${app.IsActive && html`<a class="button plain" href="/console/apps/${app.AppKey}/edit">Edit</a>`}`
}

const doneMessages = new Map([
  ['created', 'App created.'],
  ['saved', 'Saved.'],
  ['activated', 'The app is active again. Its secrets work as before; users have to sign in again.'],
  ['added', 'Redirect URI added.'],
  ['removed', 'Redirect URI removed.'],
])

/** What was just done. A secret is named in the URL, because a deleted one is known nowhere else. */
export function doneMessage(done: string | undefined, secret: string | undefined): string | undefined {
  const [, verb] = /^secret(changed|deleted)$/.exec(done ?? '') ?? []
  if (verb === undefined) return doneMessages.get(done ?? '')
  const [, id = '', lastFour] = /^(\d{1,9})(?:-([0-9A-Za-z]{4}))?$/.exec(secret ?? '') ?? []
  return id === '' ? `Secret ${verb}.` : `Secret ${secretName(id, lastFour)} ${verb}.`
}

const tabNames = { overview: 'Overview', uris: 'Redirect URIs', connect: 'Connect', activity: 'Activity' } as const
export type AppTab = keyof typeof tabNames

export const appTab = (name: string | undefined): AppTab => (name === 'uris' || name === 'connect' ? name : 'overview')

const tabPath: Record<AppTab, string> = { overview: '', uris: '?tab=uris', connect: '?tab=connect', activity: '/audit' }

export function appTabs({ AppKey, RedirectUris }: App, current: AppTab): Html {
  const all = Object.entries(tabNames) as [AppTab, string][]
  const shown = all.map(([tab, name]) => ({
    name,
    href: `/console/apps/${AppKey}${tabPath[tab]}`,
    note: tab === 'uris' && RedirectUris.length,
    current: tab === current,
  }))
  return html`<div class="page-tabs">${tabs('App', shown)}</div>`
}

export function appPage(props: AppPageProps, tab: AppTab): Html {
  const { app, done, fields } = props
  return html`${doneNotice(done)}
${stateNotice(props)}
${appTabs(app, tab)}
${tab === 'overview' && overview(props)}
${tab === 'uris' && uriSection(app, fields)}
${tab === 'connect' && html`${props.isDemo && demoTokenCard}${objectCard(props)}${tryCard(app)}`}`
}

function overview(props: AppPageProps): Html {
  const { app } = props
  const isUnreachable = app.IsActive && app.RedirectUris.length === 0
  return html`${isUnreachable && notice('warn', html`Users cannot sign in yet: the app has no redirect URI. <a href="/console/apps/${app.AppKey}?tab=uris">Add one</a>`)}
${detailsCard(props)}
${secretSection(props)}
${app.IsActive && deactivation(props)}`
}

const approvalNotice = notice(
  'warn',
  html`<strong>Waiting for approval.</strong> The operator has been asked to grant write access. Until then users can sign in and the app can read. To withdraw the request, edit the app.`,
)

function stateNotice({ app, fields }: AppPageProps): Html | undefined {
  if (app.IsActive) return app.Status === 'OK' ? undefined : approvalNotice
  return html`<div class="notice warn stack" role="status"><p><strong>This app is inactive.</strong> Its sessions have ended, users cannot sign in, and its secrets do not work. ${activationHint(app)}</p>
${activation(app, fields)}</div>`
}

function activation({ AppKey, Status, RedirectUris }: App, fields: Html): Html | undefined {
  if (Status !== 'OK') return undefined
  if (RedirectUris.length === 0)
    return html`<a class="button" href="/console/apps/${AppKey}?tab=uris">Add a redirect URI</a>`
  return postButton(`/console/apps/${AppKey}/activate`, fields, 'Activate')
}

function activationHint({ Status, RedirectUris }: App): string | false {
  if (Status !== 'OK') return 'You can activate it after the operator has approved it.'
  return (
    RedirectUris.length === 0 &&
    'You can activate it after you add a redirect URI: activation requires one, even if the app was active without.'
  )
}

function detailsCard({ app, baseUrl }: AppPageProps): Html {
  const [, name = app.Flow, description = ''] = flows.find(([flow]) => flow === app.Flow) ?? []
  return html`<div class="card app-facts"><h2 class="unseen">Details</h2>${facts([
    ['App key', copyable(app.AppKey, 'the app key')],
    ['Description', app.Description && html`<bdi>${app.Description}</bdi>`],
    ['Flow', html`${name}<br><span class="small quiet">${description}</span>`],
    ['Created by', app.CreatedBy && html`<bdi>${app.CreatedBy.Name}</bdi>`],
    ['Authorize', copyable(app.Endpoints.AuthorizationEndpoint, 'the authorization endpoint')],
    ['Token', copyable(app.Endpoints.TokenEndpoint, 'the token endpoint')],
    ['API', copyable(baseUrl, 'the API base URL')],
  ])}</div>`
}

function objectCard({ app, baseUrl, revealed, secrets, now }: AppPageProps): Html {
  const secret = revealed && !isShortened(revealed.value) ? revealed.value : undefined
  const longest = longestSecret(secrets, now)
  const canReveal = app.Flow === 'Code' && longest && revealed === undefined
  return html`<div class="card app-object" id="object"><h2>App object</h2><p class="small quiet">Settings in the format that client libraries for this API read.</p>
${codeBlock(appObject(app, baseUrl, secret), 'app object')}
${canReveal && html`<p class="small"><a href="/console/apps/${app.AppKey}?tab=connect&secret=${longest.SecretId}" rel="nofollow">Show with secret</a> <span class="quiet">This is logged.</span></p>`}
${revealed && secret === undefined && html`<p class="small quiet">Add AppSecret yourself: this service shows a secret in full only when it is created.</p>`}</div>`
}

function deactivation({ app, fields }: AppPageProps): Html {
  return html`<section class="flow" id="state"><h2>Deactivate</h2>
${confirmation(
  'Deactivate the app',
  `Its sessions and tokens end immediately, and users can no longer sign in. The app is not deleted: you can activate it again${app.RedirectUris.length === 0 ? ' once it has a redirect URI' : ''}.`,
  postButton(`/console/apps/${app.AppKey}/deactivate`, fields, 'Yes, deactivate', 'button danger'),
)}</section>`
}

const demoTokenCard = html`<section class="card" id="token"><h2>Get a token</h2><p class="small quiet">The quickest way, without a sign-in: this command prints a token of this app for ada. Name another user at the end.</p>
${codeBlock('npx refdesk token', 'the command')}</section>`

/** A first sign-in without writing a program. Undefined if users cannot sign in to the app. */
export function tryCard(app: App): Html | undefined {
  const uri = app.RedirectUris[0]?.Uri
  if (!app.IsActive || uri === undefined) return undefined
  return html`<section class="card app-try" id="try"><h2>Try it</h2>${app.Flow === 'PKCE' ? pkceHint : manualSteps(app, uri)}</section>`
}

const pkceHint = html`<p>Every PKCE sign-in starts with a new code challenge, so there is no fixed URL to try. Give the app object to a client library: it creates the challenge, opens the sign-in page and exchanges the code.</p>`

function manualSteps(app: App, uri: string): Html {
  const url = signInUrl(app, uri)
  const [what, prefix] = app.Flow === 'Code' ? ['code', 'code='] : ['token', '#access_token=']
  return html`<ol class="app-steps"><li><p><a href="${url}" target="_blank" rel="noopener">Sign in to <bdi>${app.Name}</bdi></a> <span class="small quiet">opens a new tab</span></p>${codeBlock(url, 'the sign-in URL')}</li>
<li><p>The browser is redirected to <code>${uri}</code>. If nothing listens there yet, it shows an error; that is fine. The ${what} is in the address bar, after <code>${prefix}</code></p></li>
${app.Flow === 'Code' && html`<li><p>Exchange it for a token, with the code in <code>CODE</code> and the app’s secret in <code>SECRET</code>. A code works once and expires after one minute by default.</p>${codeBlock(tokenCall(app, uri), 'the token request')}</li>`}</ol>`
}

export function signInUrl({ AppKey, Flow, Endpoints }: App, redirect_uri: string): string {
  const response_type = Flow === 'Implicit' ? 'token' : 'code'
  const query = new URLSearchParams({ response_type, client_id: AppKey, redirect_uri, state: 'hello' })
  return `${Endpoints.AuthorizationEndpoint}?${query}`
}

/** The URI is form-encoded, so it contains nothing that a shell would interpret. */
export function tokenCall({ AppKey, Endpoints }: App, redirect_uri: string): string {
  return `curl -u "${AppKey}:$SECRET" "${Endpoints.TokenEndpoint}" \\
  -d grant_type=authorization_code -d "code=$CODE" \\
  -d "${new URLSearchParams({ redirect_uri })}"`
}
