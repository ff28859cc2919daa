import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'

/** `isFresh`: for a visit that changes the context itself, such as its clock. `rejected`: paths that a script of the page
 *  requests and that answer with an error. */
export type VisitOptions = BrowserContextOptions & { isFresh?: boolean; rejected?: readonly string[] }

export interface ContextLease {
  readonly context: BrowserContext
  openPage(): Promise<Page>
  /** Removes what the visit left behind at these origins. */
  end(origins: readonly string[]): Promise<void>
}

/** Long, because the machine may be busy. */
const timeoutMs = 120_000

/** Contexts that are not in use, by their options: a new context costs as much as loading several pages. */
const idle = new Map<string, BrowserContext[]>()

export async function leaseContext(browser: Browser, options: VisitOptions, needsOwn: boolean): Promise<ContextLease> {
  const { isFresh = false, rejected: _, viewport = { width: 800, height: 700 }, ...others } = options
  const settings = { locale: 'en-GB', ...others }
  const isShared = !isFresh && !needsOwn && settings.storageState === undefined
  const key = JSON.stringify(settings)
  const context = (isShared ? idle.get(key)?.pop() : undefined) ?? (await browser.newContext(settings))
  context.setDefaultTimeout(timeoutMs)
  return {
    context,
    openPage: async () => {
      const page = await context.newPage()
      waitForWholePages(page)
      if (viewport) await page.setViewportSize(viewport)
      return page
    },
    end: async (origins) => {
      if (!isShared) return context.close()
      await clear(context, origins)
      idle.set(key, [...(idle.get(key) ?? []), context])
    },
  }
}

async function clear(context: BrowserContext, origins: readonly string[]): Promise<void> {
  const [page, ...others] = context.pages()
  if (page) {
    const devtools = await context.newCDPSession(page)
    for (const origin of origins) await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    for (const each of [page, ...others]) await each.close()
  }
  await context.clearCookies()
}

const waiting = new WeakSet<Locator>()

/** A click or key that opens another page ends for playwright-core when that page begins to load, and a test could read
 *  the first half of it. Here it ends when the page is parsed. */
function waitForWholePages(page: Page): void {
  const locators: Locator = Object.getPrototypeOf(page.locator('html'))
  if (waiting.has(locators)) return
  waiting.add(locators)
  for (const name of ['click', 'press'] as const) {
    const act: (this: Locator, ...given: never[]) => Promise<void> = locators[name]
    locators[name] = async function (this: Locator, ...given: unknown[]) {
      await act.apply(this, given as never[])
      await parsed(this.page())
    }
  }
}

/** The action may have closed the page. */
async function parsed(page: Page): Promise<void> {
  if (page.isClosed()) return
  await page.waitForLoadState('domcontentloaded').catch((error: Error) => {
    if (!page.isClosed()) throw error
  })
}
