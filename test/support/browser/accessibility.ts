import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AxeResults, Result } from 'axe-core'
import type { Page } from 'playwright-core'

export type ColorScheme = 'light' | 'dark'

interface Options {
  /** All rules unless given. */
  rules?: readonly string[]
  /** Also report contrasts that axe-core could not compute, for pages with plain backgrounds. */
  isContrastKnown?: boolean
}

/** The rules whose result depends on the colour scheme. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** A page may take long to settle on a busy machine, where a run of axe-core takes long too. */
const limitMs = 30_000
const minRuns = 3

const source = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** All rules in light colours, and in dark colours the rules that depend on them. */
export async function assertAccessible(page: Page, what: string, options: Options = {}): Promise<void> {
  assert.deepEqual(await accessibilityErrors(page, 'light', options), [], `${what}, light`)
  const dark = await accessibilityErrors(page, 'dark', { ...options, rules: colorRules })
  assert.deepEqual(dark, [], `${what}, dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** What axe-core reports about the page in these colours. A page may still be applying them, so an error counts only if
 *  it is still reported when the limit is reached. */
export async function accessibilityErrors(
  page: Page,
  colorScheme: ColorScheme,
  options: Options = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await prepare(page)
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction(isApplied, colorScheme)
  const since = performance.now()
  for (let run = 1; ; run++) {
    const errors = await runAxe(page, options)
    if (errors.length === 0 || (run >= minRuns && performance.now() - since > limitMs)) return errors
  }
}

/** The API reader applies a colour scheme by script, as a class of the body. */
function isApplied(colorScheme: ColorScheme): boolean {
  const classes = document.body.classList
  const isBySheet = !classes.contains('light-mode') && !classes.contains('dark-mode')
  const isPreferred = matchMedia(`(prefers-color-scheme: ${colorScheme})`).matches
  return isPreferred && (isBySheet || classes.contains(`${colorScheme}-mode`))
}

/** Loads axe-core, and switches transitions off: colours in transition have no contrast to measure. A rule for all
 *  elements with a short duration would not do, because an inherited colour then changes one level per frame. */
async function prepare(page: Page): Promise<void> {
  await page.evaluate(source)
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, ::before, ::after { transition: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })
}

/** What axe-core cannot judge, such as text in a chart or outside the visible part of a scrolling frame, is no error. */
async function runAxe(page: Page, { rules, isContrastKnown = false }: Options): Promise<string[]> {
  const resultTypes = isContrastKnown ? ['violations', 'incomplete'] : ['violations']
  const settings = { resultTypes, preload: false, ...(rules && { runOnly: rules }) }
  const { violations, incomplete } = await page.evaluate(async (given) => {
    // Scripts may follow a change of the colours in the first frame.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    return axe.run(given)
  }, settings)
  const unknown = isContrastKnown ? incomplete.filter(({ id }) => id === 'color-contrast') : []
  const describe = ({ id, nodes }: Result) => nodes.map(({ html }) => `${id}: ${html}`)
  return [...violations, ...unknown].flatMap(describe)
}
