import assert from 'node:assert/strict'
import type { Browser, Cookie, Locator, Page } from 'playwright-core'
import { demoPassword } from '../demo.ts'
import { eventually } from '../eventually.ts'
import { serviceForFile, type TestService } from '../service/service.ts'
import { sharedDemoService } from '../service/shared.ts'
import { connectBrowser } from './browser.ts'
import type { VisitOptions } from './contexts.ts'
import { visitsOf } from './page.ts'

export type SignedInVisit = (
  act: (page: Page) => Promise<void>,
  options?: VisitOptions & { user?: string; next?: string },
) => Promise<void>

/** A service with all demo data, and visits by a user who is signed in to its console. Only the first visit of a user
 *  signs in; later ones reuse its cookies while its session lasts. */
export async function consoleForFile(
  options: Parameters<typeof serviceForFile>[0] = {},
): Promise<{ service: TestService; visit: SignedInVisit }> {
  const service = await serviceForFile({ reference: true, ...options })
  return { service, visit: signedInVisits(service, await connectBrowser()) }
}

/** The same with the demo service that the files of a process share, for tests that change nothing. */
export async function sharedConsole(): Promise<{ service: TestService; visit: SignedInVisit }> {
  const service = await sharedDemoService()
  return { service, visit: signedInVisits(service, await connectBrowser()) }
}

export function signedInVisits(service: TestService, browser: Browser): SignedInVisit {
  const visit = visitsOf(service, browser)
  const cookiesOf = new Map<string, Cookie[]>()
  return (act, { user = 'ada', next = '/', ...options } = {}) =>
    visit(
      [],
      async (page) => {
        await page.context().addCookies(cookiesOf.get(user) ?? [])
        cookiesOf.delete(user)
        await openSignedIn(service, page, user, next)
        await act(page)
        const cookies = await page.context().cookies(service.url)
        if (cookies.some(({ name }) => name === 'refdesk_console')) cookiesOf.set(user, cookies)
      },
      { viewport: { width: 1280, height: 800 }, timezoneId: 'Europe/Copenhagen', ...options },
    )
}

async function openSignedIn(service: TestService, page: Page, user: string, next: string): Promise<void> {
  const hasSession = (await page.context().cookies(service.url)).some(({ name }) => name === 'refdesk_console')
  if (hasSession) {
    await page.goto(`${service.url}${next}`)
    if (new URL(page.url()).pathname === new URL(next, service.url).pathname) return
    await page.context().clearCookies({ name: 'refdesk_console' })
  }
  await signInToConsole(service, page, user, next)
}

/** Waits until something is where the user sees it without scrolling. */
export async function assertInView(shown: Locator): Promise<void> {
  await shown.waitFor()
  await eventually(async () => {
    const box = await shown.boundingBox()
    const height = shown.page().viewportSize()?.height ?? 0
    return box && box.y >= 0 && box.y + box.height <= height ? true : undefined
  }, 'being in view')
}

/** Through our own /authorize, as every user does. */
export async function signInToConsole(service: TestService, page: Page, user: string, next: string): Promise<void> {
  await page.goto(`${service.url}/console/login?next=${encodeURIComponent(next)}`)
  await page.getByLabel('User').fill(user)
  await page.getByLabel('Password').fill(demoPassword)
  await page.getByRole('button', { name: /^Sign in and continue to / }).click()
  await page.waitForURL(`${service.url}${next}`)
}

/** The page does not scroll sideways; what is wide scrolls in its own frame. */
export async function assertFits(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok((needed ?? 0) <= (given ?? 0), `${page.url()} is ${needed} px wide in a window of ${given}`)
}

/** The table does not scroll in its frame. */
export async function assertNotCut(table: Locator): Promise<void> {
  assert.ok(await table.evaluate((frame) => frame.scrollWidth <= frame.clientWidth))
}

/** Opens the menu of a row and follows its link to edit it. */
export async function editIn(row: Locator): Promise<void> {
  await row.locator('.row-menu summary').click()
  await row.getByRole('link', { name: /^Edit/ }).click()
}
