import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import {
  commandsOf,
  fencesOf,
  isOfPackage,
  listGuides,
  mayBeSilent,
  outputsIn,
  packageGuide,
  plainMessage,
  programOf,
  readProject,
  startCommand,
  startMessageOfReadme,
} from '../support/readme.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { isLongRun } from '../support/runner/long-tests.ts'
import { childrenOf, freePort, projectFolder } from '../support/service/process.ts'

const pages = ['README.md', ...(await listGuides())]
const fences = fencesOf(await readProject('README.md'))
const testing = 'npm ci && npm test\n'

/** A fresh clone with data and files of its own, which shares the project's packages. */
async function cloneProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-readme-'))
  const entries = (await readdir(projectFolder)).filter((name) => !['.git', 'data', 'dist'].includes(name))
  for (const name of entries) await symlink(join(projectFolder, name), join(folder, name))
  return folder
}

const clone = await cloneProject()
const port = String(await freePort())
const atPort = (text: string): string => text.replaceAll('localhost:4700', `localhost:${port}`)
const { PATH = '', TMPDIR = tmpdir(), REFDESK_TEST_LOG: logs = '' } = process.env
const env = {
  ...{ PATH, TMPDIR, HOME: clone, PORT: port },
  ...{ npm_config_offline: 'true', npm_config_update_notifier: 'false' },
  ...(logs === '' ? {} : { NODE_COMPILE_CACHE: join(dirname(logs), 'compiled') }),
}

let service: ChildProcess | undefined
after(async () => {
  if (service?.exitCode === null) {
    const ended = new Promise((resolve) => service?.once('close', resolve))
    service.kill('SIGTERM')
    await ended
  }
  await rm(clone, { recursive: true, force: true, maxRetries: 5 })
})

/** Runs `npm start` and returns its start message. */
async function startAsReader(): Promise<string> {
  const npm = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'] })
  service = npm
  let [message, log] = ['', '']
  npm.stderr.on('data', (chunk: Buffer) => {
    log += chunk
    if (logs !== '') appendFileSync(join(logs, `readme-${npm.pid}.log`), chunk)
  })
  await new Promise<void>((resolve, reject) => {
    npm.stdout.on('data', (chunk: Buffer) => {
      message += chunk
      if (message.includes('is ready.') && message.endsWith('\n')) resolve()
    })
    npm.once('close', (code) => reject(new Error(`npm start ended with ${code}: ${log}`)))
  })
  noteSecret('token of the start message', /Bearer ([\w.-]+)/.exec(message)?.[1] ?? '')
  return message
}

// Outside a test: on a busy machine it takes longer than a test may.
const message = await startAsReader()

test('every command block of the README and the guides is run', async () => {
  for (const page of pages) {
    const blocks = fencesOf(await readProject(page))
    const unknown = blocks.filter(({ language }) => !['sh', 'ts', 'text', 'json', 'yaml', 'mermaid'].includes(language))
    assert.deepEqual(unknown, [], page)
    assert.equal(blocks.filter(isOfPackage).length, page === packageGuide ? 1 : 0, page)
  }
})

test('npm start prints what the README shows', async () => {
  assert.equal(plainMessage(message), await startMessageOfReadme())
})

test('CI runs the test command of the README', async () => {
  assert.ok(fences.some(({ text }) => text === testing))
  const ci = (await readProject('.ci/run')).split('\n').filter((line) => !/^(#|set |cd |$)/.test(line))
  assert.deepEqual(ci, [testing.trim()])
})

/** What the pages say that their commands print, by a part of the command. */
const promises: Record<string, [part: string, shown: RegExp][]> = {
  'README.md': [
    ['Keywords=apple&', /"Identifier":1000,.*"Symbol":"AAPL:xnas"/],
    ['details/1000/Stock"', /"OptionRootId":1,/],
    ['contractoptionspaces/1?', /"PutCall":"Call"/],
    ['/ca/v2/events?', /"EventId":/],
    ['apple.mts', /^AAPL:xnas Apple Inc\.$/m],
  ],
  'docs/guides/reference-data.md': [
    ['Keywords=appel', /AAPL:xnas/],
    ['Keywords=nestlé', /NESN/],
    ['contractoptionspaces/1?', /PutCall: 'Call'.*StrikePrice: /s],
    ['/batch"', /^HTTP\/1\.1 200 OK.*AAPL:xnas.*^HTTP\/1\.1 200 OK.*"ExchangeId":"NASDAQ"/ms],
  ],
  'docs/guides/corporate-actions.md': [
    ['CorporateActionTypes=Voluntary&', /"EventId":/],
    ['-X POST', /"Name":"My choices"/],
  ],
  'docs/guides/apps-and-secrets.md': [
    ['echo "$APP"', /"AppKey":"[0-9a-f]{32}".*"Secret":"[0-9a-f]{32}"/],
    ['redirecturis"', /"Uri":"http:\/\/localhost:3000\/callback"/],
    ['$KEY/secrets" -d', /"Secret":"[0-9a-f]{32}"/],
    ['secret rotate', /[0-9a-f]{32}/],
  ],
  'docs/guides/time-travel-and-faults.md': [
    ['for i in', /(?=.*200)(?=.*503)^(?:(?:200|503) ?){20}$/],
    ['$NEXT" "$X/clock"', /"IsTravelled":false/],
  ],
  'docs/guides/as-of.md': [
    ['DIVI-1" ', /"NetRate":0\.4\b/],
    ['DIVI-1?AsOf', /"NetRate":0\.5\b/],
  ],
  'docs/guides/testing.md': [
    ['snapshot list', /^start /m],
    ['node --test', /pass 3\b/],
  ],
  'docs/guides/your-own-data.md': [['import mine.ndjson', /^instrument +1 /m]],
  'docs/guides/command-line.md': [['apps list', /0123456789abcdef0123456789abcdef/]],
  'docs/guides/deploying.md': [['apps create', /[0-9a-f]{32}/]],
}

/** Runs all commands of a page in one shell; fails where a command fails. */
function runAsReader(page: string, commands: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const options = { cwd: clone, env, timeout: 300_000, maxBuffer: 2 ** 26 }
    const program = programOf(commands, page !== 'README.md')
    const child = execFile('bash', ['-c', program], options, (error, stdout, stderr) => {
      const outputs = outputsIn(stdout)
      if (!error) return resolve(outputs)
      const failed = `${commands[outputs.length - 1]}\n${outputs.at(-1)?.slice(0, 2000)}\n${stderr}`
      reject(new Error(`${error.killed ? 'Timed out' : 'A command failed'} in ${page}: ${failed}`))
    })
    child.stdin?.end()
  })
}

async function commandsOfPage(page: string): Promise<string[]> {
  const blocks = fencesOf(await readProject(page))
  const isRunHere = (text: string) => text !== startCommand && text !== testing
  const chosen = blocks.filter((fence) => fence.language === 'sh' && isRunHere(fence.text) && !isOfPackage(fence))
  const commands = commandsOf(atPort(chosen.map(({ text }) => text).join('\n')))
  // The clone shares its packages with the project: only a build, which writes to dist/, may run npm.
  const unsafe = commands.filter((command) => /\bnpm /.test(command.replace('npm run build', '')))
  assert.deepEqual(unsafe, [])
  return commands
}

const example = fences.find(({ language }) => language === 'ts')?.text ?? ''
await writeFile(join(clone, 'apple.mts'), atPort(example))

/** How to find the password and secrets that commands print; no log may contain them. */
const secretPattern = /"(?:Secret|access_token)":"([^"]+)"|: (\S{16,})$/gm

for (const page of isLongRun ? pages : ['README.md'])
  test(`every command of ${page} works as printed`, async () => {
    const commands = await commandsOfPage(page)
    const outputs = await runAsReader(page, commands)
    for (const [, json, line] of outputs.join('\n').matchAll(secretPattern)) noteSecret(page, json ?? line ?? '')
    assert.equal(outputs.length, commands.length)
    for (const [index, command] of commands.entries()) {
      assert.ok(outputs[index] !== '' || mayBeSilent(command), `it prints nothing: ${command}`)
      assert.doesNotMatch(outputs[index] ?? '', /^HTTP\/1\.1 [45]/m, command)
    }
    for (const [part, shown] of promises[page] ?? []) {
      const index = commands.findIndex((command) => command.includes(part))
      assert.match(outputs[index] ?? '', shown, part)
    }
    const signIn = outputs.find((output) => output.startsWith('http'))
    if (signIn !== undefined) assert.match(await (await fetch(signIn)).text(), /My Charts/)
  })

// It needs what the commands of its guide have written.
if (isLongRun)
  test('the pytest example of the testing guide passes, where there is pytest', async (t) => {
    const run = (command: string) => runAsReader('docs/guides/testing.md', [command])
    const hasPytest = await run('python3 -m pytest --version 2>&1').then(
      () => true,
      () => false,
    )
    if (!hasPytest) return t.skip('no pytest')
    const save = 'TOKEN=$(npx refdesk token)\nexport TOKEN\nnpx refdesk snapshot save start'
    const [output] = await run(`${save}\npython3 -m pytest -q -p no:cacheprovider test_world.py`)
    assert.match(output ?? '', /2 passed/)
  })

test('the deploying guide lists the metrics of the service', async () => {
  const metrics = await (await fetch(`http://localhost:${port}/metrics`)).text()
  const guide = await readProject('docs/guides/deploying.md')
  const served = [...metrics.matchAll(/^# TYPE (refdesk_\w+)/gm)].map(([, name = '']) => name)
  const listed = [...guide.matchAll(/`(refdesk_\w+)`/g)].map(([, name = '']) => name)
  assert.deepEqual(
    [served.filter((name) => !guide.includes(name)), listed.filter((name) => !metrics.includes(name))],
    [[], []],
  )
})

test('every page with expected output exists', () => {
  assert.deepEqual(
    Object.keys(promises).filter((page) => !pages.includes(page)),
    [],
  )
})

test('a closed terminal, which sends two signals, stops the service cleanly', async () => {
  assert.ok(service?.pid && service.exitCode === null, 'the service runs')
  const ended = new Promise((resolve) => service?.once('close', resolve))
  const [node] = await childrenOf(service.pid)
  assert.ok(node, 'npm has started the service')
  process.kill(node, 'SIGHUP')
  process.kill(node, 'SIGHUP')
  assert.equal(await ended, 0)
})
