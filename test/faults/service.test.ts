import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { isAlive } from '../../src/database/embedded/postmaster.ts'
import { demoKey } from '../support/demo.ts'
import { Holder } from '../support/events/electing.ts'
import { eventually } from '../support/eventually.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { copyPackages } from '../support/service/copy-packages.ts'
import {
  answeredAtFirst,
  failedStart,
  manyReadyToSignIn,
  projectFolder,
  runCommand,
  type ServiceProcess,
  startProcess,
  temporaryFolder,
} from '../support/service/process.ts'
import { getRest, obtainTokens, refresh } from '../support/sign-in.ts'
import { postmasterOf } from './embedded-support.ts'
import { surviveFreeze, surviveKills } from './outages.ts'

const run = promisify(execFile)

/** A project folder that other users can read: this one, or a copy if a parent folder is not readable. */
async function projectFor(user: { uid: number; gid: number } | undefined): Promise<string> {
  if (!user) return projectFolder
  const reachable = await run(process.execPath, [join(projectFolder, 'src', 'cli', 'cli.ts'), 'help'], {
    ...user,
    cwd: '/',
  }).then(
    () => true,
    () => false,
  )
  if (reachable) return projectFolder
  const copy = await temporaryFolder()
  await chmod(copy, 0o755)
  for (const name of ['package.json', 'src', 'migrations', 'public', 'demo'])
    await cp(join(projectFolder, name), join(copy, name), { recursive: true })
  await copyPackages(copy)
  await run('chmod', ['-R', 'a+rX', copy])
  return copy
}

const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined
const DATA_DIR = join(await temporaryFolder(), 'data')
const otherFolder = await temporaryFolder()
if (user) await run('chown', [`${user.uid}:${user.gid}`, otherFolder])
const otherEnv = { DATA_DIR: join(otherFolder, 'data'), REVOCATION_GRACE_SECONDS: '5' }
const otherOptions = user ? { user, folder: await projectFor(user) } : {}
const [first, other] = await Promise.all([startProcess({ DATA_DIR }), startProcess(otherEnv, otherOptions)])
let service = first
// Tokens are bound to the public URL, so every later start uses the same port.
const PORT = new URL(service.url).port

async function nameOf({ baseUrl }: ServiceProcess, token: string): Promise<string> {
  const answer = await getRest(baseUrl, '/port/v1/users/me', token)
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { Name: string }).Name
}

test('two services started at once in two folders, as root and as an ordinary user where there is one, both serve', async () => {
  for (const each of [service, other]) {
    assert.equal(await nameOf(each, each.token), 'ada')
    assert.equal((await obtainTokens(each.url)).token_type, 'Bearer')
  }
  const answer = await getRest(other.baseUrl, '/port/v1/users/me', service.token)
  assert.equal(answer.status, 401, 'each has keys of its own')
})

test('kill -9 of PostgreSQL: requests succeed or get 503, and a 503 has no effect', async () => {
  await surviveKills(other, otherEnv.DATA_DIR)
})

test('a PostgreSQL that hangs: tokens are rejected after the grace period, every wait ends, and the service recovers', async () => {
  await surviveFreeze(other, otherEnv.DATA_DIR)
  assert.equal((await other.stop()).code, 0)
})

test('the curl line of the start message works as printed', async () => {
  const line =
    service.message
      .split('\n')
      .find((each) => each.trim().startsWith('curl '))
      ?.trim() ?? ''
  const [, header = '', address = ''] = /^curl -H "([^"]+)" "([^"]+)"$/.exec(line) ?? []
  const answer = await fetch(address, { headers: [header.split(': ') as [string, string]] })
  const { Data } = (await answer.json()) as { Data: { Symbol: string }[] }
  assert.equal(Data[0]?.Symbol, 'AAPL:xnas')
  const hasCurl = await run('curl', ['--version']).then(
    () => true,
    () => false,
  )
  if (hasCurl) assert.match((await run('sh', ['-c', line])).stdout, /"Symbol":"AAPL:xnas"/)
})

test('the start message has addresses and credentials, which are not in the log', async () => {
  for (const fact of [
    'sim',
    service.url,
    service.baseUrl,
    'AppKey',
    'Secret',
    'http://localhost:5000/callback',
    'ada, bo, cy',
  ])
    assert.ok(service.message.includes(fact), fact)
  for (const line of service.stderr().trim().split('\n')) assert.ok(JSON.parse(line).msg)
})

test('a second service on a data folder says so in one sentence and exits; the first is unaffected', async () => {
  const { code, stdout, stderr } = await failedStart({ DATA_DIR })
  assert.equal(
    stderr,
    `The data folder ${DATA_DIR} is in use by another refdesk: stop it, or set DATA_DIR to another folder.\n`,
  )
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(await nameOf(service, service.token), 'ada')
})

/** It is not given the address of the service: the data folder has it. */
const command = (words: string[], input = '') => runCommand(words, { DATA_DIR }, { input })

/** Runs commands, whether or not the service is running, and adds a user with a given password. */
async function tryCommands(name: string): Promise<{ token: string; password: string; head: string }> {
  const password = `a password of ${name}`
  noteSecret('password', password)
  const outcomes = await Promise.all([
    command(['token', 'bo']),
    command(['users', 'add', name, '--client', '10001'], `${password}\n`),
    command(['keys', 'rotate']),
    command(['audit', 'verify']),
  ])
  for (const { code, stderr } of outcomes) assert.deepEqual([code, stderr], [0, ''])
  const [token, added, rotated, verified] = outcomes
  noteSecret('token of the command line', token.stdout.trim())
  assert.match(added.stdout, new RegExp(`^User ${name} was added to client 10001 \\(UserKey \\S+\\)\\.\\n$`))
  assert.match(rotated.stdout, /^Key [0-9a-f]{32} signs from now on\./)
  const head = /^The log is intact: \d+ entries, head (\d+:[0-9a-f]{64})\n$/.exec(verified.stdout)?.[1] ?? ''
  return { token: token.stdout.trim(), password, head }
}

test('commands work while the service runs, use its address, and it sees their changes at once', async () => {
  const { token, password, head } = await tryCommands('eve')
  assert.equal(await nameOf(service, token), 'bo')
  const tokens = await obtainTokens(service.url, { user: 'eve', password })
  assert.equal(await nameOf(service, tokens.access_token), 'eve')
  const [checked, cut, made, twice] = await Promise.all([
    command(['audit', 'verify', '--head', head]),
    command(['audit', 'verify', '--head', `999999:${'0'.repeat(64)}`]),
    command(['users', 'add', 'gil', '--client', '10001']),
    command(['users', 'add', 'EVE', '--client', '10001'], `${password}\n`),
  ])
  assert.deepEqual([checked.code, cut.code, made.code, twice.code], [0, 1, 0, 1])
  assert.match(cut.stdout, /not intact/)
  assert.match(twice.stderr, /^User EVE already exists\.\n$/)
  const shown = /^Password, shown only once: (\S+)$/m.exec(made.stdout)?.[1] ?? ''
  noteSecret('password', shown)
  assert.ok((await obtainTokens(service.url, { user: 'gil', password: shown })).access_token)
})

test('commands work without a service, leave no PostgreSQL behind, and the next start sees their changes', async () => {
  assert.equal((await service.stop()).code, 0)
  const { token, password } = await tryCommands('fay')
  await assert.rejects(readFile(join(DATA_DIR, 'postgres', 'postmaster.pid')), { code: 'ENOENT' })
  service = await startProcess({ DATA_DIR, PORT })
  assert.equal(await nameOf(service, token), 'bo')
  const tokens = await obtainTokens(service.url, { user: 'fay', password })
  assert.equal(await nameOf(service, tokens.access_token), 'fay')
})

test('kill -9 in the middle of elections loses none that was accepted, and each is handed over once', async () => {
  const account = demoKey('account 9226397')
  const accepted: string[] = []
  let count = 0
  const holder = new Holder(service.baseUrl, service.token)
  const electing = (async () => {
    for (;;) {
      const remarks = `election ${++count}`
      const choice = ['003', (count % 100) + 1, remarks] as const
      const answer = await holder.elect('CA7109655-1811', account, [choice]).catch(() => undefined)
      if (answer?.status !== 202) return
      accepted.push(remarks)
    }
  })()
  await eventually(async () => accepted.length >= 20 || undefined)
  service.kill('SIGKILL')
  await Promise.all([service.ended, electing])
  service = await startProcess({ DATA_DIR, PORT })
  type Row = { Number: number; Options: { Remarks: string }[] }
  const { body } = await new Holder(service.baseUrl, service.token).get<{ Data: Row[] }>('/x/v1/elections?$top=1000')
  const handedOver = body.Data.map(({ Options }) => Options[0]?.Remarks ?? '')
  assert.deepEqual(
    body.Data.map(({ Number }) => Number),
    handedOver.map((_, index) => index + 1),
  )
  assert.equal(new Set(handedOver).size, handedOver.length)
  assert.deepEqual(
    accepted.filter((each) => !handedOver.includes(each)),
    [],
  )
})

test('after kill -9 of the service, and of PostgreSQL too, earlier tokens stay valid', async () => {
  const tokens = await obtainTokens(service.url)
  let refreshToken = tokens.refresh_token
  for (const alsoPostgres of [false, true]) {
    const postmaster = await postmasterOf(DATA_DIR)
    service.kill('SIGKILL')
    if (alsoPostgres) process.kill(postmaster, 'SIGKILL')
    await service.ended
    service = await startProcess({ DATA_DIR, PORT })
    assert.equal(await nameOf(service, tokens.access_token), 'ada')
    const { status, body } = await refresh(service.url, refreshToken)
    assert.equal(status, 200)
    refreshToken = body.refresh_token
  }
})

test('SIGTERM during sign-ins: all are answered, the exit code is 0, PostgreSQL stops', async () => {
  const postmaster = await postmasterOf(DATA_DIR)
  const senders = await manyReadyToSignIn(service.url, 20)
  const answers = senders.map((send) => send())
  assert.ok((await answeredAtFirst(answers)) < answers.length, 'no sign-in was open')
  service.kill('SIGTERM')
  const locations = (await Promise.all(answers)).map((answer) => new URL(answer.headers.get('location') ?? ''))
  assert.ok(locations.every(({ searchParams }) => searchParams.has('code')))
  const { code, stdout, stderr } = await service.ended
  assert.equal(code, 0)
  assert.equal(stdout, service.message)
  assert.match(stderr, /"msg":"closing"/)
  await assert.rejects(readFile(join(DATA_DIR, 'postgres', 'postmaster.pid')), { code: 'ENOENT' })
  // PostgreSQL removes its lock file before it exits.
  await eventually(async () => !isAlive(postmaster) || undefined, 'the end of PostgreSQL')
})
