import { after, beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'

/** Read first in every process of tests. One that ends by itself and well, by process.exit(0) in a test or in what it calls,
 *  would leave out all that was to come, and nobody would miss it. */
if (isMainThread) {
  let isOver = false
  let latest = 'none'
  beforeEach((context) => {
    latest = context.fullName
  })
  after(() => {
    isOver = true
  })
  process.once('exit', () => {
    if (isOver) return
    console.error(`The process ended before its tests did. The last that began: ${latest}`)
    process.exitCode = 1
  })
}
