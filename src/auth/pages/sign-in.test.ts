import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SignInProps, signInPage } from './sign-in.ts'

const props: SignInProps = {
  environment: 'sim',
  lang: 'en',
  appName: 'Pocket Charts',
  mayWrite: false,
  destination: 'localhost:5000',
  action: '/login?client_id=a&state=b',
  formToken: 'token-1',
  cancelable: true,
}
const made = (more: Partial<SignInProps> = {}) => String(signInPage({ ...props, ...more }))
/** The opening tag of the field with this id. */
const field = (page: string, id: string) => new RegExp(`<input id="${id}"[^>]*>`).exec(page)?.[0] ?? ''

test('the page names the app, what it may do and where it goes back to, before the button that allows it', () => {
  const page = made()
  const inOrder = ['<h1>Sign in to continue to', 'Read only', '<code>localhost:5000</code>', 'value="allow"']
  const places = inOrder.map((part) => page.indexOf(part))
  assert.ok(places.every((place) => place > 0))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  assert.match(made({ mayWrite: true }), /Read and change/)
  assert.doesNotMatch(made({ mayWrite: true }), /Read only/)
})

test('Enter allows, because allow is the first button; cancel works with empty fields', () => {
  const buttons = [...made().matchAll(/<button[^>]*>/g)].map(String)
  assert.equal(buttons.length, 2)
  assert.match(String(buttons[0]), /value="allow"/)
  assert.match(String(buttons[1]), /value="cancel" formnovalidate/)
  assert.doesNotMatch(made({ cancelable: false }), /value="cancel"/)
})

test('the first empty field has the focus', () => {
  assert.match(field(made(), 'user'), / autofocus/)
  assert.doesNotMatch(field(made(), 'password'), / autofocus/)
  assert.match(field(made({ userName: 'ada' }), 'password'), / autofocus/)
  assert.doesNotMatch(field(made({ userName: 'ada' }), 'user'), / autofocus/)
})

test('too many attempts cannot be told from a wrong password', () => {
  const wrong = made({ userName: 'ada', problem: 'wrong' })
  assert.equal(made({ userName: 'ada', problem: 'tooMany', retryAfterSeconds: 240 }), wrong)
  assert.match(wrong, /role="alert">The user or the password is not right\./)
})

test('a problem is tied to the fields and stands in the title; only wrong entries mark them invalid', () => {
  for (const problem of ['wrong', 'stale', 'busy'] as const) {
    const page = made({ problem })
    assert.match(page, /<title>Error: /)
    assert.match(page, /id="problem" role="alert"/)
    assert.match(field(page, 'user'), / aria-describedby="problem"/)
    assert.equal(field(page, 'user').includes('aria-invalid'), problem === 'wrong')
  }
  assert.doesNotMatch(made(), /role="alert"|aria-describedby|<title>Error/)
})

test('a busy service says when to try again', () => {
  assert.match(made({ problem: 'busy', retryAfterSeconds: 7 }), /in 7 seconds\./)
  assert.match(made({ problem: 'busy', retryAfterSeconds: 1 }), /in a second\./)
})

test('who is signed in allows without a password, or switches to another user', () => {
  const page = made({ signedInAs: 'ada' })
  assert.doesNotMatch(page, /type="password"|name="user"/)
  assert.match(page, /Continue as <bdi>ada<\/bdi>/)
  assert.match(page, /name="decision" value="switch"/)
  assert.match(page, /name="form_token" value="token-1"/)
})

test('names, addresses and tokens are text, whatever is in them; nothing is scripted or styled inline', () => {
  const hostile = '"><script>alert(1)</script>'
  const values = { appName: hostile, userName: hostile, destination: hostile, action: hostile, formToken: hostile }
  for (const page of [made(values), made({ ...values, signedInAs: hostile })])
    assert.doesNotMatch(page, /<script|<style| style=| on\w+=/)
})

test('a name cannot turn the words around it: it is isolated', () => {
  assert.match(made({ appName: '\u202Eevil' }), /<h1>Sign in to continue to <bdi>\u202Eevil<\/bdi><\/h1>/)
})

test('demo users are told where there are any, in every language, to who has to type one', () => {
  const demo = { users: ['ada', 'bo', 'cy'], password: 'a-password' }
  const said = (more: Partial<SignInProps>) => made({ demo, ...more }).replaceAll(/<\/?code>/g, '')
  assert.match(said({}), /Demo: ada, bo or cy, password a-password</)
  assert.match(said({ lang: 'de' }), /Demo: ada, bo oder cy, Passwort a-password</)
  assert.match(said({ lang: 'da' }), /Demo: ada, bo eller cy, adgangskode a-password</)
  for (const page of [made(), said({ signedInAs: 'ada' })]) assert.doesNotMatch(page, /Demo|a-password/)
})

test('the page speaks German and Danish', () => {
  assert.match(made({ lang: 'de' }), /<html lang="de"[\s\S]*Anmelden und weiter zu <bdi>Pocket Charts/)
  assert.match(made({ lang: 'da' }), /<html lang="da"[\s\S]*Log ind og fortsæt til <bdi>Pocket Charts/)
})
