import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForFile, handedTo, registerApp, signInOnPage, startOf } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'
import { noteSecret } from '../support/runner/log-check.ts'

const { service, visit } = await browserForFile()
/** The callback page of a hidden frame posts its query to the page around it. */
const pages = { '/app': '<h1>An app</h1>', '/callback': '<script>parent.postMessage(location.search, origin)</script>' }

/** Sends an authorization request from a hidden frame. Returns the parameters of the response. */
async function askInFrame(page: Page, address: string): Promise<Record<string, string>> {
  const search = await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.hidden = true
    const posted = new Promise<string>((resolve) => {
      addEventListener('message', ({ data, source }) => source === frame.contentWindow && resolve(data))
      setTimeout(resolve, 10_000, '?error=nothing')
    })
    frame.src = src
    document.body.append(frame)
    return posted
  }, address)
  const parameters = Object.fromEntries(new URLSearchParams(search))
  if (parameters.code) noteSecret('code', parameters.code)
  return parameters
}

test('prompt=none works in a hidden frame of the same site; a frame of another site gets login_required', async () => {
  const near = await callbackForFile(pages)
  const far = await callbackForFile(pages, '127.0.0.1')
  const allowed = await registerApp(service, { Flow: 'PKCE', RedirectUris: [near.redirectUri] })
  const unknown = await registerApp(service, { Flow: 'Code', RedirectUris: [near.redirectUri] })
  const foreign = await registerApp(service, { Flow: 'Code', RedirectUris: [far.redirectUri] })
  const silent = (app: typeof allowed) => startOf(service, app, { prompt: 'none' })

  await visit([near.origin, far.origin], async (page) => {
    await page.goto(`${near.origin}/app`)
    const { error, state } = await askInFrame(page, silent(allowed))
    assert.deepEqual([error, state], ['login_required', 'a state & more'])
    for (const [app, { redirectUri }] of [
      [allowed, near],
      [foreign, far],
    ] as const) {
      await page.goto(startOf(service, app, { prompt: 'login' }))
      await signInOnPage(page)
      assert.ok((await handedTo(page, redirectUri)).query.code)
    }

    await page.goto(`${near.origin}/app`)
    assert.ok((await askInFrame(page, silent(allowed))).code)
    assert.equal((await askInFrame(page, silent(unknown))).error, 'consent_required')
    // The browser sends the sign-in cookie with a top-level page, but not with a frame of another site.
    await page.goto(`${far.origin}/app`)
    assert.equal((await askInFrame(page, silent(foreign))).error, 'login_required')
    await page.goto(silent(foreign))
    assert.ok((await handedTo(page, far.redirectUri)).query.code)
  })
})
