import assert from 'node:assert/strict'
import { after } from 'node:test'
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { demoPassword } from '../demo.ts'
import { serviceForFile, type TestService } from '../service/service.ts'
import { connectBrowser } from './browser.ts'
import { visitsOf } from './page.ts'

export type SignedInVisit = (
  act: (page: Page) => Promise<void>,
  options?: BrowserContextOptions & { user?: string; next?: string },
) => Promise<void>

/** A service with the whole demo data and a browser that is signed in to its console. */
export async function consoleForFile(
  options: Parameters<typeof serviceForFile>[0] = {},
): Promise<{ service: TestService; visit: SignedInVisit }> {
  const service = await serviceForFile({ reference: true, ...options })
  const browser = await connectBrowser()
  after(() => browser.close())
  const visit = visitsOf(service, browser)
  return {
    service,
    visit: (act, { user = 'ada', next = '/', ...context } = {}) =>
      visit(
        [],
        async (page) => {
          await signInToConsole(service, page, user, next)
          await act(page)
        },
        { viewport: { width: 1280, height: 800 }, timezoneId: 'Europe/Copenhagen', ...context },
      ),
  }
}

/** Through our own /authorize, as every user does. */
export async function signInToConsole(service: TestService, page: Page, user: string, next: string): Promise<void> {
  await page.goto(`${service.url}/console/login?next=${encodeURIComponent(next)}`)
  await page.getByLabel('User').fill(user)
  await page.getByLabel('Password').fill(demoPassword)
  await page.getByRole('button', { name: /^Sign in and continue to / }).click()
  await page.waitForURL(`${service.url}${next}`)
}

/** What axe-core has against the page as it is, in words. What it cannot judge, such as the ground of text in a chart or
 *  beyond the edge of a frame that scrolls, is no fault. */
export async function accessFaults(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        preload: false,
        ...(runOnly && { runOnly }),
      }),
    rules,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** The page does not scroll sideways; what is wide scrolls in its own frame. */
export async function assertFits(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok((needed ?? 0) <= (given ?? 0), `${page.url()} is ${needed} px wide in a window of ${given}`)
}
