import { type Html, type HtmlValue, html } from '../../http/html/html.ts'
import type { ConsoleDependencies, DemoInfo } from '../shared/dependencies.ts'
import { codeBlock, copyable, facts, tag } from '../shared/elements.ts'
import { dayAndTime } from '../shared/format.ts'
import { type ChainId, codeSamples, languages } from './code-samples.ts'

export type DayToken = Readonly<{ AccessToken: string; ExpiresIn: number; ExpiresAt: string }>

export type QuickStartProps = Pick<ConsoleDependencies, 'environment' | 'publicUrl' | 'baseUrl' | 'demo'> &
  Readonly<{ chain: ChainId; userName: string | undefined }>

/** Its calls use the token that the page shows above it. */
export function quickStart(props: QuickStartProps, isOpen: boolean): Html {
  const { environment, demo, userName } = props
  return html`<details class="card quick-start" id="start"${isOpen && html` open`}><summary><h2>Quick start</h2> <span class="quiet small">base URLs, first calls, where to look</span></summary>
<div class="flow"><ul class="tiles">${tiles(props)}</ul>
<div class="cards home">${baseUrls(props)}${demo ? demoCard(demo, userName) : environment === 'live' && liveTokens}</div>
${callsCard(props)}</div></details>`
}

/** A token is shown once. */
export function tokenCard(token: DayToken, zone: string, userName: string | undefined): Html {
  return html`<section class="card token-card" id="token"><h2>Your access token ${tag(`valid for ${Math.round(token.ExpiresIn / 3600)} hours`, 'good')}</h2>
<p>It is shown only once. Paste this line into a shell; the calls below use it.</p>
${codeBlock(`export TOKEN=${token.AccessToken}`, 'the line with the token')}
<p class="small">It belongs to the console’s own app and to <bdi>${userName}</bdi>: rate limits, faults and the request log treat its calls as the console’s. For a token of your own app, open the app under <a href="/console/apps">Apps</a> and choose Connect.</p>
<p class="small quiet">Valid until ${dayAndTime(token.ExpiresAt, zone)} (${zone}), unless you sign out of the console first.</p></section>`
}

const liveTokens = html`<section class="card"><h2>Get an access token</h2>
<p>Redirect users to <code>/authorize</code> with your app key and exchange the code at <code>/token</code>; any OAuth 2.0 client library does both. <a href="/console/apps/new">Create an app</a> to get a key.</p></section>`

function tiles({ chain }: QuickStartProps): Html[] {
  const tile = (href: string, name: string, text: HtmlValue) =>
    html`<li class="card"><a href="${href}">${name}</a><p class="small quiet">${text}</p></li>`
  return [
    chain === undefined
      ? tile('/console/instruments', 'Search instruments', 'Details, option chains and trading hours.')
      : tile(`/console/options/${chain}`, "Apple's option chain", 'Calls and puts for the next monthly expiry.'),
    tile('/console/events', 'Needs your decision', 'Election deadlines and all corporate actions on your holdings.'),
    tile('/console/apps/new', 'Create an app', 'Get a key and a secret for your own program.'),
    tile('/console/api', 'API reference', 'Every operation, with a button to try it.'),
  ]
}

/** All languages are on the page: a link to another page would lose the token. */
function callsCard({ baseUrl, chain }: QuickStartProps): Html {
  const samples = languages.map(
    ({ id, name }) =>
      html`<details name="language" class="${id}"${id === 'curl' && html` open`}><summary>${name}</summary>
${codeSamples(id, baseUrl, chain).map(({ title, code }) => html`<h3>${title}</h3>${codeBlock(code, title)}`)}</details>`,
  )
  return html`<section id="calls"><h2>Make your first calls</h2>
<div class="languages">${samples}</div>
<p class="small quiet">Calls that need a token read it from <code>TOKEN</code>.</p></section>`
}

function baseUrls({ publicUrl, baseUrl }: QuickStartProps): Html {
  return html`<section class="card"><h2>Base URLs</h2>${facts([
    ['Sign-in', copyable(publicUrl, 'the sign-in URL')],
    ['API', copyable(baseUrl, 'the API base URL')],
  ])}
<p class="small"><a href="/openapi.json">OpenAPI document</a> · <a href="/.well-known/oauth-authorization-server">OAuth server metadata</a> · <a href="/health/ready">Health check (JSON)</a></p></section>`
}

/** The demo app belongs to the first demo user. */
function demoCard({ appKey, redirectUri, users: [owner] }: DemoInfo, userName: string | undefined): Html {
  const secret =
    userName === owner
      ? html`Its secret is <a href="/console/apps/${appKey}">on its page</a>.`
      : html`Its secret is shown to ${owner} only: switch the user to see it.`
  const request = { response_type: 'code', client_id: appKey, redirect_uri: redirectUri, state: 'hello' }
  return html`<section class="card"><h2>Demo app</h2>${facts([
    ['App key', copyable(appKey, 'the app key')],
    ['Redirect URI', html`<code>${redirectUri}</code>`],
  ])}
<p class="small quiet">For trying client libraries. ${secret} Its
<a href="/authorize?${new URLSearchParams(request).toString()}">sign-in page</a> redirects to <code>${new URL(redirectUri).host}</code>, where your program should listen.</p></section>`
}
