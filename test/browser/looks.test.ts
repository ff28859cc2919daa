import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { browserForFile, handedTo, registerApp, signInOnPage, startOf } from '../support/page.ts'
import { callbackForFile } from '../support/page-callback.ts'

const { service, visit } = await browserForFile()
const app = await callbackForFile()
const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Every kind of page that a person can meet, one after the other, each handed to `look`. */
async function seeEveryPage(page: Page, look: (name: string) => Promise<void>, Name = 'Kite Notes'): Promise<void> {
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

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing on any page, in ${colorScheme} colours`, async () => {
    await visit(
      [app.origin],
      (page) =>
        seeEveryPage(page, async (name) => {
          await page.evaluate(axe)
          const { violations } = await page.evaluate(async (): Promise<AxeResults> => {
            return (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run()
          })
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
          assert.deepEqual(found, [], name)
        }),
      { colorScheme },
    )
  })

test('nothing scrolls sideways on a phone, whatever the length of the words, and every target is large enough', async () => {
  const longest = `${'Wertpapierdepotverwaltung'.repeat(7)}`
  await visit(
    [app.origin],
    (page) =>
      seeEveryPage(
        page,
        async (name) => {
          const { wide, small } = await page.evaluate(() => ({
            wide: [...document.querySelectorAll('*')].filter(
              (each) => each.getBoundingClientRect().right > innerWidth + 0.5,
            ).length,
            small: [...document.querySelectorAll('button, input:not([type=hidden]), a.button')]
              .filter((each) => each.getBoundingClientRect().height < 24)
              .map((each) => each.outerHTML),
          }))
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          assert.deepEqual({ wide, small, overflow: Math.max(overflow, 0) }, { wide: 0, small: [], overflow: 0 }, name)
        },
        longest,
      ),
    { viewport: { width: 390, height: 844 } },
  )
})
