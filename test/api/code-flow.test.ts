import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceForFile } from '../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  codeRequest,
  getRest,
  obtainTokens,
  readForm,
  refresh,
  signIn,
} from '../support/sign-in.ts'

const service = await serviceForFile()

test('a user signs in, the app gets tokens, and the access token works in the REST API (operation authorize) (operation token)', async () => {
  const tokens = await obtainTokens(service.url)
  assert.deepEqual(Object.keys(tokens).sort(), [
    'access_token',
    'expires_in',
    'refresh_token',
    'refresh_token_expires_in',
    'token_type',
  ])
  assert.equal(tokens.token_type, 'Bearer')
  assert.equal(tokens.expires_in, 1200)
  assert.equal(tokens.refresh_token_expires_in, 3600)
  const me = await getRest(service.baseUrl, '/port/v1/users/me', tokens.access_token)
  assert.equal(me.status, 200)
  assert.equal(((await me.json()) as { Name: string }).Name, 'ada')
})

test('a refresh returns a new access token and a new refresh token', async () => {
  const tokens = await obtainTokens(service.url)
  const { status, body } = await refresh(service.url, tokens.refresh_token)
  assert.equal(status, 200)
  assert.notEqual(body.access_token, tokens.access_token)
  assert.notEqual(body.refresh_token, tokens.refresh_token)
  assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', body.access_token)).status, 200)
})

test('Cancel returns access_denied and the state', async () => {
  const result = await signIn(service.url, undefined, { decision: 'cancel' })
  assert.equal(result.searchParams.get('error'), 'access_denied')
  assert.equal(result.searchParams.get('state'), 'a state')
  assert.equal(result.searchParams.get('iss'), service.url)
})

test('a question mark inside the query is part of it', async () => {
  const browser = new Browser()
  const raw = `${authorizeUrl(service.url, { ...codeRequest, state: '' })}&state=a?b&lang=de`
  const start = await browser.fetch(raw)
  const page = await browser.fetch(`${service.url}${start.headers.get('location')}`)
  const form = await readForm(page)
  assert.match(form.html, /<html lang="de"/)
  const answer = await browser.fetch(new URL(form.action, service.url).href, {
    method: 'POST',
    body: new URLSearchParams({ form_token: form.formToken, decision: 'cancel' }),
  })
  assert.equal(new URL(answer.headers.get('location') ?? '').searchParams.get('state'), 'a?b')
})

test('the address of the sign-in page is a valid one, also for a state with a malformed percent-encoding', async () => {
  const { headers } = await fetch(`${authorizeUrl(service.url, { ...codeRequest, state: '' })}%`, {
    redirect: 'manual',
  })

  const location = headers.get('location') ?? ''
  assert.equal(location.replaceAll(/%[0-9A-F]{2}/gi, '').includes('%'), false, location)
  assert.equal(new URL(location, service.url).searchParams.get('state'), '%')
})
