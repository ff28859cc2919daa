import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../../apps/api/schema.ts'
import { html } from '../../../http/html/html.ts'
import { ApiRefusal } from '../../shared/api.ts'
import { type Against, againstIn } from './form-errors.ts'
import { matchingApps } from './list.ts'
import * as model from './model.ts'
import { askedTimes, entryOf, madeSecret, rotationSentences } from './secret-forms.ts'
import { secretSection } from './secrets.ts'
import { signInAddress, tokenCall, tryCard } from './try-it.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const secret = (SecretId: number, fromDays: number, untilDays: number): model.SecretUse => ({
  SecretId,
  nth: SecretId - 1,
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
  assert.deepEqual([plan.shortened, plan.left], [[valid, coming], [planned]])
  assert.equal(String(plan.overlapEnd), '2026-11-23T12:00:00Z')
  assert.equal(String(plan.validUntil), '2027-11-16T12:00:00Z')
  assert.deepEqual(rotationSentences(plan, [valid], 'Europe/Copenhagen'), [
    'Secret 2 works until 23 Nov 2026, 13:00: change your app by then.',
    'Secret 4 was planned for later and is left as it is.',
    'Secret 3 could not be changed. Set when it ends yourself.',
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
  const { against } = askedTimes({ ...shown, from: 'soon' }, before) as { against: Against }
  assert.deepEqual(Object.keys(against.fields), ['ValidFrom'])
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
  const made = { secret: 'fedcba98', validUntil: valid.ValidUntil, zone: 'UTC', sentences: [] }
  assert.match(String(madeSecret({ ...made, mode: 'once' })), /It is not shown in full again\./)
  assert.match(String(madeSecret({ ...made, mode: 'listed' })), /You can see it again on the app’s page\./)
})

test('what the API says against a field stands at the field, and the rest above the form', () => {
  const refused = (body: object) => againstIn(new ApiRefusal(400, JSON.stringify(body)), ['Name'])
  assert.deepEqual(refused({ Message: 'No.', ModelState: { Name: ['Is long.'], Flow: ['Is odd.', 'Is old.'] } }), {
    fields: { Name: ['Is long.'] },
    others: ['Flow: Is odd.', 'Flow: Is old.'],
  })
  assert.deepEqual(refused({ Message: 'There are 100 apps.' }), { fields: {}, others: ['There are 100 apps.'] })
})

test('a first sign-in is ready made by the flow, and nothing in an address can act on a shell', () => {
  const uri = "https://a.example/'$(id)`!"
  const asked = (Flow: App['Flow']) => Object.fromEntries(new URL(signInAddress({ ...app, Flow }, uri)).searchParams)
  assert.deepEqual(asked('Code'), { response_type: 'code', client_id: 'k1', redirect_uri: uri, state: 'hello' })
  assert.equal(asked('Implicit').response_type, 'token')
  assert.match(tokenCall(app, uri), /-d "redirect_uri=[\w%.*-]+"$/)
  const RedirectUris = [{ RedirectUriId: 1, Uri: uri, Branding: { Id: 1, Name: '', Description: '' } }]
  const card = (more: Partial<App>) => String(tryCard({ ...app, RedirectUris, ...more }) ?? '')
  assert.match(card({}), /after <code>code=<.*curl/s)
  assert.match(card({ Flow: 'Implicit' }), /after <code>#access_token=</)
  assert.doesNotMatch(card({ Flow: 'Implicit' }), /curl/)
  assert.match(card({ Flow: 'PKCE' }), /library/)
  assert.equal(card({ IsActive: false }) + card({ RedirectUris: [] }), '')
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
