import { glob, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedDatabase } from '../src/database/embedded/embedded.ts'
import { isAlive } from '../src/database/embedded/postmaster.ts'
import { offerBrowser } from './support/browser/chromium.ts'
import { readResponses } from './support/openapi/responses-seen.ts'
import { checkLogs } from './support/runner/log-check.ts'
import { longTests } from './support/runner/long-tests.ts'
import { Processes } from './support/runner/processes.ts'
import { startTestDatabase } from './support/runner/test-postgres.ts'
import { root } from './support/sources.ts'

/** Runs the tests with one PostgreSQL and one Chromium; without files also tsc and biome.
 *  node test/run.ts [--all] [--coverage-report] [files...] */
const words = process.argv.slice(2)
if (words.includes('--all')) process.env.REFDESK_TEST_LONG = 'yes'
const wantsReport = words.includes('--coverage-report')
const files = words.filter((word) => !word.startsWith('--'))
const isWholeSuite = files.length === 0 && !wantsReport

/** The only limit: whatever hangs is reported after this long. */
const limitMinutes = 80
/** Tests wait for a browser and for other processes. More workers than this make each other slower. */
const workers = Math.min(availableParallelism() + 1, 8)
const isolatedAtOnce = 2

await removeFoldersOfKilledRuns()
const folder = await mkdtemp(join(tmpdir(), `refdesk-test-${process.pid}-`))
const logs = join(folder, 'logs')
const processes = new Processes({ REFDESK_TEST_LOG: logs, REFDESK_TEST_RESULTS: folder })
const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => processes.stop())
const limit = setTimeout(() => {
  console.log(`The tests are stopped after ${limitMinutes} minutes.`)
  processes.stop()
}, limitMinutes * 60_000)

let database: Promise<EmbeddedDatabase> | undefined
let browser: Awaited<ReturnType<typeof offerBrowser>> | undefined
try {
  await mkdir(logs)
  database = startTestDatabase(folder)
  browser = await offerBrowser()
  processes.env.REFDESK_TEST_BROWSER = browser.address
  const passed = isWholeSuite ? await runSuite() : await runChosen()
  const isInOrder = !processes.isStopped && (await areLogsClean()) && (await areResponsesSeen())
  await printSlowest()
  await printFailures()
  process.exitCode = passed && isInOrder ? 0 : 1
} finally {
  clearTimeout(limit)
  await browser?.close()
  await database?.then((started) => started.stop()).catch(() => undefined)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function removeFoldersOfKilledRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^refdesk-test-(\d+)-\w+$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

async function databaseReady(): Promise<void> {
  processes.env.REFDESK_TEST_DATABASE = JSON.stringify((await database)?.connection)
}

async function runChosen(): Promise<boolean> {
  await databaseReady()
  const chosen = wantsReport && files.length === 0 ? await allTests() : files
  const coverage = [
    '--experimental-test-coverage',
    '--test-coverage-exclude=**/*.test.ts',
    '--test-coverage-include=src/**/*.ts',
  ]
  const args = ['--test-reporter=spec', `--test-concurrency=${workers}`, ...(wantsReport ? coverage : [])]
  return processes.nodeTest(args, chosen, process.cwd())
}

/** What needs no database runs while the database starts. A type error or a lint error ends the run at once. */
async function runSuite(): Promise<boolean> {
  const all = await allTests()
  const isOfRules = (file: string): boolean => /[\\/]rules[\\/]/.test(file)
  const isNextToCode = (file: string): boolean => file.startsWith('src')
  const isIsolated = (file: string): boolean => /^test[\\/](faults|package|generators)[\\/]/.test(file)
  // With several checkers tsc needs twice the processor time, which the concurrent tests need.
  const checks = Promise.all([processes.program('tsc', ['--checkers', '1']), processes.program('biome', ['check'])])
  const early = [
    checks.then(([types, lint]) => {
      if (!types || !lint) processes.stop()
      return types && lint
    }),
    processes.nodeTest(rulesCoverage(), all.filter(isOfRules)),
    processes.worker(
      all.filter((file) => isNextToCode(file) && !isOfRules(file)),
      compiled,
    ),
  ]
  await databaseReady()
  const isLong = (file: string): number => Number(/package|campaign|orphans|service/.test(file))
  const isolated = all.filter(isIsolated).toSorted((a, b) => isLong(a) - isLong(b))
  const shared = await inOrderOfCost(all.filter((file) => !isNextToCode(file) && !isIsolated(file)))
  const passed = await Promise.all([
    ...early,
    ...Array.from({ length: workers }, () => processes.worker(shared, compiled)),
    ...Array.from({ length: isolatedAtOnce }, () => runIsolated(isolated)),
  ])
  return passed.every((each) => each)
}

async function allTests(): Promise<string[]> {
  const patterns = ['{src,test,bench}/**/*.test.ts']
  const found = await Array.fromAsync(glob(patterns, { cwd: root, exclude: ['**/node_modules/**'] }))
  const names = new Map(found.map((file) => [file.replaceAll('\\', '/'), file]))
  const unknown = longTests.filter((name) => !names.has(name))
  if (unknown.length > 0) throw new Error(`There is no test file ${unknown.join(', ')}.`)
  if (!words.includes('--all') && !wantsReport) for (const name of longTests) names.delete(name)
  return [...names.values()].sort()
}

/** The longest first, so that none is left alone at the end: those that do much with few lines, then by their length. */
async function inOrderOfCost(chosen: readonly string[]): Promise<string[]> {
  const sized = await Promise.all(
    chosen.map(async (file) => ({
      file,
      cost: (await stat(join(root, file))).size * costPerByte(file),
    })),
  )
  return sized.toSorted((a, b) => b.cost - a.cost).map(({ file }) => file)
}

function costPerByte(file: string): number {
  if (/fuzz|looks|catalogue-merge/.test(file)) return 200
  return /browser|journeys|catalogue-|reset/.test(file) ? 20 : 1
}

/** Tests of processes, which they start and kill: each file has a process of its own. */
async function runIsolated(queue: string[]): Promise<boolean> {
  let passed = true
  // From the end: the longest are there.
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const one = await processes.file(file, compiled)
    passed &&= one
  }
  return passed
}

/** Rules decide, so their own tests cover every branch of them. */
function rulesCoverage(): string[] {
  const included = ['--test-coverage-include=src/**/rules/*.ts', '--test-coverage-include-all']
  const complete = ['branches', 'functions', 'lines'].map((what) => `--test-coverage-${what}=100`)
  const measured = ['--experimental-test-coverage', '--test-coverage-exclude=**/*.test.ts', ...included, ...complete]
  return ['--test-isolation=none', '--test-reporter=dot', ...measured]
}

async function areLogsClean(): Promise<boolean> {
  const { secrets, lines, found } = await checkLogs(logs)
  for (const sentence of found) console.log(`log check: ${sentence}`)
  if (found.length > 0) return false
  if (isWholeSuite && (secrets === 0 || lines === 0)) {
    console.log(`log check: ${secrets} secrets and ${lines} log lines: there was nothing to check`)
    return false
  }
  console.log(`log check: ${secrets} secrets, ${lines} log lines, none found`)
  return true
}

/** Every response was validated against /openapi.json. The whole suite must show every documented status. */
async function areResponsesSeen(): Promise<boolean> {
  const { operations, statuses, responses, missing } = await readResponses(logs)
  if (isWholeSuite || responses > 0)
    console.log(`responses: ${operations} operations, ${statuses} statuses, ${responses} responses checked`)
  if (!isWholeSuite) return true
  for (const sentence of missing) console.log(`responses: ${sentence}`)
  return missing.length === 0 && responses > 0
}

async function printSlowest(): Promise<void> {
  if (!isWholeSuite) return
  const lines = (await readFile(join(folder, 'durations'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean)
  const durations = lines.map((line) => JSON.parse(line) as [string, number]).toSorted(([, a], [, b]) => b - a)
  console.log('\nThe slowest files, in seconds:')
  for (const [file, milliseconds] of durations.slice(0, 20))
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(7)}  ${file}`)
  console.log(`${Math.round(process.uptime())} seconds in all`)
}

async function printFailures(): Promise<void> {
  const failures = await readFile(join(folder, 'failures'), 'utf8').catch(() => '')
  if (failures !== '') console.log(`\nFailed tests:\n\n${failures}`)
}
