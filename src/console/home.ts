import type { Environment } from '../core/environment.ts'
import { type Html, html, raw } from '../http/html.ts'
import { masthead, page } from '../http/layout.ts'

export type HomeLink = { href: string; title: string; text: string }

export const homeLinks: readonly HomeLink[] = [
  {
    href: '/.well-known/oauth-authorization-server',
    title: 'Sign-in metadata',
    text: 'What OAuth client libraries read to set themselves up (RFC 8414).',
  },
  { href: '/openapi.json', title: 'API document', text: 'The operations that are there, as OpenAPI 3.1.' },
  {
    href: '/health/ready',
    title: 'Health',
    text: 'Whether this node can answer right now, and what is missing if not.',
  },
]

export type HomeProps = {
  environment: Environment
  /** The origin, which is also where OAuth lives. */
  publicUrl: string
  /** Absolute, or a path below publicUrl. */
  baseUrl: string
  demo?: { appKey: string; redirectUri: string; users: string[]; password: string } | undefined
  /** The call that is shown with a token, a path below baseUrl. */
  firstCall?: string
  links?: readonly HomeLink[]
}

/** The page at `/`: what runs here, where it is, and how the first minute with it goes. */
export function homePage(props: HomeProps): Html {
  const { environment, demo, links = homeLinks } = props
  return page({
    environment,
    title: 'Welcome',
    body: html`<div class="home">
${masthead(environment)}
<main>
<div class="hero">
<h1>The reference desk behind trading apps</h1>
<p class="lead">Sign-in by OAuth 2.0, instrument reference data, corporate actions and the management of apps, in a service of your own. ${environment === 'sim' && 'This is the simulation: nothing here is real money.'}</p>
</div>
<div class="grid">
${firstCalls(props)}
<div class="column">
${addresses(props)}
${demo && demoCard(demo)}
</div>
</div>
<h2 class="section">Read on</h2>
<ul class="tiles">
${links.map(({ href, title, text }) => html`<li class="card"><a href="${href}">${title}</a><p class="small quiet">${text}</p></li>`)}
</ul>
</main>
</div>`,
  })
}

const absolute = ({ publicUrl, baseUrl }: HomeProps): string => new URL(baseUrl, publicUrl).href

function addresses(props: HomeProps): Html {
  return html`<section class="card">
<h2>Two addresses</h2>
<dl class="facts">
<dt>Sign-in</dt><dd><code>${props.publicUrl}</code></dd>
<dt>API</dt><dd><code>${absolute(props)}</code></dd>
</dl>
</section>`
}

function demoCard(demo: NonNullable<HomeProps['demo']>): Html {
  return html`<section class="card">
<h2>The demo app</h2>
<dl class="facts">
<dt>App key</dt><dd><code>${demo.appKey}</code></dd>
<dt>Returns to</dt><dd><code>${demo.redirectUri}</code></dd>
<dt>Users</dt><dd>${demo.users.map((user) => html`<code class="chip">${user}</code> `)}</dd>
<dt>Password</dt><dd><code>${demo.password}</code> <span class="quiet">for each of them</span></dd>
</dl>
<p class="small quiet">Its secret is in the start message. Signing in ends at <code>${new URL(demo.redirectUri).host}</code>, where your app would listen.</p>
<p><a class="button" href="${authorizeUrl(demo)}">Open its sign-in page</a></p>
</section>`
}

function firstCalls(props: HomeProps): Html {
  const base = absolute(props)
  return html`<section class="card">
<h2>Your first minute</h2>
<ol class="steps">
<li><h3>Is it there?</h3>
<pre><code>curl ${breakable(`${base}/ref/isalive`)}</code></pre></li>
<li><h3>Take a token</h3>
${props.demo ? demoToken : ownToken}</li>
<li><h3>Ask something</h3>
<pre><code>curl -H "Authorization: Bearer $TOKEN" \\
"${breakable(`${base}${props.firstCall ?? '/ref/v1/instruments/?Keywords=apple'}`)}"</code></pre></li>
<li><h3>See what happens to what you hold</h3>
<pre><code>curl -H "Authorization: Bearer $TOKEN" \\
"${breakable(`${base}/ca/v2/events`)}"</code></pre></li>
</ol>
</section>`
}

/** An address that does not fit its line breaks behind a slash, not within a word; what is copied stays whole. */
function breakable(address: string): Html {
  return html`${address.split(/(?<=[^:/]\/)/).map((part, index) => html`${index > 0 && raw('<wbr>')}${part}`)}`
}

const demoToken = html`<p class="quiet">The start message prints one that is good for 24 hours. This makes another:</p>
<pre><code>TOKEN=$(npx refdesk token)</code></pre>`

const ownToken = html`<p class="quiet">Send people to <code>/authorize</code> with your app key, and exchange the code at
<code>/token</code>. Any OAuth 2.0 client library does both.</p>`

function authorizeUrl({ appKey, redirectUri }: NonNullable<HomeProps['demo']>): string {
  const request = { response_type: 'code', client_id: appKey, redirect_uri: redirectUri, state: 'hello' }
  return `/authorize?${new URLSearchParams(request)}`
}
