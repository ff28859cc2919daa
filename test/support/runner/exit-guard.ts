import { after, afterEach, beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'

/** Preloaded by every test process. Fails a process that exits before all its tests have run, for example by
 *  process.exit(0) in a test, and prints the running tests when the process is stopped. */
if (isMainThread) {
  let isOver = false
  let latest = 'none'
  const running = new Set<string>()
  beforeEach(({ fullName }) => {
    latest = fullName
    running.add(fullName)
  })
  afterEach(({ fullName }) => {
    running.delete(fullName)
  })
  after(() => {
    isOver = true
  })
  process.once('exit', () => {
    if (isOver) return
    console.error(`The process ended before its tests did. The last that began: ${latest}`)
    process.exitCode = 1
  })
  if (process.env.REFDESK_TEST_STOPPABLE)
    process.once('SIGTERM', () => {
      for (const name of running) console.error(`Stopped while running: ${name}`)
      process.exit(143)
    })
}
