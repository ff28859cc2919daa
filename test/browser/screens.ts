import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { connectBrowser } from '../support/browser/browser.ts'
import { offerBrowser } from '../support/browser/chromium.ts'
import { consolePages, operatorPages } from '../support/browser/console-pages.ts'
import { demoApps, demoPassword } from '../support/demo.ts'
import { authorizeUrl, codeRequest, pkcePair } from '../support/sign-in.ts'

/** Takes the screenshots in docs/screens, from a new service with demo data: node test/browser/screens.ts */
const url = 'http://localhost:5080'
const root = fileURLToPath(new URL('../..', import.meta.url))
const docs = join(root, 'docs', 'screens')
const [folder = docs] = process.argv.slice(2)
const inDocs = await readdir(docs)
const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } }

async function startService(dataDir: string): Promise<ChildProcess> {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '5080', PUBLIC_URL: url, LOG_LEVEL: 'error' }
  const started = spawn(process.execPath, ['src/cli/cli.ts', 'serve'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // The start message is printed once the service listens.
  if (started.stdout) await Promise.race([once(started.stdout, 'data'), once(started, 'exit')])
  if (started.exitCode !== null) throw new Error('The service did not start.')
  return started
}

/** As WebP, a third of the size of a PNG. Playwright's own screenshots cannot be WebP. */
async function screenshotOf(page: Page, fullPage: boolean): Promise<Buffer> {
  await page.waitForLoadState()
  const devtools = await page.context().newCDPSession(page)
  const { cssContentSize, cssVisualViewport } = await devtools.send('Page.getLayoutMetrics')
  const height = fullPage ? cssContentSize.height : cssVisualViewport.clientHeight
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 70,
    captureBeyondViewport: fullPage,
    clip: { x: 0, y: 0, width: cssVisualViewport.clientWidth, height, scale: 1 },
  })
  await devtools.detach()
  return Buffer.from(data, 'base64')
}

type Take = (name: string, fullPage?: boolean) => Promise<unknown>

/** The pages of the authorization server: signing in, its errors, signing out. */
async function takeSignInPages(page: Page, take: Take): Promise<void> {
  const mobile = { ...codeRequest, client_id: demoApps[1]?.AppKey ?? '', redirect_uri: `${url}/callback` }
  const pkce = { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' }
  await page.goto(url)
  await take('home-signed-out')
  await page.goto(authorizeUrl(url, { ...codeRequest, client_id: 'f'.repeat(32) }))
  await take('error')
  await page.goto(authorizeUrl(url, codeRequest))
  await take('sign-in')
  await signIn(page, 'not her password')
  await page.getByRole('alert').waitFor()
  await take('wrong-password')
  await page.goto(authorizeUrl(url, { ...mobile, ...pkce, prompt: 'login' }))
  await signIn(page, demoPassword)
  await page.waitForURL(`${url}/callback?**`)
  await take('not-here')
  await page.goto(authorizeUrl(url, { ...mobile, ...pkce, prompt: 'consent' }))
  await take('continue')
  await page.goto(`${url}/logout`)
  await take('sign-out')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  await take('signed-out')
}

async function signIn(page: Page, password: string, user = 'ada'): Promise<void> {
  await page.getByLabel('User').fill(user)
  await page.getByLabel('Password').fill(password)
  await page.locator('button[value=allow]').click()
}

async function takeConsolePages(page: Page, take: Take): Promise<void> {
  await page.goto(`${url}/console/login?next=/`)
  await signIn(page, demoPassword)
  await page.waitForURL(`${url}/`)
  for (const [name, path] of Object.entries(consolePages)) {
    await page.goto(`${url}${path}`)
    await take(name)
  }
  await page.goto(url)
  await page.getByRole('button', { name: 'Get a 24-hour token' }).click()
  await page.waitForURL(`${url}/console/token`)
  await take('token')
  await page.goto(`${url}/console/api`)
  await page
    .getByRole('heading', { name: /^refdesk/ })
    .first()
    .waitFor()
  await page.waitForTimeout(1_000)
  await take('api', false)
}

/** As bo, because the menu of an operator has more entries: ada's pages are those of a usual user. */
async function takeOperatorPages(page: Page, take: Take): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${url}/console/login?next=/`)
  await signIn(page, demoPassword, operator)
  await page.waitForURL(`${url}/`)
  for (const [name, path] of Object.entries(operatorPages)) {
    await page.goto(`${url}${path}`)
    await take(name)
  }
  await page.goto(`${url}${operatorPages.import}`)
  await page.getByText('Paste text instead').click()
  const record = { kind: 'exchange', ExchangeId: 'TYO', Name: 'Tokyo', CountryCode: 'JP', TimeZone: 'Asia/Tokyo' }
  await page.getByLabel('Records or messages').fill(JSON.stringify(record))
  await page.getByRole('button', { name: 'Check files' }).click()
  await page.getByRole('button', { name: 'Delete files' }).waitFor()
  await take('import-checked')
}

const operator = 'bo'
const dataDir = await mkdtemp(join(tmpdir(), 'refdesk-screens-'))
const offered = await offerBrowser()
process.env.REFDESK_TEST_BROWSER = offered.address
await mkdir(folder, { recursive: true })
let service: ChildProcess | undefined
try {
  service = await startService(dataDir)
  const env = { ...process.env, DATA_DIR: dataDir }
  await promisify(execFile)(process.execPath, ['src/cli/cli.ts', 'users', 'operator', operator], { cwd: root, env })
  const browser = await connectBrowser()
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB' })
      const page = await context.newPage()
      const take: Take = async (name, fullPage = true) => {
        const file = `${name}-${size}-${colorScheme}.webp`
        if (folder !== docs || inDocs.includes(file))
          await writeFile(join(folder, file), await screenshotOf(page, fullPage))
      }
      await takeSignInPages(page, take)
      await takeConsolePages(page, take)
      await takeOperatorPages(page, take)
      await context.close()
    }
} finally {
  await offered.close()
  if (service?.kill('SIGTERM')) await once(service, 'exit')
  await rm(dataDir, { recursive: true, force: true })
}
