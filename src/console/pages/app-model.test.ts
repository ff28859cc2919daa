import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../apps/schema.ts'
import { html } from '../../http/html.ts'
import { matchingApps } from './app-list.ts'
import * as model from './app-model.ts'
import { askedTimes, entryOf, rotationSentences } from './app-secret-forms.ts'
import { secretSection } from './app-secrets.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const secret = (SecretId: number, fromDays: number, untilDays: number): model.SecretUse => ({
  SecretId,
  ValidFrom: now.add({ hours: fromDays * 24 }).toString(),
  ValidUntil: now.add({ hours: untilDays * 24 }).toString(),
})
const [ended, ending, valid, coming, planned] = [
  secret(1, -30, 0),
  secret(2, -30, 5),
  secret(3, 0, 300),
  secret(4, 3, 400),
  secret(5, 30, 400),
]

const app: App = {
  AppKey: 'k1',
  Name: 'Pocket Charts',
  Description: 'Draws',
  Flow: 'Code',
  IsActive: true,
  IsTradingEnabled: true,
  Status: 'OK',
  Endpoints: { AuthorizationEndpoint: 'https://desk.example/authorize', TokenEndpoint: 'https://desk.example/token' },
  Branding: [],
  RedirectUris: [],
}

test('a secret is valid from its first instant on, and at its last no more; the list tells when all end soon', () => {
  const states = [ended, ending, valid, coming].map((one) => model.stateOf(one, now))
  assert.deepEqual(states, ['ended', 'valid', 'valid', 'coming'])
  assert.equal(model.bestSecret([ended, ending, valid, coming], now), valid)
  assert.equal(model.bestSecret([ended, coming], now), undefined)
  const brief = (...secrets: model.SecretUse[]) => model.secretsInBrief('Code', secrets, now)
  assert.deepEqual(brief(ended, coming), { word: 'none valid', tone: 'bad' })
  assert.deepEqual(brief(ending), { word: '1 valid, ending soon', tone: 'warn' })
  assert.deepEqual(brief(ending, valid), { word: '2 valid', tone: 'good' })
  assert.deepEqual(model.secretsInBrief('PKCE', [], now), { word: 'needs none' })
})

test('a rotation ends what is in use after the overlap, and leaves what ends sooner or was planned for later', () => {
  const plan = model.planRotation([ended, ending, valid, coming, planned], now)
  assert.deepEqual([plan.shortened, plan.left], [[3, 4], [5]])
  assert.equal(String(plan.overlapEnd), '2026-11-23T12:00:00Z')
  assert.equal(String(plan.validUntil), '2027-11-16T12:00:00Z')
  assert.deepEqual(rotationSentences(plan, [3], 'Europe/Copenhagen'), [
    'Secret 3 works until 23 Nov 2026, 13:00: change your app by then.',
    'Secret 5 was planned for later and is left as it is.',
    'Secret 4 could not be changed. Set when it ends yourself.',
  ])
})

test('a form asks only for the times that were changed, as it shows no seconds', () => {
  const before = { ...valid, ValidFrom: '2026-11-16T12:00:59Z' }
  const shown = entryOf(before, 'America/New_York')
  assert.equal(shown.from, '2026-11-16T07:00')
  assert.deepEqual(askedTimes(shown, before), {})
  const until = { ...shown, until: '2026-12-01T00:00' }
  assert.deepEqual(askedTimes(until, before), { ValidUntil: '2026-12-01T05:00:00Z' })
  assert.deepEqual(Object.keys(askedTimes(shown)), ['ValidFrom', 'ValidUntil'])
  assert.deepEqual(Object.keys(askedTimes({ ...shown, from: 'soon' }, before)), ['against'])
})

test('the app object has the names that client libraries read, and the secret only where it is shown', () => {
  const object = JSON.parse(model.appObject(app, 'https://desk.example/openapi', 'abc'))
  assert.deepEqual(object, {
    AppName: 'Pocket Charts',
    AppKey: 'k1',
    AuthorizationEndpoint: 'https://desk.example/authorize',
    TokenEndpoint: 'https://desk.example/token',
    GrantType: 'Code',
    OpenApiBaseUrl: 'https://desk.example/openapi/',
    RedirectUrls: [],
    AppSecret: 'abc',
  })
  assert.doesNotMatch(model.appObject(app, '', undefined), /AppSecret/)
})

test('a secret that the service tells only once is shown by its ends, and said to be', () => {
  const props = { app, secrets: [valid], tag: '', now, zone: 'UTC', formToken: html`` }
  const shown = (value: string) => String(secretSection({ ...props, revealed: { id: 3, value } }))
  assert.match(shown('abcd…wxyz'), /abcd…wxyz<\/span> <span[^>]*>shown in full only when it was made/)
  assert.doesNotMatch(shown('fedcba98'), /only when it was made/)
})

test('status in words, and a search that needs every word', () => {
  const word = (more: Partial<App>) => model.statusOf({ ...app, ...more }).word
  assert.deepEqual(
    [word({}), word({ IsActive: false }), word({ Status: 'Pending' })],
    ['Active', 'Inactive', 'Pending'],
  )
  assert.deepEqual(matchingApps([app], ' CHARTS draws'), [app])
  assert.deepEqual(matchingApps([app], 'charts k2'), [])
})
