import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html/html.ts'
import type { LoggedRequest } from '../requests/data.ts'
import { type OverviewProps, overview } from './overview.ts'
import { type PitchProps, pitch } from './pitch.ts'
import { quickStart, tokenCard } from './quick-start.ts'
import { trafficOf } from './traffic.ts'

const demo = {
  appKey: '0123456789abcdef0123456789abcdef',
  secret: 'a-secret',
  redirectUri: 'http://localhost:5000/callback',
  users: ['ada', 'bo'],
  password: 'a-password',
}
const visitor: PitchProps = {
  environment: 'sim',
  isReady: true,
  demo,
  formToken: html`<input type="hidden" name="form_token" value="t">`,
  done: undefined,
}
const user: OverviewProps = {
  health: { Status: 'Ready', Database: 'Up' },
  revision: undefined,
  chain: 1,
  next: { due: undefined, count: 0 },
  requests: undefined,
  secrets: { ending: [], apps: 1 },
  reader: { now: Temporal.Instant.from('2026-11-16T12:00:00Z'), zone: 'Asia/Tokyo' },
  travel: undefined,
  isSim: true,
}
const pitchOf = (more: Partial<PitchProps> = {}) => String(pitch({ ...visitor, ...more }))
const overviewOf = (more: Partial<OverviewProps> = {}) => String(overview({ ...user, ...more }))

test('a visitor has one button: a demo user, or the sign-in where one click would not work', () => {
  assert.equal(pitchOf().match(/class="button"/g)?.length, 1)
  assert.match(pitchOf(), /action="\/console\/switch".*value="ada">Continue as ada</s)
  assert.match(pitchOf({ formToken: undefined }), /class="button" href="\/console\/login\?next=%2F">Sign in</)
  assert.match(pitchOf({ done: 'everywhere' }), /You are signed out of every app/)
  assert.match(pitchOf({ isReady: false }), /The service is not ready/)
})

test('live mentions neither demo nor simulation', () => {
  const live = {
    environment: 'live',
    publicUrl: 'https://desk.example',
    baseUrl: 'https://desk.example/openapi',
  } as const
  const pages = [
    pitchOf({ environment: 'live', demo: undefined }),
    overviewOf({ isSim: false }),
    String(quickStart({ ...live, demo: undefined, chain: undefined, userName: 'ada' }, false)),
  ]
  for (const page of pages)
    assert.doesNotMatch(page, /demo|simulation|24-hour|console\/sim|contractoptionspaces|console\/token|chain"/i)
})

test('the overview says what is missing, in the zone of the reader', () => {
  assert.match(overviewOf(), /Ready.*Database up.*Data currently unavailable.*16 Nov 2026, 21:00.*Tokyo, real time/s)
  assert.match(overviewOf(), /No decision is pending/)
  assert.match(overviewOf({ next: undefined, secrets: undefined }), /Currently unavailable/)
  const bad = overviewOf({ health: { Status: 'NotReady', Database: 'Away' } })
  assert.match(bad, /Not ready.*Database unavailable/s)
  assert.match(overviewOf({ health: { Status: 'Closing', Database: 'Up' } }), /Shutting down/)
  assert.match(overviewOf({ travel: { frozen: true, offsetSeconds: 7_200 } }), /\+2 hours, frozen/)
  const ending = [{ appKey: 'k', name: '<Kite>', word: 'none valid', tone: 'bad' as const }]
  assert.match(overviewOf({ secrets: { ending, apps: 1 } }), /&lt;Kite&gt;.*none valid/s)
  assert.match(overviewOf({ secrets: { ending: [], apps: 0 } }), /You have no apps/)
})

test('a failed request is listed without its query', () => {
  const failed = {
    ...{ Id: 'r1', Time: '2026-11-16T11:59:00Z', RealTime: '2026-11-16T11:59:00Z', Method: 'POST', Status: 400 },
    Path: '/login?[redacted]=[redacted]',
  } as unknown as LoggedRequest
  const requests = { traffic: trafficOf([], user.reader.now, true), errors: [failed], isEmpty: false }
  const page = overviewOf({ requests })
  assert.match(page, />POST \/login</)
  assert.doesNotMatch(page, /redacted/)
})

test('a new token says whose it is', () => {
  const token = { AccessToken: 'a-token', ExpiresIn: 86_400, ExpiresAt: '2026-11-17T12:00:00Z' }
  assert.match(String(tokenCard(token, 'UTC', '<ada>')), /belongs to the console’s own app and to <bdi>&lt;ada&gt;</)
})

test('the quick start links to the secret of the demo app for its owner, and names the owner to others', () => {
  const start = (userName: string) =>
    String(quickStart({ environment: 'sim', publicUrl: '', baseUrl: '', demo, chain: 1, userName }, false))
  assert.match(start('ada'), new RegExp(`Its secret is <a href="/console/apps/${demo.appKey}">`))
  assert.match(start('bo'), /Its secret is shown to ada only/)
  assert.doesNotMatch(start('ada'), /Sign in as/)
})

test('only apps that need a secret are said to have one', () => {
  assert.match(overviewOf(), /No secret expires in the next two weeks/)
})
