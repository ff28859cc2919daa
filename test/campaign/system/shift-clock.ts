import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Preloaded by the nodes of the campaign: after SIGUSR2 their clock differs from the real one by the milliseconds in
 *  CLOCK_FILE. Monotonic time (performance.now, timers) is right, as it is when a machine's clock is set. */
const file = process.env.CLOCK_FILE
let shiftMs = 0

if (isMainThread && file !== undefined) {
  const read = () => {
    shiftMs = Number(readFileSync(file, 'utf8'))
  }
  read()
  process.on('SIGUSR2', read)

  const realNow = Date.now.bind(Date)
  Date.now = () => realNow() + shiftMs
  const realInstant = Temporal.Now.instant.bind(Temporal.Now)
  Temporal.Now.instant = () => (shiftMs === 0 ? realInstant() : realInstant().add({ milliseconds: shiftMs }))
}
