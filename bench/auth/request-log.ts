import { accessTokens } from '../support/chains.ts'
import { type Contender, connections, keepAwake } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { processorTime } from '../support/processor-time.ts'
import { client } from '../support/refdesk.ts'
import { atMost, heading, line } from '../support/report.ts'
import { freePort, type Server } from '../support/servers.ts'
import { get, Wire } from '../support/wire.ts'

const sessions = 64
const path = '/sim/openapi/port/v1/users/me'
/** Until the log is full and everything is compiled; at full length also on a busy machine. */
const warmUpSeconds = { short: 5, full: 8 }

/** What the request log costs, on the operation that costs least without it: the same requests to services with the log and
 *  without. Of two that are the same the one that was started first costs 3% more, so there are two of each. */
export async function benchRequestLog({ database, servers, isShort }: Place): Promise<void> {
  heading('users/me with and without the request log, processor time')
  if ((await processorTime([process.pid])) === undefined)
    return line('not measured', '', 'this platform does not report processor times')
  const start = async (log: 'on' | 'off'): Promise<Server> => {
    const port = await freePort()
    const settings = { ...database.settings(`http://localhost:${port}`), REQUEST_LOG: log }
    return servers.start('src/cli/cli.ts', settings, { args: ['serve'], readyPath: '/health/ready', port })
  }
  const asking = async (name: string, { port, pid }: Server): Promise<Contender> => {
    const tokens = await accessTokens(port, client, await database.seedSessions(sessions))
    const requests = tokens.map((token) => get(path, token))
    let next = 0
    return {
      name,
      port,
      processorTime: () => processorTime([pid]),
      async step(wire) {
        next = (next + 1) % requests.length
        const { status, body } = await wire.send(requests[next] ?? '')
        if (status !== 200) throw new Error(`Answered ${status}: ${body}`)
      },
    }
  }
  const contenders: Contender[] = []
  for (const log of ['on', 'off', 'off', 'on'] as const) contenders.push(await asking(log, await start(log)))
  await sendToAll(contenders, warmUpSeconds[isShort ? 'short' : 'full'])
  const rounds: number[][] = []
  for (let round = 0; round < (isShort ? 4 : 15); round++) {
    const costs = await sendToAll(contenders, isShort ? 1.5 : 3)
    rounds.push(['on', 'off'].map((log) => meanOf(costs.filter((_, at) => contenders[at]?.name === log))))
  }
  const mean = (at: number) => meanOf(rounds.map((costs) => costs[at] ?? Number.NaN))
  const ratios = rounds.map(([cost = Number.NaN, plain = Number.NaN]) => (cost / plain).toFixed(2))
  const [cost, plainCost] = [`${mean(0).toFixed(1)} µs`, `${mean(1).toFixed(1)} µs`]
  line('with the log', cost, `without: ${plainCost}; ratios of the rounds: ${ratios.join(' ')}`)
  const sides = { ours: cost, rival: `without: ${plainCost}` }
  atMost('users/me with the request log / without', mean(0) / mean(1), 1.03, '', sides)
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Sends each service the same number of requests at the same time, and returns the processor time of one, in microseconds.
 *  Whatever else the machine does affects all alike: in turn, one would get the busier seconds. */
async function sendToAll(contenders: readonly Contender[], seconds: number): Promise<number[]> {
  const open = ({ port }: Contender) => Promise.all(Array.from({ length: connections / 2 }, () => Wire.open(port)))
  const wires = await Promise.all(contenders.map(open))
  const times = async () => Promise.all(contenders.map(async (each) => (await each.processorTime?.()) ?? Number.NaN))
  try {
    const end = performance.now() + seconds * 1_000
    let count = 0
    const runLane = async (_: unknown, lane: number) => {
      for (; performance.now() < end; count++)
        for (const [at, contender] of contenders.entries()) await contender.step(wires[at]?.[lane] as Wire, lane)
    }
    keepAwake(() => performance.now() < end)
    const before = await times()
    await Promise.all((wires[0] ?? []).map(runLane))
    return (await times()).map((time, at) => (time - (before[at] ?? 0)) / count)
  } finally {
    for (const wire of wires.flat()) wire.close()
  }
}
