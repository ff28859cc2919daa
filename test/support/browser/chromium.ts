import { execFile } from 'node:child_process'
import { access, constants, lstat, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BrowserServer, chromium } from 'playwright-core'

const run = promisify(execFile)

interface Executable {
  path: string
  env?: Record<string, string>
}

/** Not the arguments of @sparticuz/chromium: they run a single process, which crashes with a second context. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
]

/** Answers every GET with the address of one Chromium, launched by the first: a run without browser tests has none. */
export async function offerBrowser(): Promise<{ address: string; close(): Promise<void> }> {
  let launched: Promise<BrowserServer> | undefined
  const server = createServer((_request, response) => {
    launched ??= launchBrowser()
    launched.then(
      (browser) => response.end(browser.wsEndpoint()),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await launched?.then((browser) => browser.close()).catch(() => undefined)
    },
  }
}

async function launchBrowser(): Promise<BrowserServer> {
  const { path, env } = await findExecutable()
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  const full = { ...(process.env as Record<string, string>), ...env }
  return chromium.launchServer({ executablePath: path, args, env: full, timeout: 60_000, ...signals })
}

/** CHROME_PATH, else the Chromium from npm (Linux x64 only), else an installed one. */
async function findExecutable(): Promise<Executable> {
  const wished = process.env.CHROME_PATH
  if (wished) return { path: wished }
  if (process.platform === 'linux' && process.arch === 'x64') return unpackedChromium()
  const installed = await firstExecutable()
  if (installed) return { path: installed }
  if (await canInstall()) {
    process.stdout.write('No Chromium found. Installing it with apt-get.\n')
    await run('apt-get', ['update'], { timeout: 300_000 })
    const install = (name: string) =>
      run('apt-get', ['install', '-y', '--no-install-recommends', name], { timeout: 600_000 })
    await install('chromium-headless-shell').catch(() => install('chromium'))
    const fresh = await firstExecutable()
    if (fresh) return { path: fresh }
  }
  throw new Error('The browser tests need Chromium or Chrome. Install it, or set CHROME_PATH to its path.')
}

async function firstExecutable(): Promise<string | undefined> {
  const usual = [
    // Without windows to draw it needs two thirds of the processor time.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
  for (const path of usual) if (await isExecutable(path)) return path
  return undefined
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

const canInstall = async (): Promise<boolean> => process.getuid?.() === 0 && (await isExecutable('/usr/bin/apt-get'))

/** Unpacked once per user and version, aside and then renamed: never half a file, never another user's. */
async function unpackedChromium(): Promise<Executable> {
  const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')))
  const { uid } = userInfo()
  const folder = join(tmpdir(), `refdesk-chromium-${await versionOf(packed)}-${uid}`)
  if (!(await isExecutable(join(folder, 'chromium')))) await unpackInto(folder, packed)
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== uid) throw new Error(`${folder} belongs to someone else: remove it.`)
  const path = join(folder, 'chromium')
  const env: Record<string, string> = {}
  const { stdout } = await run('ldd', [path]).catch(() => ({ stdout: 'not found' }))
  if (stdout.includes('not found')) env.LD_LIBRARY_PATH = join(folder, 'al2023', 'lib')
  await access('/etc/fonts/fonts.conf').catch(() => {
    env.FONTCONFIG_PATH = join(folder, 'fonts')
  })
  return { path, env }
}

async function versionOf(packed: string): Promise<string> {
  const manifest = await import(join(packed, '..', 'package.json'), { with: { type: 'json' } })
  return manifest.default.version
}

/** The package unpacks into the temporary folder and trusts existing files there, so it gets a new private one. */
async function unpackInto(folder: string, packed: string): Promise<void> {
  const making = await mkdtemp(`${folder}-`)
  const usual = process.env.TMPDIR
  process.env.TMPDIR = making
  try {
    const { default: sparticuz, inflate } = await import('@sparticuz/chromium')
    await sparticuz.executablePath()
    await inflate(join(packed, 'al2023.tar.br'))
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }))
}
