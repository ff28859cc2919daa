import { startEmbedded } from '../../src/database/embedded/embedded.ts'

/** A service with nothing but its database, for tests that kill it: node embedded-service.ts <dataDir>. */
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
try {
  const { connection, movedTo, stop } = await startEmbedded({
    dataDir: process.argv[2] ?? '',
    log,
    settings: { fsync: 'off', shared_buffers: '16MB' },
  })
  process.on('SIGTERM', () => stop().then(() => process.exit(0)))
  setInterval(() => undefined, 60_000)
  process.stdout.write(`${JSON.stringify({ connection, movedTo })}\n`)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: (error as Error).message })}\n`)
  process.exitCode = 1
}
