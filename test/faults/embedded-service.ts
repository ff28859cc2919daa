import { once } from 'node:events'
import { type EmbeddedDatabase, startEmbedded } from '../../src/database/embedded/embedded.ts'
import { joinUntilStopped, runUntilStopped } from '../../src/database/embedded/stopping.ts'

/** A service, or a command, with nothing but its database, for tests that end it in all ways:
 *  node embedded-service.ts <dataDir> [crash|exit|stuck|command]. What is not a signal waits for standard input. */
const [dataDir = '', way = 'signal'] = process.argv.slice(2)
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const options = { dataDir, log, settings: { fsync: 'off', shared_buffers: '16MB' } }

function say({ connection, movedTo }: EmbeddedDatabase): void {
  process.stdout.on('error', () => undefined).write(`${JSON.stringify({ connection, movedTo })}\n`)
}

async function serve(database: EmbeddedDatabase, stopping: AbortSignal): Promise<void> {
  say(database)
  if (way === 'crash' || way === 'exit') {
    await once(process.stdin, 'data')
    if (way === 'exit') process.exit(0)
    setImmediate(() => {
      throw new Error('a crash')
    })
  }
  const busy = setInterval(() => undefined, 60_000)
  if (!stopping.aborted) await once(stopping, 'abort')
  if (way === 'stuck') await new Promise(() => undefined)
  clearInterval(busy)
}

try {
  if (way === 'command') {
    const joined = await joinUntilStopped(options)
    say(joined)
    await once(process.stdin, 'data')
    process.stdin.destroy()
    await joined.stop()
  } else
    await runUntilStopped(
      (signal) => startEmbedded({ ...options, signal }),
      (database, stopping) => serve(database as EmbeddedDatabase, stopping),
    )
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: (error as Error).message })}\n`)
  process.exitCode = 1
}
