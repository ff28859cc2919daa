import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { browserForFile, handedTo, registerApp, signInOnPage } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'
import { noteSecret } from '../support/runner/log-check.ts'

const { service, visit } = await browserForFile()

/** The client library as a bundler would build it for an app, with its exports in the global `client`. */
async function bundledClient(): Promise<string> {
  const entry = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url))
  const settings = { bundle: true, write: false, format: 'iife', globalName: 'client', target: 'es2022' } as const
  const { outputFiles } = await build({ entryPoints: [entry], platform: 'browser', ...settings })
  return outputFiles[0]?.text ?? ''
}

/** A page of the app. Its script runs unchanged, so it is plain JavaScript. */
const page = (library: string, script: string) =>
  `<output></output><script>${library}</script><script type="module">${script}</script>`

const begin = `
  const { authUrl, baseUrl, clientId } = JSON.parse(decodeURIComponent(location.hash.slice(1)))
  const pending = await client.beginSignIn({ authUrl, clientId, redirectUri: location.origin + '/callback' })
  sessionStorage.setItem('kept', JSON.stringify({ pending, baseUrl }))
  location.assign(pending.url)`

const finish = `
  const { pending, baseUrl } = JSON.parse(sessionStorage.getItem('kept'))
  const first = await client.finishSignIn(pending, location.href)
  const all = [first]
  const { authUrl, clientId, verifier } = pending
  const tokens = { ...first, expires_at: 0 }
  const token = client.refreshingTokens({ authUrl, clientId, tokens, onTokens: (next) => all.push(next) })
  const api = client.createClient({ baseUrl, token })
  const [me, app] = await Promise.all([
    api.get('/port/v1/users/me'),
    api.request('get', '/developer/apps/{AppKey}', { path: { AppKey: clientId } }),
  ])
  const names = []
  for await (const { Name } of api.rows('/developer/apps', { query: { $top: 1 } })) names.push(Name)
  const result = { user: me.Name, names, etag: app.headers.get('etag'), verifier, all }
  document.querySelector('output').textContent = JSON.stringify(result)`

test('the client works in a browser: sign-in, refresh, calls and paging', async () => {
  const library = await bundledClient()
  const site = await callbackForFile({ '/start': page(library, begin), '/callback': page(library, finish) })
  const { AppKey } = await registerApp(service, { Flow: 'PKCE', RedirectUris: [site.redirectUri] })
  const settings = { authUrl: service.url, baseUrl: service.baseUrl, clientId: AppKey }
  await visit([site.origin], async (tab) => {
    await tab.goto(`${site.origin}/start#${encodeURIComponent(JSON.stringify(settings))}`)
    await signInOnPage(tab)
    await handedTo(tab, site.redirectUri)
    const result = JSON.parse(String(await tab.locator('output', { hasText: 'names' }).textContent()))
    noteSecret('verifier', result.verifier)
    for (const { access_token, refresh_token } of result.all) {
      noteSecret('access token', access_token)
      noteSecret('refresh token', refresh_token)
    }
    assert.equal(result.user, 'ada')
    assert.deepEqual([result.names.length, new Set(result.names).size], [4, 4])
    assert.match(result.etag, /^(W\/)?"/)
    assert.equal(result.all.length, 2)
    assert.notEqual(result.all[0].access_token, result.all[1].access_token)
  })
})
