import { readFileSync } from 'node:fs'
import { after, afterEach, beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'
import { isAlive } from '../../../src/database/embedded/postmaster.ts'

/** Preloaded by every test process. Fails a process that exits before all its tests have run, for example by
 *  process.exit(0) in a test, and prints the running tests when the process is stopped. When test/run.ts was killed, the
 *  process ends, and whatever its tests have started ends with it. */
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
  const runner = Number(process.env.REFDESK_TEST_RUNNER ?? process.ppid)
  setInterval(() => {
    if (!isAlive(runner)) process.exit(143)
  }, 500).unref()
  process.once('exit', () => {
    endChildren()
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

/** Where the system does not list them, they go on. */
function endChildren(): void {
  if (process.platform !== 'linux') return
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  for (const child of children)
    try {
      process.kill(Number(child), 'SIGTERM')
    } catch {
      // It has ended meanwhile.
    }
}
