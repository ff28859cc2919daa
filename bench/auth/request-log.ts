import { accessTokens } from '../support/chains.ts'
import { type Contender, compare } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { processorTime } from '../support/processor-time.ts'
import { client } from '../support/refdesk.ts'
import { atMost, heading, printResult, shownResult } from '../support/report.ts'
import { freePort, type Server } from '../support/servers.ts'
import { get } from '../support/wire.ts'

const sessions = 64
const path = '/sim/openapi/port/v1/users/me'

/** What the request log costs, on the operation that costs least without it: the same requests to two services, one with the
 *  log and one without. */
export async function benchRequestLog({ database, servers, isShort }: Place): Promise<void> {
  heading('users/me with and without the request log, 32 at a time')
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
  const contenders = [await asking('with the log', await start('on')), await asking('without', await start('off'))]
  const pace = isShort ? { rounds: 3, seconds: 3 } : { rounds: 7, seconds: 4 }
  const [logged, plain] = await compare(contenders, pace)
  if (!logged || !plain) throw new Error('Nothing was measured.')
  for (const result of [logged, plain]) printResult(result)
  const [cost, plainCost] = [logged.processorMicroseconds, plain.processorMicroseconds]
  const times = cost === undefined || plainCost === undefined ? plain.median / logged.median : cost / plainCost
  const sides = { ours: shownResult(logged), rival: `without: ${shownResult(plain)}` }
  atMost('users/me with the request log / without', times, 1.03, '', sides)
}
