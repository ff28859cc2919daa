import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectBrowser } from '../support/browser/browser.ts'
import { signInToConsole } from '../support/browser/console.ts'
import { signInOnPage, visitsOf } from '../support/browser/page.ts'
import type { FixedClock } from '../support/clock.ts'
import { administer } from '../support/service/postgres.ts'
import { serviceForFile } from '../support/service/service.ts'
import { Browser, getRest, obtainTokens, readForm } from '../support/sign-in.ts'

const env = { RATE_LIMITS: 'on', RATE_LIMIT_SESSION_MINUTE: '30' }
const service = await serviceForFile({ reference: true, env })
const chromium = await connectBrowser()
const visit = visitsOf(service, chromium)
const clock = service.clock as FixedClock
const sessionsPage = `${service.url}/console/sessions`
const cookie = 'refdesk_console'

/** Follows redirects to the first page. */
async function follow(browser: Browser, url: string): Promise<{ url: string; answer: Response }> {
  for (let step = 0; step < 10; step++) {
    const answer = await browser.fetch(url)
    if (answer.status < 300 || answer.status >= 400) return { url, answer }
    url = new URL(answer.headers.get('location') ?? '', url).href
  }
  throw new Error(`redirect loop: ${url}`)
}

/** Signs in, but does not follow the redirect to the console. */
async function signInUpTo(browser: Browser, next: string, user = 'ada'): Promise<string> {
  const { url, answer } = await follow(browser, `${service.url}/console/login?${new URLSearchParams({ next })}`)
  const { action, formToken } = await readForm(answer)
  const entry = { form_token: formToken, decision: 'allow', user, password: 'refdesk-demo' }
  const back = await browser.fetch(new URL(action, url).href, { method: 'POST', body: new URLSearchParams(entry) })
  return back.headers.get('location') ?? ''
}

async function signedIn(next = '/console/sessions'): Promise<Browser> {
  const browser = new Browser()
  const { url, answer } = await follow(browser, await signInUpTo(browser, next))
  assert.equal(`${answer.status} ${url}`, `200 ${service.url}${next}`)
  return browser
}

/** Posts a form of the sessions page. */
async function press(browser: Browser, path: string, entry: Record<string, string>): Promise<Response> {
  const form_token = browser.cookies.get('refdesk_form') ?? ''
  return browser.fetch(`${sessionsPage}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ form_token, ...entry }),
  })
}

const isAlive = async (token: string) => (await getRest(service.baseUrl, '/port/v1/users/me', token)).status === 200
const sessionIdOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid

test('without script: ends a session, revokes the access of an app, and signs out everywhere', async () => {
  const [first, second] = [
    await obtainTokens(service.url, { user: 'bo' }),
    await obtainTokens(service.url, { user: 'bo' }),
  ]
  await visit(
    [],
    async (page) => {
      await signInToConsole(service, page, 'bo', '/console/sessions')
      const row = (words: string | RegExp) => page.locator('tbody tr').filter({ hasText: words })
      await row('this session').filter({ hasText: 'Chrome on Linux' }).waitFor()
      assert.equal(await row('Node.js').count(), 2)
      await page.locator(`button[value="${sessionIdOf(second.access_token)}"]`).click()
      await page.getByText('Session ended.').waitFor()
      assert.equal(await row('Node.js').count(), 1)
      assert.deepEqual([await isAlive(first.access_token), await isAlive(second.access_token)], [true, false])

      await page.getByRole('button', { name: 'Revoke access for Pocket Charts' }).click()
      await page.getByText('Access revoked.').waitFor()
      assert.equal(await isAlive(first.access_token), false)

      await page.getByText('Sign out everywhere', { exact: true }).click()
      await page.getByRole('button', { name: 'Yes, sign out everywhere' }).click()
      await page.getByText('You are signed out of every app').waitFor()
      await page.getByRole('heading', { name: 'Sign in to explore' }).waitFor()
    },
    { javaScriptEnabled: false, viewport: { width: 390, height: 844 } },
  )
})

test('after the session ended elsewhere, a page returns to itself after the sign-in and a form changes nothing', async () => {
  const other = await obtainTokens(service.url)
  await visit([], async (page) => {
    await signInToConsole(service, page, 'ada', '/console/sessions')
    const all = { method: 'DELETE', headers: { authorization: `Bearer ${other.access_token}` } }
    assert.equal((await fetch(`${service.baseUrl}/x/v1/sessions`, all)).status, 204)
    const third = await obtainTokens(service.url)
    await page.locator('button[name=session]').first().click()
    await page.getByRole('heading', { name: 'Nothing was changed' }).waitFor()
    assert.equal(await isAlive(third.access_token), true)

    await page.goto(`${sessionsPage}?from=0&a=b`)
    await signInOnPage(page)
    await page.waitForURL(`${sessionsPage}?from=0&a=b`)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await page.getByRole('heading', { name: 'Sign in to explore' }).waitFor()
    await page.goto(sessionsPage)
    await page.getByLabel('Password').waitFor()
  })
})

test('refreshes an expiring token, also in two concurrent requests; the cookie is encrypted', async () => {
  const browser = await signedIn()
  const before = browser.cookies.get(cookie) ?? ''
  clock.advance(service.config.accessTokenSeconds - 20)
  const headers = { cookie: `${cookie}=${before}` }
  const answers = await Promise.all([1, 2].map(() => fetch(sessionsPage, { headers, redirect: 'manual' })))
  for (const answer of answers) {
    assert.equal(answer.status, 200)
    const [line = ''] = answer.headers.getSetCookie().filter((each) => each.startsWith(`${cookie}=`))
    assert.match(line, /^refdesk_console=[\w-]{100,}; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.doesNotMatch(Buffer.from(line.slice(16).split(';')[0] ?? '', 'base64url').toString('latin1'), /eyJhbGciOi/)
    const again = await fetch(sessionsPage, { headers: { cookie: line.split(';')[0] ?? '' }, redirect: 'manual' })
    assert.equal(again.status, 200)
  }
  const tampered = { cookie: `${cookie}=${before.slice(0, 60)}${before[60] === 'A' ? 'B' : 'A'}${before.slice(61)}` }
  const rejected = await fetch(`${sessionsPage}?from=0`, { headers: tampered, redirect: 'manual' })
  assert.equal(rejected.headers.get('location'), '/console/login?next=%2Fconsole%2Fsessions%3Ffrom%3D0')
  assert.match(await (await fetch(service.url, { headers: tampered })).text(), /Sign in to explore/)
})

test('a form without a valid form token changes nothing', async () => {
  const browser = await signedIn()
  const { access_token } = await obtainTokens(service.url)
  const response = await press(browser, '/end', { session: sessionIdOf(access_token), form_token: 'f'.repeat(32) })
  assert.equal(response.status, 400)
  assert.match(await response.text(), /Nothing was changed/)
  assert.equal(await isAlive(access_token), true)
  assert.equal((await press(browser, '/end', { session: sessionIdOf(access_token) })).status, 303)
  assert.equal(await isAlive(access_token), false)
})

test('a sign-in that started elsewhere restarts once and keeps the requested page', async () => {
  const browser = new Browser()
  const back = await signInUpTo(browser, '/console/sessions?from=0')
  // As if the console had been opened at another host name, which has its own cookies.
  browser.cookies.delete('refdesk_console_start')
  assert.equal((await follow(browser, back)).url, `${sessionsPage}?from=0`)

  const withoutCookies = new Browser()
  for (const state of ['', '?code=c&state=invalid']) {
    const started = await withoutCookies.fetch(`${service.url}/console/callback${state}`)
    const request = new URL(started.headers.get('location') ?? '')
    assert.equal(`${started.status} ${request.pathname}`, '302 /authorize')
    withoutCookies.cookies.clear()
    const again = new URLSearchParams({ code: 'c', state: request.searchParams.get('state') ?? '' })
    const end = await withoutCookies.fetch(`${service.url}/console/callback?${again}`)
    assert.equal(end.status, 400)
    assert.match(await end.text(), /Sign-in not completed/)
  }
})

/** Posts the sign-out form to the console and, as the browser does, on to /logout. */
async function signOut(browser: Browser): Promise<string> {
  const form = { method: 'POST', body: new URLSearchParams({ form_token: browser.cookies.get('refdesk_form') ?? '' }) }
  const out = await browser.fetch(`${service.url}/console/logout`, form)
  assert.equal(`${out.status} ${out.headers.get('location')}`, '307 /logout')
  return (await browser.fetch(`${service.url}/logout`, form)).text()
}

test('signing out ends the session and the sign-in, even if one of them has already ended', async () => {
  const without = await signedIn()
  without.cookies.delete(cookie)
  assert.match(await signOut(without), /You are signed out/)
  assert.match((await follow(without, sessionsPage)).url, /\/login\?/)

  const browser = await signedIn()
  const cookies = { cookie: `${cookie}=${browser.cookies.get(cookie)}` }
  browser.cookies.delete('refdesk_signin')
  assert.match(await signOut(browser), /You are signed out/)
  assert.equal(browser.cookies.has(cookie), false)
  assert.equal((await fetch(sessionsPage, { headers: cookies, redirect: 'manual' })).status, 303)
  const home = await fetch(service.url, { headers: cookies, redirect: 'manual' })
  assert.match(await home.text(), /Sign in to explore/)
  assert.match(home.headers.getSetCookie().join(), /refdesk_console=; .*Max-Age=0/)
})

test('rejects a code that was issued to another browser', async () => {
  const attacker = await signInUpTo(new Browser(), '/')
  const victim = new Browser()
  await victim.fetch(`${service.url}/console/login`)
  const { url } = await follow(victim, attacker)
  assert.match(url, /\/login\?/)
  assert.equal(victim.cookies.has(cookie), false)
})

test('rejects a code of another sign-in of the same browser', async () => {
  const browser = await signedIn()
  browser.cookies.delete(cookie)
  const begin = async () => {
    const { headers } = await browser.fetch(`${service.url}/console/login`)
    return (await browser.fetch(headers.get('location') ?? '')).headers.get('location') ?? ''
  }
  const [first, second] = [new URL(await begin()), new URL(await begin())]
  first.searchParams.set('code', second.searchParams.get('code') ?? '')
  const { headers } = await browser.fetch(first.href)
  assert.match(headers.get('location') ?? '', /\/authorize\?/)
  assert.equal(browser.cookies.has(cookie), false)
})

test('a page that the user may not see names the user and leads to the search', async () => {
  const bo = new Browser()
  const chain = await follow(bo, await signInUpTo(bo, '/console/options/1', 'bo'))
  assert.equal(chain.answer.status, 404)
  assert.match(
    await chain.answer.text(),
    /may not see it\. You are signed in as bo[\s\S]*href="\/console\/instruments">Search instruments</,
  )
})

test('console calls count against the rate limit; a database outage shows a page; no request is left open', async () => {
  const browser = await signedIn()
  let answer = await browser.fetch(sessionsPage)
  for (let load = 0; load < 40 && answer.status === 200; load++) answer = await browser.fetch(sessionsPage)
  assert.equal(answer.status, 429)
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(await answer.text(), /<h1>Too many requests<\/h1>/)

  const other = await signedIn()
  const { connection } = service.database
  const shut = (isShut: boolean) => `alter database ${connection.database} allow_connections ${!isShut}`
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${connection.database}'`
  await administer(connection, shut(true), cut)
  try {
    const away = await other.fetch(sessionsPage)
    assert.equal(away.status, 503)
    assert.match(await away.text(), /<h1>Service unavailable<\/h1>[\s\S]*Try again/)
    assert.match(await (await other.fetch(service.url)).text(), /<h1>Home<\/h1>.*Quick start/s)
    // A session that cannot be refreshed during the outage is kept.
    clock.advance(service.config.accessTokenSeconds - 20)
    assert.equal((await other.fetch(sessionsPage)).status, 503)
    assert.equal(other.cookies.has(cookie), true)
  } finally {
    await administer(connection, shut(false))
  }
  // The last request ends with its connection, shortly after its response.
  for (let looks = 0; looks < 500 && service.node.server.requestsInFlight > 0; looks++) await sleep(10)
  assert.equal(service.node.server.requestsInFlight, 0)
})
