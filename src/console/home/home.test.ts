import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html/html.ts'
import { type HomeProps, homeBody } from './home.ts'

const props: HomeProps = {
  environment: 'sim',
  publicUrl: 'http://localhost:4700',
  baseUrl: 'http://localhost:4700/sim/openapi',
  demo: {
    appKey: '0123456789abcdef0123456789abcdef',
    secret: 'a-secret',
    redirectUri: 'http://localhost:5000/callback',
    users: ['ada', 'bo'],
    password: 'a-password',
  },
  health: { Status: 'Ready', Database: 'Up' },
  now: Temporal.Instant.from('2026-11-16T12:00:00Z'),
  chain: 1,
}
const markup = (more: Partial<HomeProps> = {}) => String(homeBody({ ...props, ...more }))
const signedIn = { formToken: html`<input type="hidden" name="form_token" value="t">` }

test('shows demo users to visitors, and returns to the token after the sign-in', () => {
  const page = markup()
  for (const part of ['<code class="chip">ada</code>', '<code class="chip">bo</code>', 'a-password', props.publicUrl])
    assert.ok(page.includes(part), part)
  assert.match(page, /href="\/console\/login\?next=%2F%23token"/)
  assert.doesNotMatch(page, /<form/)
  assert.match(markup(signedIn), /<form method="post" action="\/console\/token">/)
  assert.doesNotMatch(markup(signedIn), /a-password|\/console\/login/)
})

test('live without demo data mentions neither demo nor simulation', () => {
  const live: Partial<HomeProps> = {
    environment: 'live',
    baseUrl: 'https://desk.example/openapi',
    demo: undefined,
    chain: undefined,
  }
  for (const page of [markup(live), markup({ ...live, ...signedIn })])
    assert.doesNotMatch(page, /demo|simulation|24-hour|href="\/authorize|contractoptionspaces|\/console\/token|chain"/)
})

test('reports an unavailable database, a service that shuts down and missing data', () => {
  assert.match(markup(), /sign in to see the counts/)
  const bad = markup({ ...signedIn, health: { Status: 'NotReady', Database: 'Away' } })
  for (const words of ['Not ready', 'Unavailable', 'currently unavailable']) assert.ok(bad.includes(words), words)
  assert.match(markup({ travel: { frozen: true, offsetSeconds: 0 } }), />frozen</)
  assert.match(markup({ health: { Status: 'Closing', Database: 'Up' } }), /Shutting down/)
})
