import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../../apps/api/schema.ts'
import { html } from '../../../http/html/html.ts'
import { ApiError } from '../../shared/api.ts'
import { type FormErrors, formErrorsFrom } from '../../shared/fields.ts'
import { doneMessage, signInUrl, tokenCall, tryCard } from './app.ts'
import { matchingApps } from './list.ts'
import * as model from './model.ts'
import { newSecretCard, requestedTimes, rotationNotes, timesOf } from './secret-forms.ts'
import { lastUseCell, secretSection } from './secrets.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const secret = (SecretId: number, fromDays: number, untilDays: number): model.SecretUse => ({
  SecretId,
  LastFour: `abc${SecretId}`,
  ValidFrom: now.add({ hours: fromDays * 24 }).toString(),
  ValidUntil: now.add({ hours: untilDays * 24 }).toString(),
})
const [expired, ending, valid, upcoming, planned] = [
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
  ManualOrderIndicationDefault: 'Manual',
  ManualOrderIndicator: 'NotRequired',
  Status: 'OK',
  Endpoints: { AuthorizationEndpoint: 'https://desk.example/authorize', TokenEndpoint: 'https://desk.example/token' },
  Branding: [],
  RedirectUris: [],
}

test('ValidFrom is inclusive and ValidUntil exclusive; the list warns if all secrets expire soon', () => {
  const states = [expired, ending, valid, upcoming].map((one) => model.stateOf(one, now))
  assert.deepEqual(states, ['expired', 'valid', 'valid', 'upcoming'])
  assert.equal(model.longestSecret([expired, ending, valid, upcoming], now), valid)
  assert.equal(model.longestSecret([expired, upcoming], now), undefined)
  const brief = (...secrets: model.SecretUse[]) => model.secretSummary('Code', secrets, now)
  assert.deepEqual(brief(expired, upcoming), { word: 'none valid', tone: 'bad' })
  assert.deepEqual(brief(ending), { word: '1 valid, expiring soon', tone: 'warn' })
  assert.deepEqual(brief(ending, valid), { word: '2 valid', tone: 'good' })
  assert.deepEqual(model.secretSummary('PKCE', [], now), { word: 'not needed' })
})

test('a rotation shortens secrets in use to the overlap and keeps the others', () => {
  const plan = model.planRotation([expired, ending, valid, upcoming, planned], now)
  assert.deepEqual([plan.shortened, plan.unchanged], [[valid, upcoming], [planned]])
  assert.equal(String(plan.overlapEnd), '2026-11-23T12:00:00Z')
  assert.equal(String(plan.validUntil), '2027-11-16T12:00:00Z')
  assert.deepEqual(rotationNotes(plan, [valid], 'Europe/Copenhagen'), [
    'Secret 3 (…abc3) stays valid until 23 Nov 2026, 13:00. Update your app by then.',
    'Secret 5 (…abc5) starts later and was not changed.',
    'Secret 4 (…abc4) could not be changed. Set its expiry yourself.',
  ])
})

test('a secret keeps its name when another one is deleted', () => {
  const names = (secrets: readonly model.SecretUse[]) =>
    [...String(secretSection({ app, secrets, now, zone: 'UTC', fields: html`` })).matchAll(/app-id">([^<]*)/g)].map(
      ([, name]) => name,
    )
  assert.deepEqual(names([ending, valid]), ['2 (…abc2)', '3 (…abc3)'])
  assert.deepEqual(names([valid]), ['3 (…abc3)'])
  const { LastFour: _, ...imported } = valid
  assert.deepEqual(names([imported]), ['3'], 'its value is unknown')
})

test('a form sends only the times that were changed', () => {
  const before = { ...valid, ValidFrom: '2026-11-16T12:00:59Z' }
  const shown = timesOf(before, 'America/New_York')
  assert.equal(shown.from, '2026-11-16T07:00')
  assert.deepEqual(requestedTimes(shown, before), {})
  const until = { ...shown, until: '2026-12-01T00:00' }
  assert.deepEqual(requestedTimes(until, before), { ValidUntil: '2026-12-01T05:00:00Z' })
  assert.deepEqual(Object.keys(requestedTimes(shown)), ['ValidFrom', 'ValidUntil'])
  const { errors } = requestedTimes({ ...shown, from: 'soon' }, before) as { errors: FormErrors }
  assert.deepEqual(Object.keys(errors.fields), ['ValidFrom'])
})

test('the app object has the members that client libraries read', () => {
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

test('abbreviates a secret that is shown in full only once, and says so', () => {
  const props = { app, secrets: [valid], now, zone: 'UTC', fields: html`` }
  const shown = (value: string) => String(secretSection({ ...props, revealed: { id: 3, value } }))
  assert.match(shown('abcd…wxyz'), /abcd…wxyz<\/span> <span[^>]*>shown in full only when created/)
  assert.doesNotMatch(shown('fedcba98'), /only when created/)
  const created = { ...valid, Secret: 'fedcba98' }
  assert.match(String(newSecretCard(created, 'UTC', 'once')), /It is not shown in full again\./)
  assert.match(String(newSecretCard(created, 'UTC', 'listed')), /You can see it again on the app’s page\./)
})

test('shows API errors at their field, and the others above the form', () => {
  const errorsOf = (body: object) =>
    formErrorsFrom(ApiError.from({ statusCode: 400, headers: {}, body: JSON.stringify(body) }), ['Name'])
  assert.deepEqual(errorsOf({ Message: 'No.', ModelState: { Name: ['Too long.'], Flow: ['Unknown.', 'Outdated.'] } }), {
    fields: { Name: ['Too long.'] },
    others: ['Flow: Unknown.', 'Flow: Outdated.'],
  })
  assert.deepEqual(errorsOf({ Message: 'There are 100 apps.' }), { fields: {}, others: ['There are 100 apps.'] })
})

test('offers a first sign-in for each flow, with a shell-safe command', () => {
  const uri = "https://a.example/'$(id)`!"
  const query = (Flow: App['Flow']) => Object.fromEntries(new URL(signInUrl({ ...app, Flow }, uri)).searchParams)
  assert.deepEqual(query('Code'), { response_type: 'code', client_id: 'k1', redirect_uri: uri, state: 'hello' })
  assert.equal(query('Implicit').response_type, 'token')
  assert.match(tokenCall(app, uri), /-d "redirect_uri=[\w%.*-]+"$/)
  const RedirectUris = [{ RedirectUriId: 1, Uri: uri, Branding: { Id: 1, Name: '', Description: '' } }]
  const card = (more: Partial<App>) => String(tryCard({ ...app, RedirectUris, ...more }) ?? '')
  assert.match(card({}), /after <code>code=<.*curl/s)
  assert.match(card({ Flow: 'Implicit' }), /after <code>#access_token=</)
  assert.doesNotMatch(card({ Flow: 'Implicit' }), /curl/)
  assert.match(card({ Flow: 'PKCE' }), /library/)
  assert.equal(card({ IsActive: false }) + card({ RedirectUris: [] }), '')
})

test('names the secret that was changed, and no text of a forged link', () => {
  assert.equal(doneMessage('secretdeleted', '12-ab3f'), 'Secret 12 (…ab3f) deleted.')
  assert.equal(doneMessage('secretchanged', '12'), 'Secret 12 changed.')
  assert.equal(doneMessage('secretdeleted', '12-call 555'), 'Secret deleted.')
  assert.deepEqual([doneMessage('saved', '12'), doneMessage('other', undefined)], ['Saved.', undefined])
})

test('names the status, and searches for all words', () => {
  const word = (more: Partial<App>) => model.statusOf({ ...app, ...more }).word
  assert.deepEqual(
    [word({}), word({ IsActive: false }), word({ Status: 'Pending' })],
    ['Active', 'Inactive', 'Pending'],
  )
  assert.deepEqual(matchingApps([app], ' CHARTS draws'), [app])
  assert.deepEqual(matchingApps([app], 'charts k2'), [])
})

test('a secret is the last valid one if no other is valid now', () => {
  const others = [expired, upcoming]
  assert.equal(model.isLastValid(valid, [...others, valid], now), true)
  assert.equal(model.isLastValid(valid, [ending, valid], now), false)
  assert.equal(model.isLastValid(expired, [...others, valid], now), false)
})

test('the last use of a secret names the user and the address, as far as the log knows them', () => {
  const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
  const secret = { SecretId: 7, ValidFrom: '2026-01-01T00:00:00Z', ValidUntil: '2027-01-01T00:00:00Z' }
  const caller = { user: '<ada>', address: '192.0.2.7', href: '/console/requests/1' }
  const cell = (LastUsedAt: string | undefined, callers: Parameters<typeof lastUseCell>[1]) =>
    String(lastUseCell({ ...secret, ...(LastUsedAt && { LastUsedAt }) }, callers, now))
  assert.match(cell(undefined, undefined), />never</)
  assert.equal(cell('2026-11-16T11:56:00Z', new Map()), '4 minutes ago')
  const known = cell('2026-11-16T11:56:00Z', new Map([['7', caller]]))
  assert.match(known, /^4 minutes ago.*href="\/console\/requests\/1"><bdi>for &lt;ada&gt; from 192\.0\.2\.7</)
  assert.match(cell(undefined, new Map([['7', { ...caller, user: undefined }]])), /^just now.*>from 192/)
  assert.match(cell(undefined, new Map([['7', { href: '/x', user: undefined, address: undefined }]])), />request</)
})

test('inactive apps come after the active ones, which keep their order', () => {
  const [one, off, two] = [app, { ...app, AppKey: 'k2', IsActive: false }, { ...app, AppKey: 'k3' }]
  assert.deepEqual(model.activeFirst([off, one, two]), [one, two, off])
})
