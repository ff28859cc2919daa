import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { childrenOf, freePort, projectFolder } from '../support/service/process.ts'
import { guardOf, query } from './embedded-support.ts'
import { type Place, prepareFolders } from './orphans-support.ts'

/** Each way to end what uses the bundled PostgreSQL leaves no process and no socket folder. The folders are used again, so
 *  each way is also one after which the next start works. */
type Way = [name: string, rounds: number, (place: Place) => Promise<unknown>]

const cli = join(projectFolder, 'src/cli/cli.ts')
const atOnce = 4
const { inUsedFolder, inNewFolder } = await prepareFolders(atOnce)

const ended =
  (...signals: NodeJS.Signals[]) =>
  async (place: Place) => {
    const service = await place.service().ready()
    const postmaster = await place.postmaster()
    service.kill(...signals)
    await service.ended
    assert.ok(!(await place.isRunning(postmaster)), 'PostgreSQL stops before the service exits')
  }

const killed =
  (...signals: NodeJS.Signals[]) =>
  async (place: Place) => {
    const service = await place.service().ready()
    service.killGroup(...signals)
    await service.ended
  }

const whileStarting =
  (...signals: NodeJS.Signals[]) =>
  async (place: Place) => {
    const service = place.service()
    await place.isStarting()
    service.killGroup(...signals)
    await service.ended
  }

const ofItself = (way: 'crash' | 'exit') => async (place: Place) => {
  const service = await place.service(way).ready()
  service.go()
  await service.ended
}

const whileStopping = (signal: NodeJS.Signals) => async (place: Place) => {
  const service = await place.service().ready()
  const before = await place.logLength()
  service.kill('SIGTERM')
  await place.isStopping(before)
  service.kill(signal)
  await service.ended
}

/** A command that uses the database of a service keeps it when the service ends. */
const withCommand = (signal: NodeJS.Signals, end: NodeJS.Signals | 'normally') => async (place: Place) => {
  const service = await place.service().ready()
  const command = await place.service('command').ready()
  const { connection } = JSON.parse(command.output)
  service.killGroup(signal)
  await service.ended
  assert.deepEqual(await query({ connection }, 'select 1 as one'), [{ one: 1 }])
  if (end === 'normally') command.go()
  else command.kill(end)
  await command.ended
}

const commandOnly = (signal: NodeJS.Signals) => async (place: Place) => {
  const command = await place.service('command').ready()
  command.killGroup(signal)
  await command.ended
}

const ways: Way[] = [
  ['SIGTERM', 1, ended('SIGTERM')],
  ['SIGINT', 1, ended('SIGINT')],
  ['SIGHUP', 1, ended('SIGHUP', 'SIGHUP')],
  ['SIGINT twice, from a terminal and from npm', 3, ended('SIGINT', 'SIGINT')],
  ['SIGTERM twice', 2, ended('SIGTERM', 'SIGTERM')],
  ['SIGQUIT', 1, killed('SIGQUIT')],
  ['kill -9', 3, killed('SIGKILL')],
  ['SIGTERM and kill -9', 2, killed('SIGTERM', 'SIGKILL')],
  ['an uncaught exception', 1, ofItself('crash')],
  ['process.exit', 1, ofItself('exit')],
  ['SIGTERM while PostgreSQL starts', 2, whileStarting('SIGTERM')],
  ['SIGINT twice while PostgreSQL starts', 2, whileStarting('SIGINT', 'SIGINT')],
  ['kill -9 while PostgreSQL starts', 3, whileStarting('SIGKILL')],
  ['SIGINT while PostgreSQL stops', 2, whileStopping('SIGINT')],
  ['kill -9 while PostgreSQL stops', 2, whileStopping('SIGKILL')],
  ['SIGTERM while a command uses it', 1, withCommand('SIGTERM', 'normally')],
  ['kill -9 while a command uses it', 1, withCommand('SIGKILL', 'normally')],
  ['SIGTERM, then kill -9 of the command that uses it', 1, withCommand('SIGTERM', 'SIGKILL')],
  ['kill -9, then SIGINT to the command that uses it', 1, withCommand('SIGKILL', 'SIGINT')],
  ['SIGINT to a command', 1, commandOnly('SIGINT')],
  ['SIGHUP to a command', 1, commandOnly('SIGHUP')],
  ['kill -9 of a command', 2, commandOnly('SIGKILL')],
  [
    'kill -9 of service and command at once',
    2,
    async (place) => {
      const service = await place.service().ready()
      const command = await place.service('command').ready()
      service.kill('SIGKILL')
      command.kill('SIGKILL')
      await Promise.all([service.ended, command.ended])
    },
  ],
  [
    'kill -9 of a command, then SIGTERM',
    1,
    async (place) => {
      const service = await place.service().ready()
      const command = await place.service('command').ready()
      command.kill('SIGKILL')
      await command.ended
      const { connection } = JSON.parse(service.output)
      assert.deepEqual(await query({ connection }, 'select 1 as one'), [{ one: 1 }])
      service.kill('SIGTERM')
      await service.ended
    },
  ],
  [
    'kill -9 of the service and of PostgreSQL',
    1,
    async (place) => {
      const service = await place.service().ready()
      const postmaster = await place.postmaster()
      service.kill('SIGKILL')
      process.kill(postmaster, 'SIGKILL')
      await service.ended
    },
  ],
  [
    'kill -9 and an immediate start',
    2,
    async (place) => {
      const service = await place.service().ready()
      service.kill('SIGKILL')
      await ended('SIGTERM')(place)
    },
  ],
  [
    'SIGTERM after kill -9 of the guard',
    1,
    async (place) => {
      const service = await place.service().ready()
      process.kill(await guardOf(service.pid), 'SIGKILL')
      service.kill('SIGTERM')
      await service.ended
    },
  ],
  [
    'SIGTERM to the process group of a service whose output no one reads any more',
    2,
    async (place) => {
      const PORT = String(await freePort())
      const service = place.spawn([process.execPath, cli, 'serve'], { PORT, LOG_LEVEL: 'info' })
      service.closeReader()
      await eventually(async () => (await fetch(`http://localhost:${PORT}/health/ready`)).ok || undefined)
      service.killGroup('SIGTERM')
      assert.deepEqual(await service.ended, [0, null])
    },
  ],
  [
    'signals to a service that does not finish',
    1,
    async (place) => {
      const service = await place.service('stuck').ready()
      await eventually(async () => {
        if (service.child.exitCode !== null) return true
        service.kill('SIGINT')
      })
      assert.equal(service.child.exitCode, 1)
    },
  ],
]

suite('nothing is left of the bundled PostgreSQL after', { concurrency: atOnce }, () => {
  for (const [name, rounds, end] of ways)
    for (let round = 1; round <= rounds; round++)
      test(rounds === 1 ? name : `${name} (${round})`, () => inUsedFolder(end))

  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    test(`${signal} while initdb creates the cluster`, () =>
      inNewFolder(async (place) => {
        const service = place.service()
        await place.isInitialising()
        service.killGroup(signal)
        await service.ended
      }))
})

const npmStart = ['npm', 'start', '--silent']

/** The process of `refdesk serve` that npm or node --watch has started, or this one. */
async function serviceOf({ pid }: { pid: number }): Promise<number> {
  const [child] = await childrenOf(pid)
  return child ?? pid
}

test('nothing is left of refdesk serve after Ctrl-C, kill -9 and the end of what started it', () =>
  inNewFolder(async (place) => {
    const first = await place.spawn(npmStart).ready()
    // A terminal signals npm and the service; npm passes it on.
    first.killGroup('SIGINT')
    await first.ended
    await place.isEmpty()

    const unread = await place.spawn(npmStart).ready()
    unread.closeReader()
    unread.killGroup('SIGTERM')
    await unread.ended
    await place.isEmpty()

    const threaded = await place.spawn(npmStart, { WORKERS: '2' }).ready()
    const service = await serviceOf(threaded)
    threaded.kill('SIGKILL')
    await threaded.ended
    process.kill(service, 'SIGINT')
    process.kill(service, 'SIGINT')
    await place.isEmpty()

    const watched = await place.spawn([process.execPath, '--watch', cli, 'serve']).ready()
    watched.killGroup('SIGINT')
    await watched.ended
    await place.isEmpty()

    const last = await place.spawn([process.execPath, cli, 'serve']).ready()
    // The import waits for its input.
    const imported = place.spawn([process.execPath, cli, 'import', '-'])
    await eventually(async () => ((await childrenOf(imported.pid)).length > 0 ? true : undefined))
    last.killGroup('SIGKILL')
    imported.killGroup('SIGINT', 'SIGINT')
    await Promise.all([last.ended, imported.ended])
  }))

test('kill -9 of the test runner ends its tests, their services and its PostgreSQL', () =>
  inNewFolder(async (place) => {
    const runner = place.spawn([process.execPath, 'test/run.ts', 'test/faults/endless.ts'], { TMPDIR: place.dataDir })
    await eventually(async () => runner.output.includes('the service is running') || undefined)

    runner.kill('SIGKILL')
    await runner.ended
  }))
