import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FixedClock } from '../support/clock.ts'
import { demoApps, demoPassword, demoRedirectUri } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile, startService } from '../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  codeRequest,
  getRest,
  obtainTokens,
  pkcePair,
  postToken,
  readForm,
  refresh,
  signIn,
} from '../support/sign-in.ts'

const clock = new FixedClock('2026-11-16T09:00:00Z')
const service = await serviceForFile({ clock })
const { url, baseUrl } = service
const right = { user: 'ada', password: demoPassword, decision: 'allow' }

const locationOf = async (browser: Browser, params = codeRequest) =>
  (await browser.fetch(authorizeUrl(url, params))).headers.get('location') ?? ''
async function openForm(browser = new Browser(), params = codeRequest) {
  const form = await readForm(await browser.fetch(`${url}/login?${new URLSearchParams(params)}`))
  const post = (fields: Record<string, string>) =>
    browser.fetch(`${url}${form.action}`, { method: 'POST', body: new URLSearchParams(fields) })
  return {
    ...form,
    browser,
    post,
    submit: (fields: Record<string, string>) => post({ form_token: form.formToken, ...fields }),
  }
}

describe('GET /authorize without a sign-in', () => {
  test('redirects to /login with the same request, without a page', async () => {
    const response = await fetch(authorizeUrl(url, codeRequest), { redirect: 'manual' })
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), `/login?${new URLSearchParams(codeRequest)}`)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(await response.text(), '')
  })

  test('leads to one page for sign-in and consent that names the app', async () => {
    const { html } = await openForm()
    assert.match(html, /Sign in and continue to <bdi>Pocket Charts<\/bdi>/)
    assert.match(html, />Cancel</)
    assert.match(html, /name="password"/)
  })
})

test('lang selects the language of pages and error pages; an unknown one leaves it to the browser', async () => {
  const languageOf = async (params: Record<string, string>, headers = {}) =>
    /<html lang="(\w+)"/.exec(
      await (await fetch(`${url}/login?${new URLSearchParams(params)}`, { headers })).text(),
    )?.[1]
  assert.equal(await languageOf({ ...codeRequest, lang: 'de' }), 'de')
  assert.equal(await languageOf({ ...codeRequest, lang: 'da-DK' }, { 'accept-language': 'de' }), 'da')
  assert.equal(await languageOf({ ...codeRequest, lang: 'xx' }, { 'accept-language': 'da;q=0.5, de' }), 'de')
  assert.equal(await languageOf({ ...codeRequest, lang: 'xx' }), 'en')
  assert.equal(await languageOf({ lang: 'de' }), 'de')
})

describe('the form', () => {
  test('is rejected without its token, with another one, or without its cookie', async () => {
    const { post, formToken, action } = await openForm()
    const foreign = new Browser()
    const body = new URLSearchParams({ form_token: formToken, ...right })
    const answers = [
      await post(right),
      await post({ form_token: '0'.repeat(32), ...right }),
      await post({ form_token: '', ...right }),
      await foreign.fetch(`${url}${action}`, { method: 'POST', body }),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 400)
      assert.equal(answer.headers.get('location'), null)
      assert.doesNotMatch(answer.headers.getSetCookie().join(), /signin/)
    }
  })

  test('can neither cancel nor allow without its token', async () => {
    const { browser, post } = await openForm()
    assert.equal((await post({ decision: 'cancel' })).status, 400)
    await signIn(url, codeRequest, { browser })
    assert.equal((await post({ decision: 'allow' })).status, 400)
  })

  test('shows the same page for a wrong password, an unknown and a disabled user', async () => {
    await service.node.context.db.updateTable('service_user').set({ disabled: true }).where('name', '=', 'cy').execute()
    const texts = []
    for (const [user, password] of [
      ['ada', 'wrong password'],
      ['bob', demoPassword],
      ['cyd', demoPassword],
      ['cy', demoPassword],
    ] as const) {
      const { submit, formToken } = await openForm()
      const answer = await submit({ user, password, decision: 'allow' })
      assert.equal(answer.status, 401)
      texts.push((await answer.text()).replaceAll(`value="${user}"`, 'value="?"').replaceAll(formToken, '?'))
    }
    assert.equal(new Set(texts).size, 1)
  })

  test('accepts a user name in any case', async () => {
    assert.ok((await signIn(url, codeRequest, { user: ' ADA ' })).searchParams.has('code'))
  })

  test('escapes input, and responds to odd input with a page', async () => {
    const { submit } = await openForm()
    const answer = await submit({ user: '"><script>alert(1)</script>', password: 'x', decision: 'allow' })
    assert.equal(answer.status, 401)
    assert.doesNotMatch(await answer.text(), /<script/)
    for (const user of ['', 'x'.repeat(5000), '\u{1F600}', '\0'])
      assert.equal((await submit({ user, password: '\0' })).status, 401, JSON.stringify(user.slice(0, 9)))
  })

  test('is checked again: a tampered request gets an error page', async () => {
    const { browser, formToken } = await openForm()
    const query = new URLSearchParams({ ...codeRequest, redirect_uri: 'https://evil.example/' })
    const body = new URLSearchParams({ form_token: formToken, ...right })
    const answer = await browser.fetch(`${url}/login?${query}`, { method: 'POST', body })
    assert.deepEqual([answer.status, answer.headers.get('location')], [400, null])
  })

  test('cannot be framed, and can lead to the app only', async () => {
    const { headers } = await fetch(`${url}/login?${new URLSearchParams(codeRequest)}`)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.match(headers.get('content-security-policy') ?? '', /form-action 'self' http:\/\/localhost:5000/)
    assert.equal(headers.get('cache-control'), 'no-store')
  })
})

describe('the sign-in cookie', () => {
  test('is for this site only, hidden from scripts, and valid as long as the sign-in', async () => {
    const { submit } = await openForm()
    const [cookie = ''] = (await submit(right)).headers.getSetCookie()
    const [pair = '', ...attributes] = cookie.split('; ')
    noteSecret('cookie', pair.split('=')[1] ?? '')
    assert.match(pair, /^refdesk_signin=[0-9a-f]{64}$/)
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax'])
  })

  test('is Secure and bound to the host under https', async () => {
    const https = await startService({ env: { PUBLIC_URL: 'https://desk.example' } })
    try {
      const response = await fetch(`${https.url}/login?${new URLSearchParams(codeRequest)}`)
      const [cookie = ''] = response.headers.getSetCookie()
      assert.match(cookie, /^__Host-refdesk_form=/)
      assert.ok(cookie.split('; ').includes('Secure'))
    } finally {
      await https.close()
    }
  })

  test('expires after 43200 seconds', async () => {
    const browser = new Browser()
    await signIn(url, codeRequest, { browser })
    clock.advance(43_199)
    assert.match(await locationOf(browser), /^http:\/\/localhost:5000\/callback\?code=/)
    clock.advance(1)
    assert.match(await locationOf(browser), /^\/login\?/)
  })
})

describe('with a sign-in', () => {
  const { challenge: code_challenge } = pkcePair()
  const mobile = demoApps.find((app) => app.Flow === 'PKCE')?.AppKey ?? ''
  const other = { client_id: mobile, redirect_uri: 'http://localhost:7/callback' }

  test('an existing consent redirects immediately', async () => {
    const browser = new Browser()
    await signIn(url, codeRequest, { browser })
    assert.match(await locationOf(browser), /\?code=/)
    assert.match(await locationOf(browser, { ...codeRequest, prompt: 'none' }), /\?code=/)
  })

  test('prompt=login always requires the password, even if the form is posted without one', async () => {
    const browser = new Browser()
    await signIn(url, codeRequest, { browser })
    const params = { ...codeRequest, prompt: 'login' }
    assert.match(await locationOf(browser, params), /^\/login\?/)
    const { html, submit } = await openForm(browser, params)
    assert.match(html, /name="password"/)
    const answer = await submit({ decision: 'allow' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [400, null])
    assert.match((await submit(right)).headers.get('location') ?? '', /\?code=/)
  })

  test('another app asks for consent once, without a password; Cancel stores nothing', async () => {
    const browser = new Browser()
    await signIn(url, codeRequest, { browser, user: 'bo' })
    const params = { ...codeRequest, ...other, code_challenge, code_challenge_method: 'S256' }
    assert.match(await locationOf(browser, params), /^\/login\?/)
    const { html, submit } = await openForm(browser, params)
    assert.doesNotMatch(html, /name="password"/)
    assert.match((await submit({ decision: 'cancel' })).headers.get('location') ?? '', /error=access_denied/)
    assert.match(await locationOf(browser, params), /^\/login\?/)
    assert.match((await submit({ decision: 'allow' })).headers.get('location') ?? '', /\?code=/)
    assert.match(await locationOf(browser, params), /^http:\/\/localhost:7\/callback\?code=/)
  })
})

describe('POST /logout', () => {
  const signOut = async (browser: Browser) => {
    const { formToken } = await readForm(await browser.fetch(`${url}/logout`))
    return browser.fetch(`${url}/logout`, { method: 'POST', body: new URLSearchParams({ form_token: formToken }) })
  }
  const opens = async (token: string) => (await getRest(baseUrl, '/port/v1/users/me', token)).status === 200

  test('ends the sign-in and every session started from it, and no other', async () => {
    const [browser, elsewhere] = [new Browser(), new Browser()]
    const tokens = [await obtainTokens(url, { browser }), await obtainTokens(url, { browser })]
    const bystander = await obtainTokens(url, { browser: elsewhere })
    const cookie = new Map(browser.cookies)
    const answer = await signOut(browser)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.getSetCookie().join('\n'), /^refdesk_signin=;.*Max-Age=0/m)
    for (const { access_token, refresh_token } of tokens) {
      assert.equal(await opens(access_token), false)
      assert.equal((await refresh(url, refresh_token)).body.error, 'invalid_grant')
    }
    assert.equal(await opens(bystander.access_token), true)
    for (const [name, value] of cookie) browser.cookies.set(name, value)
    assert.match(await locationOf(browser), /^\/login\?/, 'the old cookie still signs in')
  })

  test('without the token of its form signs no one out', async () => {
    const browser = new Browser()
    const tokens = await obtainTokens(url, { browser })
    await browser.fetch(`${url}/logout`, { method: 'POST', body: new URLSearchParams({ form_token: 'x' }) })
    assert.equal(await opens(tokens.access_token), true)
    assert.match(await locationOf(browser), new RegExp(`^${RegExp.escape(demoRedirectUri)}\\?code=`))
  })

  test('invalidates a code that is not exchanged yet', async () => {
    const browser = new Browser()
    const code = (await signIn(url, codeRequest, { browser })).searchParams.get('code') ?? ''
    await signOut(browser)
    const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
    const { body } = await postToken(url, form)
    assert.ok(body.error === 'invalid_grant' || !(await opens(body.access_token)), 'the code outlived its sign-in')
  })
})
