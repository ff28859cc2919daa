import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html/html.ts'
import { type HomeProps, homeBody } from './page.ts'

const props: HomeProps = {
  environment: 'sim',
  publicUrl: 'http://localhost:4700',
  baseUrl: 'http://localhost:4700/sim/openapi',
  demo: {
    appKey: '0123456789abcdef0123456789abcdef',
    redirectUri: 'http://localhost:5000/callback',
    users: ['ada', 'bo'],
    password: 'a-password',
  },
  health: { Status: 'Ready', Database: 'Up' },
  now: Temporal.Instant.from('2026-11-16T12:00:00Z'),
  chain: 1,
}
const made = (more: Partial<HomeProps> = {}) => String(homeBody({ ...props, ...more }))
const signedIn = { formToken: html`<input type="hidden" name="form_token" value="t">` }

test('who is not signed in learns with what, and the way to a token leads through the sign-in and back to it', () => {
  const page = made()
  for (const part of ['<code class="chip">ada</code>', '<code class="chip">bo</code>', 'a-password', props.publicUrl])
    assert.ok(page.includes(part), part)
  assert.match(page, /href="\/console\/login\?next=%2F%23token"/)
  assert.doesNotMatch(page, /<form/)
  assert.match(made(signedIn), /<form method="post" action="\/console\/token">/)
  assert.doesNotMatch(made(signedIn), /a-password|\/console\/login/)
})

test('in live without demo data nothing of it is shown or promised', () => {
  const live: Partial<HomeProps> = {
    environment: 'live',
    baseUrl: 'https://desk.example/openapi',
    demo: undefined,
    chain: undefined,
  }
  for (const page of [made(live), made({ ...live, ...signedIn })])
    assert.doesNotMatch(page, /demo|simulation|24-hour|href="\/authorize|contractoptionspaces|\/console\/token|chain"/)
})

test('what is wrong is said in words: a database that is away, a node that closes, data that cannot be read', () => {
  assert.match(made(), /is counted when you have signed in/)
  const bad = made({ ...signedIn, health: { Status: 'NotReady', Database: 'Away' } })
  for (const words of ['Not ready', 'Away', 'cannot be read right now']) assert.ok(bad.includes(words), words)
  assert.match(made({ travel: { frozen: true, offsetSeconds: 0 } }), /stands still/)
  assert.match(made({ health: { Status: 'Closing', Database: 'Up' } }), /Closing down/)
})
