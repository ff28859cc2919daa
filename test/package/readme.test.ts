import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { glob, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { after, test } from 'node:test'
import {
  anchorsOf,
  commandsOf,
  fencesOf,
  isOfPackage,
  linksOf,
  mayBeSilent,
  outputsIn,
  programOf,
  readProject,
} from '../support/readme.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { freePort, projectFolder } from '../support/service/process.ts'

const readme = await readProject('README.md')
const fences = fencesOf(readme)
const start = 'npm ci && npm start\n'
const testing = 'npm ci && npm test\n'

/** A clone as its reader has it, for data and files of its own. */
async function cloneProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-readme-'))
  const entries = (await readdir(projectFolder)).filter((name) => !['.git', 'data', 'dist'].includes(name))
  for (const name of entries) await symlink(join(projectFolder, name), join(folder, name))
  return folder
}

const clone = await cloneProject()
const port = String(await freePort())
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

/** `npm start`, and what it says. */
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

// Here, and not in a test: on a busy machine it takes longer than a test may.
const message = await startAsReader()

test('every block of the README is one that is run, or no command', () => {
  const unknown = fences.filter(({ language }) => !['sh', 'ts', 'text', 'json'].includes(language))
  assert.deepEqual(unknown, [])
  assert.equal(fences.filter(isOfPackage).length, 1)
  assert.ok(fences.some(({ language }) => language === 'ts'))
})

test('npm start says what the README shows', () => {
  const at = fences.findIndex(({ text }) => text === start)
  const plain = (text: string) =>
    text
      .replaceAll(/^> .*\n/gm, '')
      .replace(/Bearer [^"]+/, 'Bearer TOKEN')
      .replace(/refdesk \d+\.\d+\.\d+/, 'refdesk VERSION')
      .replaceAll(port, '4700')
      .trim()
  assert.equal(plain(message), plain(fences[at + 1]?.text ?? ''))
})

test('the README tells to test as it is tested', async () => {
  assert.ok(fences.some(({ text }) => text === testing))
  const ci = (await readProject('.ci/run')).split('\n').filter((line) => !/^(#|set |cd |$)/.test(line))
  assert.deepEqual(ci, [testing.trim()])
})

/** What the README says that its commands show, by a part of each. */
const promises: [part: string, shown: RegExp][] = [
  ['Keywords=apple&', /"Identifier":1000,.*"Symbol":"AAPL:xnas"/],
  ['details/1000/Stock"', /"OptionRootId":1,/],
  ['contractoptionspaces/1?', /PutCall: 'Call'.*StrikePrice: /s],
  ['$API/ca/v2/events?', /"EventId":/],
  ['echo "$APP"', /"AppKey":"[0-9a-f]{32}".*"Secret":"[0-9a-f]{32}"/],
  ['/ref/batch"', /^HTTP\/1\.1 200 OK.*AAPL:xnas.*^HTTP\/1\.1 200 OK.*"ExchangeId":"NASDAQ"/ms],
  ['Keywords=appel', /AAPL:xnas/],
  ['Keywords=nestlé', /NESN/],
  ['/x/v1/calendars"', /"Name":"My choices"/],
  ['redirecturis"', /"Uri":"http:\/\/localhost:3000\/callback"/],
  ['$KEY/secrets" -d', /"Secret":"[0-9a-f]{32}"/],
  ['secret rotate', /[0-9a-f]{32}/],
  ['for i in', /(?=.*200)(?=.*503)^(?:(?:200|503) ?){20}$/],
  ['$NEXT" "$X/clock"', /"IsTravelled":false/],
  ['import mine.ndjson', /^instrument +1 /m],
]

/** All in one shell, one after the other; fails where a command does. */
function runAsReader(commands: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const options = { cwd: clone, env, timeout: 110_000, maxBuffer: 2 ** 26 }
    const child = execFile('bash', ['-c', programOf(commands)], options, (error, stdout, stderr) => {
      const outputs = outputsIn(stdout)
      if (!error) return resolve(outputs)
      const failed = `${commands[outputs.length - 1]}\n${outputs.at(-1)?.slice(0, 2000)}\n${stderr}`
      reject(new Error(`${error.killed ? 'Too long' : 'A command of the README fails'}: ${failed}`))
    })
    child.stdin?.end()
  })
}

test('every command of the README works, one after the other, as they stand there', async () => {
  const isForHere = (text: string) => text !== start && text !== testing
  const chosen = fences.filter((fence) => fence.language === 'sh' && isForHere(fence.text) && !isOfPackage(fence))
  const text = chosen.map((fence) => fence.text.replaceAll('localhost:4700', `localhost:${port}`)).join('\n')
  const commands = commandsOf(text)
  // The clone shares its packages with the project, which none of them may change.
  assert.deepEqual(
    commands.filter((command) => /\bnpm /.test(command)),
    [],
  )
  const outputs = await runAsReader(commands)
  for (const [, secret = ''] of outputs.join('\n').matchAll(/"(?:Secret|access_token)":"([^"]+)"/g))
    noteSecret('secret of the README', secret)
  assert.equal(outputs.length, commands.length)
  for (const [index, command] of commands.entries()) {
    assert.ok(outputs[index] !== '' || mayBeSilent(command), `it prints nothing: ${command}`)
    assert.doesNotMatch(outputs[index] ?? '', /^HTTP\/1\.1 [45]/m, command)
  }
  for (const [part, shown] of promises) {
    const index = commands.findIndex((command) => command.includes(part))
    assert.match(outputs[index] ?? '', shown, part)
  }
  const signIn = outputs.find((output) => output.startsWith('http')) ?? ''
  assert.match(await (await fetch(signIn)).text(), /My Charts/)
})

test('what the pages of the project lead to is there', async () => {
  const pages = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: projectFolder }))
  assert.ok(pages.length > 10)
  for (const page of pages)
    for (const link of linksOf(await readProject(page))) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : normalize(join(dirname(page), path))
      assert.ok(existsSync(join(projectFolder, target)), `${page} leads to ${link}`)
      if (anchor !== undefined) assert.ok(anchorsOf(await readProject(target)).has(anchor), `${page} leads to ${link}`)
    }
})
