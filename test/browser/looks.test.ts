import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { browserForFile, handedTo, registerApp, signInOnPage, startOf } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'

const { service, visit } = await browserForFile()
const app = await callbackForFile()

/** Opens every kind of page in turn and calls `look` on each. */
async function visitEveryPage(page: Page, look: (name: string) => Promise<void>, Name = 'Kite Notes'): Promise<void> {
  const RedirectUris = [app.redirectUri]
  const [known, other] = [
    await registerApp(service, { Flow: 'Code', RedirectUris, Name }),
    await registerApp(service, { Flow: 'Code', RedirectUris, Name, IsTradingEnabled: true }),
  ]
  await page.goto(`${service.url}/`)
  await look('home')
  await page.goto(startOf(service, known, { client_id: 'f'.repeat(32) }))
  await look('error')
  await page.goto(startOf(service, known))
  await look('sign-in')
  await signInOnPage(page, 'ada', 'not her password')
  await page.getByRole('alert').waitFor()
  await look('wrong password')
  await signInOnPage(page)
  await handedTo(page, app.redirectUri)
  await page.goto(startOf(service, other))
  await look('continue')
  await page.goto(`${service.url}/logout`)
  await look('sign out')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  await look('signed out')
}

test('axe finds nothing on any page, in light and dark colours', async () => {
  await visit([app.origin], (page) =>
    visitEveryPage(page, (name) => assertAccessible(page, name, { isContrastKnown: true })),
  )
})

test('no page scrolls sideways on a phone, even with very long words, and every target is large enough', async () => {
  const longest = 'Wertpapierdepotverwaltung'.repeat(7)
  await visit(
    [app.origin],
    (page) =>
      visitEveryPage(
        page,
        async (name) => {
          const found = await page.evaluate(() => ({
            sideways: Math.max(document.documentElement.scrollWidth - innerWidth, 0),
            outside: [...document.querySelectorAll('body *')]
              .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 0.5)
              .map((each) => each.outerHTML),
            // WCAG 2.5.8
            tooLow: [...document.querySelectorAll('button, a.button, input:not([type=hidden])')]
              .filter((each) => each.getBoundingClientRect().height < 24)
              .map((each) => each.outerHTML),
          }))
          assert.deepEqual(found, { sideways: 0, outside: [], tooLow: [] }, name)
        },
        longest,
      ),
    { viewport: { width: 390, height: 844 } },
  )
})
