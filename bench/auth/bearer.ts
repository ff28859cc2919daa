import { accessTokens } from '../support/chains.ts'
import { type Contender, compare, pairedRatio } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { processorTime } from '../support/processor-time.ts'
import { client, clientKey, userKey } from '../support/refdesk.ts'
import { heading, printResult, ratio } from '../support/report.ts'
import { freePort } from '../support/servers.ts'
import { get } from '../support/wire.ts'

const sessions = 256
const caller = {
  UserKey: userKey,
  ClientKey: clientKey,
  sessionId: 'bench',
  appKey: client.id,
  mayWrite: true,
  expiresAt: 0,
}

/** REST calls per second with and without the bearer check, on a route that reads and on one that does nothing. */
export async function benchBearer({ database, servers }: Place): Promise<void> {
  heading('REST calls with and without the bearer check, one process, 32 at a time')
  const port = await freePort()
  const settings = database.settings(`http://localhost:${port}`)
  await servers.start('src/cli/cli.ts', settings, { args: ['serve'], readyPath: '/health/ready', port })
  const tokens = await accessTokens(port, client, await database.seedSessions(sessions))
  await servers.stop()
  const rest = await servers.start('bench/peers/rest.ts', { ...settings, FIXED_CALLER: JSON.stringify(caller) })

  const calling = (name: string, path: string): Contender => {
    // The same bytes for both, so that the check is the only difference.
    const requests = tokens.map((token) => get(path, token))
    let next = 0
    return {
      name,
      port: rest.port,
      processorTime: () => processorTime([rest.pid]),
      async step(wire) {
        next = (next + 1) % requests.length
        const { status, body } = await wire.send(requests[next] ?? '')
        if (status !== 200) throw new Error(`${path} returned ${status}: ${body}`)
      },
    }
  }
  const routes = [
    { route: '/port/v1/users/me', text: 'users/me', rounds: 3, seconds: 1.5 },
    { route: '/fixed', text: 'a fixed response', rounds: 3, seconds: 1 },
  ]
  for (const { route, text, rounds, seconds } of routes) {
    const contenders = [calling(`${text}, checked`, `/checked${route}`), calling(`${text}, open`, `/open${route}`)]
    const results = await compare(contenders, { rounds, seconds })
    for (const result of results) printResult(result)
    ratio(`${text}: checked / open`, pairedRatio(results), 0.85)
  }
}
