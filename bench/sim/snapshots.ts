import { accessTokens } from '../support/chains.ts'
import { medianOf } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { processorTime } from '../support/processor-time.ts'
import { client } from '../support/refdesk.ts'
import { atMost, heading, line } from '../support/report.ts'

const path = '/sim/openapi/x/v1/snapshots/start'

type Body = { Data: { Name: string }[]; Session: { access_token: string } }
/** Seconds until the response that counts, and seconds of processor time in the service and in PostgreSQL. */
type Cost = Readonly<{ seconds: number; busySeconds: number | undefined }>

/** How long the restore of the demo takes, from the request until the node has served restored data: after a test that
 *  created an app, and after a reset, which replaces every row. */
export async function benchSnapshots({ database, servers, isShort }: Place): Promise<void> {
  const { rounds, resets } = isShort ? { rounds: 5, resets: 2 } : { rounds: 10, resets: 4 }
  heading(`Restore of the demo, ${rounds} times after a small change and ${resets} times after a reset`)
  const whole = await database.another('snapshots', { withReference: true })
  const settings = whole.settings('http://localhost:4700')
  const { port, pid } = await servers.start('src/cli/cli.ts', settings, { args: ['serve'], readyPath: '/health/ready' })
  const [own = ''] = await accessTokens(port, client, await whole.seedSessions(1))
  let token = own
  const call = async (method: string, address: string, body?: object): Promise<Body> => {
    const response = await fetch(`http://localhost:${port}${address}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`)
    return JSON.parse(text) as Body
  }
  const measured = async (work: () => Promise<void>): Promise<Cost> => {
    const pids = [pid, ...(await database.processIds())]
    const [start, before] = [performance.now(), await processorTime(pids)]
    await work()
    const [end, after] = [performance.now(), await processorTime(pids)]
    const busySeconds = before === undefined || after === undefined ? undefined : (after - before) / 1e6
    return { seconds: (end - start) / 1_000, busySeconds }
  }
  const restore = () =>
    measured(async () => {
      await call('POST', `${path}/restore`)
      token = own
      const { Data } = await call('GET', '/sim/openapi/developer/apps')
      if (Data.some(({ Name }) => Name === 'Later')) throw new Error('The app is still there.')
      await call('GET', '/sim/openapi/ref/v1/instruments/details/1000/Stock')
    })
  await call('PUT', path)
  await restore()
  const [small, reset, large]: [Cost[], Cost[], Cost[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    await call('POST', '/sim/openapi/developer/apps', { Name: 'Later', Description: 'Of a test.', Flow: 'Code' })
    small.push(await restore())
  }
  for (let round = 0; round < resets; round++) {
    const replace = async () => {
      token = (await call('POST', '/sim/openapi/x/v1/reset', { Confirm: 'reset' })).Session.access_token
    }
    reset.push(await measured(replace))
    large.push(await restore())
  }
  report(small, large, reset)
}

/** The aim is in seconds on a quiet machine. The ratio, of processor time if the platform reports it, holds on a busy one. */
function report(small: readonly Cost[], large: readonly Cost[], reset: readonly Cost[]): void {
  const [ofSmall, ofLarge, ofReset] = [medianCost(small), medianCost(large), medianCost(reset)]
  line('reset to the demo', shownCost(ofReset))
  atMost('restore of the demo after a small change', ofSmall.seconds, 1, 's', { ours: shownCost(ofSmall) })
  atMost('restore of the demo after a reset', ofLarge.seconds, 1, 's', { ours: shownCost(ofLarge) })
  const isKnown = ofLarge.busySeconds !== undefined && ofReset.busySeconds !== undefined
  const times = isKnown ? (ofLarge.busySeconds ?? 0) / (ofReset.busySeconds ?? 0) : ofLarge.seconds / ofReset.seconds
  const sides = { ours: shownCost(ofLarge), rival: `reset: ${shownCost(ofReset)}` }
  atMost('restore after a reset / the reset itself', times, 0.15, '', sides)
}

const medianCost = (costs: readonly Cost[]): Cost => {
  const busy = costs.flatMap(({ busySeconds }) => busySeconds ?? [])
  return {
    seconds: medianOf(costs.map(({ seconds }) => seconds)),
    busySeconds: busy.length > 0 ? medianOf(busy) : undefined,
  }
}

const shownCost = ({ seconds, busySeconds }: Cost): string =>
  `${seconds.toFixed(2)} s${busySeconds === undefined ? '' : `, ${busySeconds.toFixed(2)} s of processor`}`
