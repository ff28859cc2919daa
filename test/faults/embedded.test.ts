import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { DataDirInUse, joinEmbedded } from '../../src/database/embedded/embedded.ts'
import { isAlive } from '../../src/database/embedded/postmaster.ts'
import { eventually } from '../support/eventually.ts'
import { embeddedForFile, firstLine, killService, killWithGuard, postmasterOf, query } from './embedded-support.ts'

const { newDataDir, firstCluster, usedDataDir, start, launchService } = await embeddedForFile()

test('data survives a restart; access needs the folder’s owner and the password', async () => {
  const first = await firstCluster()
  const { dataDir } = first
  await assert.rejects(query(first, 'select 1'), 'stop ends PostgreSQL')
  const second = await start(dataDir)
  assert.deepEqual(await query(second, 'select answer from kept'), [{ answer: 42 }])
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
  assert.equal((await stat(join(dataDir, 'postgres.password'))).mode & 0o777, 0o600)
  const connection = { ...second.connection, password: 'wrong' }
  await assert.rejects(query({ connection }, 'select 1'), { code: '28P01' })
})

test('after kill -9 of the service and of the guard that would stop PostgreSQL, the next start adopts it with its data', async () => {
  const dataDir = await usedDataDir()
  const service = launchService(dataDir)
  const { connection } = await firstLine(service)
  assert.ok(connection)
  await query({ connection }, 'update kept set answer = 43')
  const postmaster = await postmasterOf(dataDir)
  await killWithGuard(service)
  const next = await start(dataDir)
  assert.equal(await postmasterOf(dataDir), postmaster)
  assert.deepEqual(await query(next, 'select answer from kept'), [{ answer: 43 }])
})

test('replaces a PostgreSQL that was left running with other settings', async () => {
  const dataDir = await usedDataDir()
  const service = launchService(dataDir)
  await firstLine(service)
  await killWithGuard(service)
  const next = await start(dataDir, { work_mem: '5MB' })
  assert.deepEqual(await query(next, 'show work_mem'), [{ work_mem: '5MB' }])
})

test('starts again after kill -9 of the service and its database', async () => {
  const dataDir = await usedDataDir()
  const service = launchService(dataDir)
  const { connection } = await firstLine(service)
  assert.ok(connection)
  await query({ connection }, 'update kept set answer = 43')
  await killWithGuard(service)
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  assert.deepEqual(await query(await start(dataDir), 'select answer from kept'), [{ answer: 43 }])
})

test('restarts a killed database, which still belongs to this service alone', async () => {
  const dataDir = await usedDataDir()
  const service = await start(dataDir)
  await query(service, 'update kept set answer = 43')
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  await eventually(async () => service.said.find((message) => message === 'PostgreSQL is running again'))
  assert.deepEqual(await query(service, 'select answer from kept'), [{ answer: 43 }])
  await assert.rejects(start(dataDir), DataDirInUse)
})

test('when a session crashes, PostgreSQL restarts and the service takes its lock again', async () => {
  const dataDir = await usedDataDir()
  const service = await start(dataDir)
  const postmaster = await postmasterOf(dataDir)
  const client = new pg.Client(service.connection)
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await eventually(async () => service.said.find((message) => message === 'PostgreSQL is running again'))
  assert.equal(await postmasterOf(dataDir), postmaster)
  await assert.rejects(start(dataDir), DataDirInUse)
})

test('rejects a second service on a data folder in one sentence, and the first is unaffected', async () => {
  const dataDir = await usedDataDir()
  const first = await start(dataDir)
  const { refused } = await firstLine(launchService(dataDir))
  assert.equal(
    refused,
    `The data folder ${dataDir} is in use by another refdesk: stop it, or set DATA_DIR to another folder.`,
  )
  assert.deepEqual(await query(first, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(first.said, [])
})

test('of two services that start at once on an empty folder, exactly one wins', async () => {
  const dataDir = newDataDir()
  const answers = await Promise.all([launchService(dataDir), launchService(dataDir)].map(firstLine))
  const winners = answers.flatMap(({ connection }) => connection ?? [])
  assert.equal(winners.length, 1)
  assert.equal(answers.filter(({ refused }) => refused?.includes('in use by another refdesk')).length, 1)
  for (const connection of winners) assert.deepEqual(await query({ connection }, 'select 1 as one'), [{ one: 1 }])
})

test('stop works while the database cannot be restarted', async () => {
  const dataDir = await usedDataDir()
  const service = await start(dataDir)
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  await rm(control)
  await eventually(async () => service.said.find((message) => message === 'PostgreSQL could not be restarted yet'))
  await service.stop()
  await assert.rejects(stat(service.connection.host), { code: 'ENOENT' })
})

test('a start that was killed while creating the cluster does not block the next', async () => {
  const dataDir = newDataDir()
  const service = launchService(dataDir)
  await eventually(async () => (await readdir(dataDir)).find((name) => /^postgres\.new-\d+-\w+$/.test(name)))
  await killService(service)
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'leftover'), 'not a cluster')
  assert.deepEqual(await query(await start(dataDir), 'select 1 as one'), [{ one: 1 }])
})

test('ignores a lock file left by a crash, empty or with a reused process id', async () => {
  const dataDir = await usedDataDir()
  const first = await start(dataDir)
  const lockFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  await first.stop()
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lockFile.replace(/^\d+/, String(process.pid)))
  const second = await start(dataDir)
  assert.deepEqual(await query(second, 'select 1 as one'), [{ one: 1 }])
  await second.stop()
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '')
  await utimes(join(dataDir, 'postgres', 'postmaster.pid'), 0, 0)
  assert.deepEqual(await query(await start(dataDir), 'select 1 as one'), [{ one: 1 }])
})

test('a command joins the service’s database and leaves it running; without a service it starts one and stops it', async () => {
  const dataDir = await usedDataDir()
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const options = { dataDir, log, settings: { fsync: 'off' } }
  const alone = await joinEmbedded(options)
  const second = await joinEmbedded(options)
  await alone.stop()
  assert.deepEqual(await query(second, 'select answer from kept'), [{ answer: 42 }])
  await second.stop()
  await assert.rejects(query(second, 'select 1'), 'the last command ends PostgreSQL')
  const service = await start(dataDir)
  const beside = await joinEmbedded(options)
  assert.deepEqual(await query(beside, 'select answer from kept'), [{ answer: 42 }])
  await beside.stop()
  assert.deepEqual(await query(service, 'select answer from kept'), [{ answer: 42 }])
})

/** Stops a service while its session does not answer, as on an overloaded machine. Nothing is left after the last user. */
async function stopWhileSilent(isUsed: boolean): Promise<void> {
  const dataDir = await usedDataDir()
  const service = await start(dataDir)
  const sessions = "select pid from pg_stat_activity where application_name like 'refdesk %'"
  const session = Number((await query(service, sessions))[0]?.pid)
  const options = { dataDir, log: { info() {}, warn() {}, error() {} }, settings: { fsync: 'off' } }
  const command = isUsed ? await joinEmbedded(options) : undefined

  process.kill(session, 'SIGSTOP')
  try {
    await service.stop()
    if (command) assert.deepEqual(await query(command, 'select answer from kept'), [{ answer: 42 }])
  } finally {
    if (isAlive(session)) process.kill(session, 'SIGCONT')
    await command?.stop()
  }

  const isGone = (error: { code?: string }) => error.code === 'ENOENT' || undefined
  await eventually(() => stat(service.connection.host).then(() => undefined, isGone), 'the end of PostgreSQL')
}

test('a service that stops while PostgreSQL does not answer leaves it to a command that uses it, and only then', async () => {
  await Promise.all([true, false].map(stopWhileSilent))
})

test('commands that end while others start leave no PostgreSQL behind', async () => {
  const dataDir = await usedDataDir()
  const options = { dataDir, log: { info() {}, warn() {}, error() {} }, settings: { fsync: 'off' } }
  const isGone = () => assert.rejects(readFile(join(dataDir, 'postgres', 'postmaster.pid')), { code: 'ENOENT' })
  for (let round = 0; round < 3; round++) {
    const commands = await Promise.all([1, 2, 3].map(() => joinEmbedded(options)))
    await Promise.all(commands.map((command) => command.stop()))
    await isGone()
    const first = await joinEmbedded(options)
    const late = joinEmbedded(options)
    await first.stop()
    assert.deepEqual(await query(await late, 'select answer from kept'), [{ answer: 42 }])
    await (await late).stop()
    await isGone()
  }
})

test('works in a private folder with a long path and spaces, as root too', async () => {
  const parent = newDataDir()
  await mkdir(parent, { mode: 0o700 })
  const dataDir = join(parent, 'with spaces and "quotes"', 'long'.repeat(30))
  const database = await start(dataDir)
  assert.deepEqual(await query(database, 'select 1 as one'), [{ one: 1 }])
  assert.equal(database.movedTo, undefined)
  assert.ok((await readdir(join(dataDir, 'postgres'))).includes('PG_VERSION'))
})

test('without user namespaces, root’s cluster belongs to its own OS user; other users need no namespaces', async () => {
  const dataDir = await usedDataDir()
  const bin = newDataDir()
  await mkdir(bin)
  await writeFile(join(bin, 'unshare'), '#!/bin/sh\nexit 1\n')
  await chmod(join(bin, 'unshare'), 0o755)
  const path = `${bin}:${process.env.PATH}`
  const running = await start(dataDir)
  assert.ok((await firstLine(launchService(dataDir, path))).refused, 'what is in use does not move')
  assert.deepEqual(await query(running, 'select answer from kept'), [{ answer: 42 }])
  await running.stop()
  const service = launchService(dataDir, path)
  const { connection, movedTo, refused } = await firstLine(service)
  assert.equal(refused, undefined)
  assert.ok(connection)
  assert.equal(movedTo !== undefined, process.getuid?.() === 0)
  const home = movedTo ?? dataDir
  assert.equal((await stat(join(home, 'postgres'))).uid === 0, false)
  await query({ connection }, 'update kept set answer = answer + 1')
  await killWithGuard(service)
  process.kill(await postmasterOf(home), 'SIGKILL')
  // Also when namespaces are allowed again, the data is where it is.
  const again = launchService(dataDir)
  const next = await firstLine(again)
  assert.equal(next.movedTo, movedTo)
  assert.ok(next.connection)
  assert.deepEqual(await query({ connection: next.connection }, 'select answer from kept'), [{ answer: 43 }])
  const exited = once(again, 'exit')
  again.kill('SIGTERM')
  await exited
  if (movedTo !== undefined) await rm(movedTo, { recursive: true })
})
