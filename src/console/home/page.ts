import type { Environment } from '../../core/environment.ts'
import { type Html, type HtmlValue, html } from '../../http/html/html.ts'
import type { DemoFacts, Travel } from '../shared/dependencies.ts'
import { codeBlock, copyable, facts, notice, tag } from '../shared/elements.ts'
import { dayAndTime, figure } from '../shared/format.ts'
import { type ChainId, firstCalls, languages } from './code-samples.ts'

/** GET {base_url}/x/v1/revision */
export type Revision = Readonly<{
  Revision: number
  Exchanges: number
  Instruments: number
  OptionRoots: number
  OptionContracts: number
}>
/** GET /health/ready */
export type Health = Readonly<{ Status: 'Ready' | 'NotReady' | 'Closing'; Database: 'Up' | 'Away' }>
/** POST {base_url}/x/v1/daytoken */
export type DayToken = Readonly<{ AccessToken: string; ExpiresIn: number; ExpiresAt: string }>

export type HomeProps = Readonly<{
  environment: Environment
  /** The origin, which is also where OAuth lives. */
  publicUrl: string
  baseUrl: string
  demo?: DemoFacts | undefined
  health: Health
  now: Temporal.Instant
  travel?: Travel | undefined
  /** The hidden field of our forms, for who is signed in; without it nobody is. */
  formToken?: Html | undefined
  revision?: Revision | undefined
  chain: ChainId
  /** Just made, and shown this once; its end is told in the reader's zone. */
  token?: (DayToken & { zone: string }) | undefined
  /** How the session ended that was here just now. */
  farewell?: Farewell | undefined
}>

const farewells = {
  everywhere: 'You are signed out everywhere: in every app, every browser and every script.',
  forbidden: 'You have forbidden this console, and are signed out of it. It will ask you again.',
} as const
export type Farewell = keyof typeof farewells

export const farewellOf = (word: string | undefined): Farewell | undefined =>
  word === 'everywhere' || word === 'forbidden' ? word : undefined

export const heading = html`<span class="hero">The reference desk behind trading apps</span>`

/** The start page: what runs here, where it is, and how the first two minutes with it go. */
export function homeBody(props: HomeProps): Html {
  const { environment, demo, formToken, farewell } = props
  return html`${farewell && notice('good', farewells[farewell])}
<p class="lead">Sign-in by OAuth 2.0, instrument reference data, corporate actions and the management of apps, in a service of your own. ${environment === 'sim' && 'This is the simulation: nothing here is real money.'}</p>
${!formToken && signInCard(demo)}
<section class="flow"><h2>Begin here</h2>
<ul class="tiles">${tiles(props)}</ul></section>
<div class="cards home">${tokenCard(props)}${addresses(props)}</div>
${callsCard(props)}
<div class="cards home">${state(props)}${demo && demoCard(demo)}</div>`
}

function signInCard(demo: DemoFacts | undefined): Html {
  const users = demo?.users.map((user) => html` <code class="chip">${user}</code>`)
  return html`<section class="card welcome"><div><h2>Sign in to look around</h2>
${
  demo
    ? html`<p>The demo users are${users}; the password of each is <code class="chip">${demo.password}</code>. Begin with <strong>ada</strong>: she holds the most.</p>`
    : html`<p>With the user that you were given. What you then see is what your apps see too: the console has no rights of its own.</p>`
}</div>
<a class="button" href="/console/login?next=%2F">Sign in</a></section>`
}

function tiles({ chain }: HomeProps): Html[] {
  const tile = (href: string, name: string, text: HtmlValue) =>
    html`<li class="card"><a href="${href}">${name}</a><p class="small quiet">${text}</p></li>`
  return [
    chain !== undefined
      ? tile(`/console/options/${chain}`, "Apple's option chain", 'Calls and puts at the next monthly expiry.')
      : tile(
          '/console/instruments',
          'Find an instrument',
          'Search as you type; details, option chains, trading hours.',
        ),
    tile('/console/events', 'What needs an answer', 'The next deadline, and all corporate actions of what you hold.'),
    tile('/console/apps/new', 'Make an app', 'A key and a secret for your own program, in one step.'),
    tile('/console/api', 'Read the API', 'Every operation, and a button that tries it.'),
  ]
}

/** In the sim a token is one click away; in live it comes from an app's sign-in alone. */
function tokenCard({ environment, formToken, token }: HomeProps): Html {
  if (environment !== 'sim')
    return html`<section class="card" id="token"><h2>Take a token</h2>
<p>Send people to <code>/authorize</code> with the key of your app, and exchange the code at <code>/token</code>; any OAuth 2.0 client library does both. <a href="/console/apps/new">Make an app</a> to have a key.</p></section>`
  if (token)
    return html`<section class="card" id="token"><h2>Your token ${tag(`lives ${Math.round(token.ExpiresIn / 3600)} hours`, 'good')}</h2>
<p>This is shown once. Paste it into a shell; the calls below use it.</p>
${codeBlock(`export TOKEN=${token.AccessToken}`, 'the line with the token')}
<p class="small quiet">Until ${dayAndTime(token.ExpiresAt, token.zone)} (${token.zone}), unless you sign it out under <a href="/console/sessions">Sessions</a>.</p></section>`
  return html`<section class="card" id="token"><h2>Take a token</h2>
<p>It is yours, lives 24 hours and works in every call. For trying things out; an app takes its own by a sign-in.</p>
${
  formToken
    ? html`<p class="small quiet">You are signed in: press the button, and it is shown here.</p>
<form method="post" action="/console/token">${formToken}<button class="button">Get a 24-hour token</button></form>`
    : html`<p class="small quiet">Sign in first; then one press shows it here.</p>
<p><a class="button" href="/console/login?next=${encodeURIComponent('/#token')}">Sign in for a token</a></p>`
}</section>`
}

/** All languages are on the page and one is open: a link to another would lose a token that is shown once. */
function callsCard({ baseUrl, chain }: HomeProps): Html {
  const open = html` open`
  const all = languages.map(({ id, name }) => {
    const calls = firstCalls(id, baseUrl, chain)
    return html`<details name="language" class="${id}"${id === 'curl' && open}><summary>${name}</summary>
${calls.map(({ title, code }) => html`<h3>${title}</h3>${codeBlock(code, title)}`)}</details>`
  })
  return html`<section class="card" id="calls"><h2>Make the first calls</h2>
<div class="languages">${all}</div>
<p class="small quiet">Wherever a token is needed, it is the one in <code>TOKEN</code>.</p></section>`
}

function addresses({ publicUrl, baseUrl }: HomeProps): Html {
  return html`<section class="card"><h2>Two addresses</h2>${facts([
    ['Sign-in', copyable(publicUrl, 'the address of the sign-in')],
    ['API', copyable(baseUrl, 'the address of the API')],
  ])}
<p class="small"><a href="/openapi.json">OpenAPI document</a> · <a href="/.well-known/oauth-authorization-server">Sign-in metadata</a></p></section>`
}

/** How the parts are, in words, and what is served. */
function state({ environment, health, revision, now, travel, formToken }: HomeProps): Html {
  const answers = health.Status === 'Ready' ? tag('Ready', 'good') : tag(statusWords[health.Status], 'warn')
  const counts: readonly (readonly [string, HtmlValue])[] = revision
    ? [
        ['Data revision', figure(revision.Revision)],
        ['Instruments', figure(revision.Instruments)],
        ['Option contracts', `${figure(revision.OptionContracts)} on ${figure(revision.OptionRoots)} roots`],
        ['Exchanges', figure(revision.Exchanges)],
      ]
    : [['Data', formToken ? 'cannot be read right now' : 'is counted when you have signed in']]
  return html`<section class="card"><h2>How it is</h2>${facts([
    ['Environment', environment],
    ['This node', answers],
    ['Database', health.Database === 'Up' ? tag('Up', 'good') : tag('Away', 'bad')],
    [
      'Time here',
      html`${dayAndTime(now, 'UTC')} UTC ${travel && tag(travel.frozen ? 'stands still' : 'travelled', 'warn')}`,
    ],
    ...counts,
  ])}
<p class="small"><a href="/health/ready">Health, for machines</a></p></section>`
}

const statusWords = { Ready: 'Ready', NotReady: 'Not ready', Closing: 'Closing down' } as const

function demoCard({ appKey, redirectUri }: DemoFacts): Html {
  const request = { response_type: 'code', client_id: appKey, redirect_uri: redirectUri, state: 'hello' }
  return html`<section class="card"><h2>The demo app</h2>${facts([
    ['App key', copyable(appKey, 'the app key')],
    ['Returns to', html`<code>${redirectUri}</code>`],
  ])}
<p class="small quiet">For client libraries. Ada finds its secret under <a href="/console/apps">Apps</a>. Its
<a href="/authorize?${new URLSearchParams(request).toString()}">sign-in page</a> ends at <code>${new URL(redirectUri).host}</code>, where your program would listen.</p></section>`
}
