import { type ChildProcess, spawn } from 'node:child_process'
import { glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type EmbeddedDatabase, startEmbedded } from '../src/database/embedded/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { offerBrowser } from './support/browser/chromium.ts'
import { readAnswers } from './support/openapi/responses-seen.ts'
import { checkLogs } from './support/runner/log-check.ts'
import { administer, demoTemplate, template } from './support/service/postgres.ts'
import { loadWholeDemo } from './support/service/service.ts'

/** The test runner: one PostgreSQL and one Chromium for all test files, and a look into the logs at the end.
 *  node test/run.ts [--coverage-report] [files...] */
const words = process.argv.slice(2)
const wantsReport = words.includes('--coverage-report')
const files = words.filter((word) => !word.startsWith('--'))
const isWholeSuite = files.length === 0
const allTests = ['src/**/*.test.ts', 'test/**/*.test.ts']
const root = fileURLToPath(new URL('..', import.meta.url))
/** A process of its own costs a file more than most unit tests do. What needs one stands in test/. */
const oneProcess = ['--test-isolation=none']
const toTheEnd = pathToFileURL(join(root, 'test/support/runner/exit-guard.ts')).href
/** So many test files, or bundles of them, are under way at once. */
const atOnce = 3
/** More than are under way, so that none is left alone at the end; few, since each reads and compiles anew. */
const bundleCount = 8

const tests = new Set<ChildProcess>()
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true
    for (const child of tests) child.kill('SIGTERM')
  })
}

const folder = await mkdtemp(join(tmpdir(), 'refdesk-test-'))
const logs = join(folder, 'logs')
let database: EmbeddedDatabase | undefined
let browser: Awaited<ReturnType<typeof offerBrowser>> | undefined
try {
  await mkdir(logs)
  database = await startDatabase()
  browser = await offerBrowser()
  const passed = !interrupted && (await runTests(database, browser.address))
  const clean = !interrupted && (await logsAreClean())
  const shown = !interrupted && (await answersAreShown())
  process.exitCode = passed && clean && shown ? 0 : 1
} finally {
  await browser?.close()
  await database?.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Nothing here has to survive a crash, so nothing waits for the disk. */
async function startDatabase(): Promise<EmbeddedDatabase> {
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
  const say = (fields: object, message: string) => console.error(message, fields)
  const log = { info: () => undefined, warn: say, error: say }
  const started = await startEmbedded({ dataDir: join(folder, 'data'), log, settings })
  try {
    await administer(started.connection, `create database ${template}`)
    await migrate({ ...started.connection, database: template })
    await administer(started.connection, `create database ${demoTemplate} template ${template}`)
    await loadWholeDemo({ ...started.connection, database: demoTemplate })
    // Nobody can connect to a template, so nobody can be in the way of copying it.
    for (const name of [template, demoTemplate])
      await administer(started.connection, `alter database ${name} with is_template true allow_connections false`)
  } catch (error) {
    await started.stop()
    throw error
  }
  return started
}

async function runTests({ connection }: EmbeddedDatabase, browserAddress: string): Promise<boolean> {
  const env = {
    ...process.env,
    REFDESK_TEST_DATABASE: JSON.stringify(connection),
    REFDESK_TEST_BROWSER: browserAddress,
    REFDESK_TEST_LOG: logs,
  }
  if (!isWholeSuite) return runFiles(files, coverage(), env)
  const all = (await Array.fromAsync(glob(allTests, { cwd: root, exclude: ['**/node_modules/**'] }))).sort()
  if (wantsReport) return runFiles(all, coverage(), env)
  const isOfRule = (file: string): boolean => /[\\/]rules[\\/]/.test(file)
  const isBesideCode = (file: string): boolean => file.startsWith('src')
  const isBundled = (file: string): boolean => /^test[\\/](api|browser|journeys)[\\/]/.test(file)
  const groups = {
    rules: all.filter(isOfRule),
    besideCode: all.filter((file) => isBesideCode(file) && !isOfRule(file)),
    bundled: all.filter(isBundled),
    others: all.filter((file) => !isBesideCode(file) && !isBundled(file)),
  }
  // Rules decide, so every branch of them is tested, by their own tests. The others need no counting, and start much
  // sooner with what was compiled before; the two do not go together.
  if (!(await runFiles(groups.rules, [...oneProcess, ...coverage()], env))) return false
  const compiled = { ...env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const passed = await Promise.all([
    runFiles(groups.besideCode, oneProcess, compiled, 'pipe'),
    // They mostly wait for processes that they start.
    runFiles(groups.others, ['--test-concurrency=2'], compiled, 'pipe'),
    runFiles(await bundle(groups.bundled), [], compiled),
  ])
  return passed.every((one) => one)
}

/** Files that run these, one after the other: a process that has run one has read and compiled most of what the next one
 *  needs, which is half the cost of a file. They are dealt like cards, as neighbours are alike in what they cost. */
async function bundle(chosen: readonly string[]): Promise<string[]> {
  const together = pathToFileURL(join(root, 'test/support/runner/bundle.ts')).href
  const bundles = Array.from({ length: bundleCount }, (_, index) => join(folder, `together-${index + 1}.test.mjs`))
  for (const [index, path] of bundles.entries()) {
    const dealt = chosen.filter((_, place) => place % bundleCount === index)
    const addresses = Object.fromEntries(dealt.map((file) => [file, pathToFileURL(join(root, file)).href]))
    await writeFile(path, `import { runTogether } from '${together}'\nrunTogether(${JSON.stringify(addresses)})\n`)
  }
  return bundles
}

/** Piped, its words come in one piece at its end, so that they do not mix with those of another. */
function runFiles(
  chosen: readonly string[],
  more: readonly string[],
  env: NodeJS.ProcessEnv,
  words: 'inherit' | 'pipe' = 'inherit',
): Promise<boolean> {
  if (interrupted) return Promise.resolve(false)
  // Without files, Node would look for some itself.
  if (chosen.length === 0) return Promise.resolve(true)
  const limits = [`--test-concurrency=${atOnce}`, '--test-timeout=120000']
  const args = ['--import', toTheEnd, '--test', '--test-reporter=spec', ...limits, ...more]
  const cwd = isWholeSuite ? root : process.cwd()
  const child = spawn(process.execPath, [...args, ...chosen], { cwd, stdio: ['inherit', words, 'inherit'], env })
  tests.add(child)
  const said: Buffer[] = []
  child.stdout?.on('data', (part: Buffer) => said.push(part))
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code) => {
      tests.delete(child)
      process.stdout.write(Buffer.concat(said))
      resolve(code === 0)
    }),
  )
}

/** All branches of all rules; the report over everything is for reading. */
function coverage(): string[] {
  const measured = ['--experimental-test-coverage', '--test-coverage-exclude=**/*.test.ts']
  if (wantsReport) return [...measured, '--test-coverage-include=src/**/*.ts']
  if (!isWholeSuite) return []
  const whole = ['branches', 'functions', 'lines'].map((what) => `--test-coverage-${what}=100`)
  return [...measured, '--test-coverage-include=src/**/rules/*.ts', '--test-coverage-include-all', ...whole]
}

async function logsAreClean(): Promise<boolean> {
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

/** Every answer was held against /openapi.json as it went out; the whole suite shows all that the document tells. */
async function answersAreShown(): Promise<boolean> {
  const { operations, statuses, answers, missing } = await readAnswers(logs)
  if (isWholeSuite || answers > 0)
    console.log(`answers: ${operations} operations, ${statuses} statuses, ${answers} answers checked`)
  if (!isWholeSuite) return true
  for (const sentence of missing) console.log(`answers: ${sentence}`)
  return missing.length === 0 && answers > 0
}
