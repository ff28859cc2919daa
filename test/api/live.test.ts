import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { consoleApp, consoleCallback } from '../../src/apps/store/console-app.ts'
import { setOperator } from '../../src/auth/commands/users.ts'
import type { Explanation } from '../../src/core/explain/schema.ts'
import { demoKey } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { liveSettings, serviceForFile } from '../support/service/service.ts'
import { Browser, codeRequest, getRest, obtainTokens, pkcePair, readForm, signIn } from '../support/sign-in.ts'

const live = await serviceForFile({ env: liveSettings })
const password = 'another password'
noteSecret('password', password)

test('live has no user switcher, and its sign-in page knows no demo users', async () => {
  const { publicUrl } = live.config
  const redirect_uri = consoleCallback(publicUrl)
  const pkce = { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' }
  const request = new URLSearchParams({ ...codeRequest, client_id: consoleApp.AppKey, redirect_uri, ...pkce })
  const browser = new Browser()
  const { action, formToken } = await readForm(await browser.fetch(`${live.url}/login?${request}`))
  const body = new URLSearchParams({ form_token: formToken, demo_user: 'ada', decision: 'allow' })
  const post = { method: 'POST', body }
  const answer = await browser.fetch(new URL(action, live.url).href, post)
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /name="password"/)
  assert.deepEqual([...browser.cookies.keys()], ['__Host-refdesk_form'])
  const statusOf = async (path: string) => (await browser.fetch(`${live.url}${path}`, post)).status
  assert.equal(await statusOf('/console/switch'), await statusOf('/console/nothing'))
  assert.doesNotMatch(await (await browser.fetch(live.url)).text(), /console\/switch|demo_user/)
})

test('live accepts no sign-in with the password of the demo, even if it is the right one', async () => {
  await assert.rejects(signIn(live.url, codeRequest), /401 !== 302/)
  const password_hash = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await live.node.context.db.updateTable('service_user').set({ password_hash }).execute()
  assert.ok((await signIn(live.url, codeRequest, { password })).searchParams.get('code'))
})

test('live accepts an operator in the console only', async () => {
  await setOperator(live.node.context, 'ada', true, () => {})
  const { access_token: token } = await obtainTokens(live.url, { password })
  const user = `/x/v1/users/${encodeURIComponent(demoKey('user ada'))}`
  for (const path of ['/x/v1/users', user, '/x/v1/runs', '/x/v1/runs/1', '/x/v1/runs/1/records', '/x/v1/runs/1/undo']) {
    const method = path.endsWith('undo') ? 'POST' : 'GET'
    const answer = await fetch(`${live.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 403, path)
    assert.match(await answer.text(), /In live, operators do this in the console/, path)
  }
  await setOperator(live.node.context, 'ada', false, () => {})
})

test('live explains an answer without rows, but adds no link to it', async () => {
  const { access_token: token } = await obtainTokens(live.url, { password })
  const nothing = await getRest(live.baseUrl, '/ref/v1/instruments?Keywords=zzzzzz', token)
  assert.deepEqual([nothing.status, nothing.headers.get('link')], [200, null])
  const path = encodeURIComponent('/ref/v1/instruments?Keywords=zzzzzz')
  const explained = await getRest(live.baseUrl, `/x/v1/explain?Request=${path}`, token)
  assert.equal(explained.status, 200)
  assert.equal(((await explained.json()) as Explanation).Count, 0)
})
