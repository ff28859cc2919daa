import type { Page } from 'playwright-core'

export const laterPageBytes = 30 * 1024
const maxShift = 0.02

/** Loads a page and returns how many bytes came over the wire: headers and compressed bodies. */
export async function loadBytes(page: Page, address: string, isFirst: boolean): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await devtools.send('Network.enable')
  if (isFirst) await devtools.send('Network.clearBrowserCache')
  await page.goto(address, { waitUntil: 'networkidle' })
  await devtools.detach()
  return bytes
}

/** Collects how far elements moved without an action of the user (cumulative layout shift). */
export function observeShifts(): void {
  const store = globalThis as unknown as { shift: number }
  store.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
      if (!entry.hadRecentInput) store.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    return (globalThis as unknown as { shift: number }).shift
  })

/** A busy machine may draw a page of which only a part has arrived. What moves for another reason moves each time. */
async function leastShift(page: Page): Promise<number> {
  let least = await shiftOf(page)
  for (let time = 1; time < 3 && least >= maxShift; time++) {
    await page.reload({ waitUntil: 'networkidle' })
    least = Math.min(least, await shiftOf(page))
  }
  return least
}

/** What is too large or moves on pages that are not the first. `observeShifts` must be an init script of the page. */
export async function findExceeding(
  page: Page,
  url: string,
  pages: Readonly<Record<string, string>>,
): Promise<string[]> {
  const found: string[] = []
  for (const [name, path] of Object.entries(pages)) {
    const bytes = await loadBytes(page, `${url}${path}`, false)
    // A script that this page alone has, and no other loaded before, counts here too.
    if (bytes > laterPageBytes) found.push(`${name} has ${bytes} bytes`)
    const shift = await leastShift(page)
    if (shift >= maxShift) found.push(`${name} shifts by ${shift}`)
  }
  return found
}
