import type { FastifyReply } from 'fastify'
import { type Html, type HtmlValue, html } from '../../http/html/html.ts'
import { sourceOf } from '../../http/in-process.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { ConsoleDependencies, DemoInfo, Travel } from '../shared/dependencies.ts'
import { codeBlock, copyable, facts, notice, tag } from '../shared/elements.ts'
import { postButton } from '../shared/fields.ts'
import { dayAndTime, figure } from '../shared/format.ts'
import type { PageRouter } from '../shared/router.ts'
import { type ChainId, codeSamples, languages } from './code-samples.ts'

export function homeRoutes(router: PageRouter): void {
  router.getPublic('/', (ctx) => showHome(ctx))
  router.getPublic('/console', (ctx) => ctx.redirect('/'))
  router.getPublic('/console/token', (ctx) => ctx.redirect('/#token'))
  // Renders the page instead of redirecting to it, because the token is shown only once.
  router.post('/console/token', async (ctx) => showHome(ctx, await ctx.api.send<DayToken>('POST', '/x/v1/daytoken')))
}

async function showHome(ctx: PageContext, token?: DayToken): Promise<FastifyReply> {
  const { deps, session } = ctx
  const { environment, publicUrl, baseUrl, demo } = deps
  const [health, revision, chain] = await Promise.all([
    readHealth(ctx),
    session && ctx.api.get<Revision>('/x/v1/revision').catch(optional),
    demo && (session ? findAppleChain(ctx).catch(optional) : appleChain),
  ])
  return ctx.render({
    title: 'Home',
    heading: html`<span class="hero">Sign-in and reference data for trading apps</span>`,
    body: homeBody({
      ...{ environment, publicUrl, baseUrl, demo },
      ...{ health, now: ctx.now, revision, chain },
      token: token && { ...token, zone: ctx.zone },
      travel: deps.travel(),
      signOutNotice: session ? undefined : signOutNotices.get(ctx.query('done') ?? ''),
      formToken: session && ctx.formToken,
    }),
  })
}

async function readHealth({ deps, request }: PageContext): Promise<Health> {
  const { remoteAddress } = sourceOf(request)
  const { body } = await deps.call({ method: 'GET', url: '/health/ready', headers: {}, remoteAddress })
  return JSON.parse(body)
}

/** The option root of Apple in the demo data. Not every user may see it. */
const appleChain = 1

export async function findAppleChain(ctx: PageContext): Promise<ChainId> {
  const query = { Keywords: 'AAPL', AssetTypes: 'StockOption', $top: 1 }
  const { Data } = await ctx.api.get<{ Data: { Identifier: number }[] }>('/ref/v1/instruments', query)
  return Data[0]?.Identifier
}

/** Optional data is omitted on API errors, except that the session has ended. */
const optional = undefinedIf(({ status }) => status !== 401)

type Revision = Readonly<Record<'Revision' | 'Exchanges' | 'Instruments' | 'OptionRoots' | 'OptionContracts', number>>
type Health = Readonly<{ Status: 'Ready' | 'NotReady' | 'Closing'; Database: 'Up' | 'Away' }>
type DayToken = Readonly<{ AccessToken: string; ExpiresIn: number; ExpiresAt: string }>

export type HomeProps = Pick<ConsoleDependencies, 'environment' | 'publicUrl' | 'baseUrl' | 'demo'> &
  Readonly<{
    health: Health
    now: Temporal.Instant
    travel?: Travel | undefined
    formToken?: Html | undefined
    revision?: Revision | undefined
    chain: ChainId
    /** A token that was just issued; it is shown once. */
    token?: (DayToken & { zone: string }) | undefined
    signOutNotice?: string | undefined
  }>

const signOutNotices = new Map([
  ['everywhere', 'You are signed out of every app, browser and script.'],
  ['revoked', 'You revoked access for this console and are signed out. It will ask for consent again.'],
  [
    'restored',
    'The snapshot was restored. You are signed out, because your session began or was renewed after it was saved.',
  ],
])

export function homeBody(props: HomeProps): Html {
  const { environment, demo, formToken, signOutNotice } = props
  return html`${signOutNotice && notice('good', signOutNotice)}
<p class="lead">OAuth 2.0 sign-in, instrument reference data, corporate actions and app management in one self-hosted service. ${environment === 'sim' && 'This is the simulation environment: no real money is involved.'}</p>
${!formToken && signInCard(demo)}
<section class="flow"><h2>Get started</h2>
<ul class="tiles">${tiles(props)}</ul></section>
<div class="cards home">${tokenCard(props)}${baseUrls(props)}</div>
${callsCard(props)}
<div class="cards home">${statusCard(props)}${demo && demoCard(demo)}</div>`
}

function signInCard(demo: DemoInfo | undefined): Html {
  const users = demo?.users.map((user) => html` <code class="chip">${user}</code>`)
  return html`<section class="card welcome"><div><h2>Sign in to explore</h2>
${
  demo
    ? html`<p>Demo users:${users}. The password of each is <code class="chip">${demo.password}</code>. Start with <strong>ada</strong>, who has the most holdings.</p>`
    : html`<p>Use the account you were given. You see the same data as your apps: the console has no rights of its own.</p>`
}</div>
<a class="button" href="/console/login?next=%2F">Sign in</a></section>`
}

function tiles({ chain }: HomeProps): Html[] {
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

/** In the simulation a token is one click away; in live only apps get tokens. */
function tokenCard({ environment, formToken, token }: HomeProps): Html {
  if (environment !== 'sim')
    return html`<section class="card" id="token"><h2>Get an access token</h2>
<p>Redirect users to <code>/authorize</code> with your app key and exchange the code at <code>/token</code>; any OAuth 2.0 client library does both. <a href="/console/apps/new">Create an app</a> to get a key.</p></section>`
  if (token)
    return html`<section class="card" id="token"><h2>Your access token ${tag(`valid for ${Math.round(token.ExpiresIn / 3600)} hours`, 'good')}</h2>
<p>It is shown only once. Paste this line into a shell; the calls below use it.</p>
${codeBlock(`export TOKEN=${token.AccessToken}`, 'the line with the token')}
<p class="small quiet">Valid until ${dayAndTime(token.ExpiresAt, token.zone)} (${token.zone}), unless you sign out of the console before.</p></section>`
  return html`<section class="card" id="token"><h2>Get an access token</h2>
<p>Valid for 24 hours and accepted by every operation. Use it for testing; apps get their own tokens through sign-in.</p>
${
  formToken
    ? postButton('/console/token', formToken, 'Get a 24-hour token')
    : html`<p><a class="button" href="/console/login?next=${encodeURIComponent('/#token')}">Sign in to get a token</a></p>`
}</section>`
}

/** All languages are on the page: a link to another page would lose the token. */
function callsCard({ baseUrl, chain }: HomeProps): Html {
  const samples = languages.map(
    ({ id, name }) =>
      html`<details name="language" class="${id}"${id === 'curl' && html` open`}><summary>${name}</summary>
${codeSamples(id, baseUrl, chain).map(({ title, code }) => html`<h3>${title}</h3>${codeBlock(code, title)}`)}</details>`,
  )
  return html`<section class="card" id="calls"><h2>Make your first calls</h2>
<div class="languages">${samples}</div>
<p class="small quiet">Calls that need a token read it from <code>TOKEN</code>.</p></section>`
}

function baseUrls({ publicUrl, baseUrl }: HomeProps): Html {
  return html`<section class="card"><h2>Base URLs</h2>${facts([
    ['Sign-in', copyable(publicUrl, 'the sign-in URL')],
    ['API', copyable(baseUrl, 'the API base URL')],
  ])}
<p class="small"><a href="/openapi.json">OpenAPI document</a> · <a href="/.well-known/oauth-authorization-server">OAuth server metadata</a></p></section>`
}

const statusNames = { Ready: 'Ready', NotReady: 'Not ready', Closing: 'Shutting down' } as const

function statusCard({ environment, health, revision, now, travel, formToken }: HomeProps): Html {
  const counts: readonly (readonly [string, HtmlValue])[] = revision
    ? [
        ['Data revision', figure(revision.Revision)],
        ['Instruments', figure(revision.Instruments)],
        ['Option contracts', `${figure(revision.OptionContracts)} in ${figure(revision.OptionRoots)} chains`],
        ['Exchanges', figure(revision.Exchanges)],
      ]
    : [['Data', formToken ? 'currently unavailable' : 'sign in to see the counts']]
  const clockTag = travel && tag(travel.frozen ? 'frozen' : 'time travel', 'warn')
  return html`<section class="card"><h2>Status</h2>${facts([
    ['Environment', environment],
    ['Service', tag(statusNames[health.Status], health.Status === 'Ready' ? 'good' : 'warn')],
    ['Database', health.Database === 'Up' ? tag('Up', 'good') : tag('Unavailable', 'bad')],
    ['Service time', html`${dayAndTime(now, 'UTC')} UTC ${clockTag}`],
    ...counts,
  ])}
<p class="small"><a href="/health/ready">Health check (JSON)</a></p></section>`
}

function demoCard({ appKey, redirectUri }: DemoInfo): Html {
  const request = { response_type: 'code', client_id: appKey, redirect_uri: redirectUri, state: 'hello' }
  return html`<section class="card"><h2>Demo app</h2>${facts([
    ['App key', copyable(appKey, 'the app key')],
    ['Redirect URI', html`<code>${redirectUri}</code>`],
  ])}
<p class="small quiet">For trying client libraries. Sign in as ada to see its secret under <a href="/console/apps">Apps</a>. Its
<a href="/authorize?${new URLSearchParams(request).toString()}">sign-in page</a> redirects to <code>${new URL(redirectUri).host}</code>, where your program should listen.</p></section>`
}
