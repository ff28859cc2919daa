import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissionsOf } from '../../core/rights/permissions.ts'
import { type SignInProps, signInPage } from './sign-in.ts'
import { texts } from './texts.ts'

const props: SignInProps = {
  environment: 'sim',
  lang: 'en',
  appName: 'Pocket Charts',
  permissions: permissionsOf({ mayWrite: false, environment: 'sim', isConsole: false }),
  simControls: 'operators',
  destination: 'localhost:5000',
  action: '/login?client_id=a&state=b',
  formToken: 'token-1',
}
const render = (more: Partial<SignInProps> = {}) => String(signInPage({ ...props, ...more }))
/** The opening tag of the field with this id. */
const field = (page: string, id: string) => new RegExp(`<input id="${id}"[^>]*>`).exec(page)?.[0] ?? ''

test('shows the app, its access and its return address before the button', () => {
  const page = render()
  const inOrder = ['<h1>Sign in to continue to', 'Read only', '<code>localhost:5000</code>', 'value="allow"']
  const positions = inOrder.map((part) => page.indexOf(part))
  assert.ok(positions.every((position) => position > 0))
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  )
})

test('lists every permission of the app and no other, in every language', () => {
  for (const lang of ['en', 'de', 'da'] as const)
    for (const mayWrite of [false, true])
      for (const environment of ['sim', 'live'] as const) {
        const granted = permissionsOf({ mayWrite, environment, isConsole: true })
        const page = render({ lang, environment, permissions: granted })
        for (const [name, phrase] of Object.entries(texts[lang].signIn.permissions))
          assert.equal(page.includes(phrase), granted.includes(name as Permission), phrase)
      }
})

test('says "Read and change" if any permission changes something, otherwise that nothing can be changed', () => {
  assert.match(render(), /Read only<[\s\S]*It cannot change anything\./)
  const page = render({ permissions: ['readEvents', 'elect'] })
  assert.match(page, /Read and change</)
  assert.match(page, /<li>read your positions and corporate actions<\/li><li>elect for you in/)
  assert.doesNotMatch(page, /Read only|cannot change/)
})

test('says which permissions only operators have', () => {
  const all = permissionsOf({ mayWrite: true, environment: 'sim', isConsole: false })
  const everyone = render({ permissions: all, simControls: 'everyone' })
  assert.match(everyone, /<li>for every user of this simulation: change the clock, load and unload scenarios, inject/)
  assert.match(everyone, /<li>if you are an operator: read the data of all clients, import data<\/li>/)
  const operators = render({ permissions: all, simControls: 'operators' })
  assert.match(operators, /<li>if you are an operator: change the clock, load [\s\S]*all clients, import data<\/li>/)
  assert.doesNotMatch(operators, /every user of this simulation/)
})

test('Enter allows, because that is the first button; cancel works with empty fields', () => {
  const buttons = [...render().matchAll(/<button[^>]*>/g)].map(String)
  assert.equal(buttons.length, 2)
  assert.match(String(buttons[0]), /value="allow"/)
  assert.match(String(buttons[1]), /value="cancel" formnovalidate/)
})

test('the first empty field has the focus', () => {
  assert.match(field(render(), 'user'), / autofocus/)
  assert.doesNotMatch(field(render(), 'password'), / autofocus/)
  assert.match(field(render({ userName: 'ada' }), 'password'), / autofocus/)
  assert.doesNotMatch(field(render({ userName: 'ada' }), 'user'), / autofocus/)
})

test('too many attempts look exactly like a wrong password', () => {
  const wrong = render({ userName: 'ada', problem: 'wrong' })
  assert.equal(render({ userName: 'ada', problem: 'tooMany' }), wrong)
  assert.match(wrong, /role="alert">Wrong user or password\./)
})

test('an error is linked to the fields and in the title; only wrong entries mark them invalid', () => {
  for (const problem of ['wrong', 'stale'] as const) {
    const page = render({ problem })
    assert.match(page, /<title>Error: /)
    assert.match(page, /id="problem" role="alert"/)
    assert.match(field(page, 'user'), / aria-describedby="problem"/)
    assert.equal(field(page, 'user').includes('aria-invalid'), problem === 'wrong')
  }
  assert.doesNotMatch(render(), /role="alert"|aria-describedby|<title>Error/)
})

test('a signed-in user continues without a password or switches to another user', () => {
  const page = render({ signedInAs: 'ada' })
  assert.doesNotMatch(page, /type="password"|name="user"/)
  assert.match(page, /Continue as <bdi>ada<\/bdi>/)
  assert.match(page, /name="decision" value="switch"/)
  assert.match(page, /name="form_token" value="token-1"/)
})

test('escapes names, addresses and tokens; has no inline script or style', () => {
  const hostile = '"><script>alert(1)</script>'
  const values = { appName: hostile, userName: hostile, destination: hostile, action: hostile, formToken: hostile }
  for (const page of [render(values), render({ ...values, signedInAs: hostile })])
    assert.doesNotMatch(page, /<script|<style| style=| on\w+=/)
})

test('isolates names, so that they cannot reorder the text around them', () => {
  assert.match(render({ appName: '\u202Eevil' }), /<h1>Sign in to continue to <bdi>\u202Eevil<\/bdi><\/h1>/)
})

test('shows the demo users in every language, unless the user is signed in', () => {
  const demo = { users: ['ada', 'bo', 'cy'], password: 'a-password' }
  const rendered = (more: Partial<SignInProps>) => render({ demo, ...more }).replaceAll(/<\/?code>/g, '')
  assert.match(rendered({}), /Demo: ada, bo or cy, password a-password</)
  assert.match(rendered({ lang: 'de' }), /Demo: ada, bo oder cy, Passwort a-password</)
  assert.match(rendered({ lang: 'da' }), /Demo: ada, bo eller cy, adgangskode a-password</)
  for (const page of [render(), rendered({ signedInAs: 'ada' })]) assert.doesNotMatch(page, /Demo|a-password/)
})

test('the page is available in German and Danish', () => {
  assert.match(render({ lang: 'de' }), /<html lang="de"[\s\S]*Anmelden und weiter zu <bdi>Pocket Charts/)
  assert.match(render({ lang: 'da' }), /<html lang="da"[\s\S]*Log ind og fortsæt til <bdi>Pocket Charts/)
})
