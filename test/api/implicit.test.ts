import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApps, demoRedirectUri } from '../support/demo.ts'
import { serviceForFile } from '../support/service/service.ts'
import { Browser, getRest, signIn } from '../support/sign-in.ts'

const implicitKey = demoApps.find((app) => app.Flow === 'Implicit')?.AppKey ?? ''
const asked = { response_type: 'token', client_id: implicitKey, redirect_uri: demoRedirectUri, state: 'a=b&c d æ' }

const services = [await serviceForFile(), await serviceForFile({ env: { COMPAT: 'vendor' } })]

for (const { url, baseUrl, config } of services) {
  const { compat } = config
  const browser = new Browser()

  test(`the implicit response is in the fragment, with exactly its four members (COMPAT=${compat})`, async () => {
    const target = await signIn(url, asked, { browser })
    assert.equal(target.search, '')
    assert.equal(target.href.split('#')[0], demoRedirectUri)
    const members = new URLSearchParams(target.hash.slice(1))
    assert.deepEqual([...members.keys()].sort(), ['access_token', 'expires_in', 'state', 'token_type'])
    assert.deepEqual(
      [members.get('token_type'), members.get('expires_in'), members.get('state')],
      ['bearer', '1200', asked.state],
    )
    const me = await getRest(baseUrl, '/port/v1/users/me', members.get('access_token') ?? '')
    assert.equal(me.status, 200)
  })

  test(`the fragment can be read with decodeURIComponent: no plus for a space (COMPAT=${compat})`, async () => {
    const { hash } = await signIn(url, asked, { browser })
    const pairs = hash
      .slice(1)
      .split('&')
      .map((pair) => pair.split('='))
    const state = pairs.find(([name]) => name === 'state')?.[1]
    assert.equal(decodeURIComponent(state ?? ''), asked.state)
  })

  test(`every implicit grant is a separate session that /revoke ends (COMPAT=${compat})`, async () => {
    const tokenOf = async () =>
      new URLSearchParams((await signIn(url, asked, { browser })).hash.slice(1)).get('access_token') ?? ''
    const [first, second] = [await tokenOf(), await tokenOf()]
    const body = new URLSearchParams({ client_id: implicitKey, token: first })
    assert.equal((await fetch(`${url}/revoke`, { method: 'POST', body })).status, 200)
    assert.equal((await getRest(baseUrl, '/port/v1/users/me', first)).status, 401)
    assert.equal((await getRest(baseUrl, '/port/v1/users/me', second)).status, 200)
  })

  test(`without a state the fragment has none (COMPAT=${compat})`, async () => {
    const { state: _, ...stateless } = asked
    const { hash } = await signIn(url, stateless, { browser })
    const names = [...new URLSearchParams(hash.slice(1)).keys()]
    assert.deepEqual(names.sort(), ['access_token', 'expires_in', 'token_type'])
  })
}
