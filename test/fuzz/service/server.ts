import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { issueDemoToken } from '../../../src/auth/grants/demo-token.ts'
import { consoleCookie } from '../../support/browser/console-cookie.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoApp } from '../../support/demo.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { startService } from '../../support/service/service.ts'
import { users } from '../requests/names.ts'
import type { Order, Report, Usage } from './messages.ts'

/** The service in a process of its own, with all demo data, so that its memory and its event loop can be measured. */
const clock = new FixedClock(demoLoadedAt)
const env = { TRUST_PROXY: 'loopback', LOG_LEVEL: 'error' }
const service = await startService({ reference: true, isChecked: false, clock, env, log: errorLog() })
const { context } = service.node

const send = (report: Report) => process.send?.(report)

/** Only what the service calls an error: the rest would be a line for each request. */
function errorLog() {
  const lines = new Writable({
    write: (chunk, _encoding, done) => {
      send({ logged: String(chunk) })
      done()
    },
  })
  return pino({ level: 'error', base: null }, lines)
}

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

/** The processor time of this thread between two ticks: what one turn of the event loop needed, on a busy machine too. */
let [last, longest] = [process.threadCpuUsage(), 0]
setInterval(() => {
  const now = process.threadCpuUsage()
  longest = Math.max(longest, now.user + now.system - last.user - last.system)
  last = now
}, 5)

function usage(): Usage {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const taken = { rss, heapUsed, turnMs: longest / 1e3, delayMs: delay.max / 1e6, cpuSeconds: (user + system) / 1e6 }
  longest = 0
  delay.reset()
  return { ...taken, inFlight: service.node.server.requestsInFlight }
}

/** Tokens as a sign-in would grant them, without the limits on sign-ins. */
async function tokens(): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const user of users) {
    for (const name of ['token', 'spare'])
      values[`${name}.${user}`] = await issueDemoToken(context, demoApp.AppKey, user)
    values[`cookie.${user}`] = (await consoleCookie(service, user)).cookie.split(';', 1)[0] ?? ''
  }
  return values
}

process.on('message', async (order: Order) => {
  if (order.ask === 'usage') send({ id: order.id, usage: usage() })
  else if (order.ask === 'tokens') send({ id: order.id, tokens: await tokens() })
  else if (order.ask === 'advance') {
    clock.advance(order.seconds)
    send({ id: order.id })
  } else {
    await service.close()
    process.exit(0)
  }
})

send({ url: service.url })
