import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForFile, handedTo, registerApp, signInOnPage, startOf } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'

const { service, visit } = await browserForFile()

test('follows a callback that redirects to another origin, after a grant and after Cancel', async () => {
  const front = await callbackForFile({ '/signed-in': '<h1>Welcome back</h1>' }, '127.0.0.1')
  const back = await callbackForFile({ '/callback': `${front.origin}/signed-in` })
  const split = await registerApp(service, { Flow: 'Code', RedirectUris: [back.redirectUri] })
  const chainEnd = `${front.origin}/signed-in`
  await visit([back.origin, front.origin], async (page) => {
    await page.goto(startOf(service, split))
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await handedTo(page, chainEnd)).query.error, 'access_denied')
    await page.goto(startOf(service, split))
    await signInOnPage(page)
    assert.ok((await handedTo(page, chainEnd)).query.code)
  })
  const withoutScripts = async (page: Page) => {
    await page.goto(startOf(service, split))
    await signInOnPage(page)
    assert.ok((await handedTo(page, chainEnd)).query.code)
  }
  await visit([back.origin, front.origin], withoutScripts, { javaScriptEnabled: false })
})

test('a sign-in in a popup can send its result to the window that opened it', async () => {
  const post = '<script>opener.postMessage(location.search, location.origin); close()</script>'
  const listen = `<button>Sign in</button><output></output><script>
    let popup
    addEventListener('message', ({ data, source }) => {
      document.querySelector('output').textContent = (source === popup) + data
    })
    document.querySelector('button').onclick = () => { popup = open(decodeURIComponent(location.hash.slice(1)), 'signin') }
  </script>`
  const app = await callbackForFile({ '/app': listen, '/callback': post })
  const popping = await registerApp(service, { Flow: 'Code', RedirectUris: [app.redirectUri] })
  await visit([app.origin], async (page) => {
    await page.goto(`${app.origin}/app#${encodeURIComponent(startOf(service, popping))}`)
    const opened = page.waitForEvent('popup')
    await page.getByRole('button').click()
    const popup = await opened
    await signInOnPage(popup, 'ada', 'wrong at first')
    await popup.getByRole('alert').waitFor()
    const closed = popup.waitForEvent('close')
    await signInOnPage(popup)
    await closed
    const output = page.locator('output', { hasText: 'state=' })
    assert.match(String(await output.textContent()), /^true\?code=[^&]+&state=a%20state%20%26%20more&/)
  })
})
