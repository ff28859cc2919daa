import { type Contender, meanOf, measure, sending } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { sameUser } from '../support/refdesk.ts'
import { microseconds, recorderOf } from '../support/report.ts'
import { basePath, get } from '../support/wire.ts'

const sessions = 64
const path = `${basePath}/port/v1/users/me`
/** Enough to fill the log and compile the code. */
const warmUp = 20_000
const count = 30_000

/** Measures the cost of the request log on the operation that costs least without it. The service that is started first
 *  costs 3% more, so there are two of each. */
export async function benchRequestLog({ database, servers }: Place): Promise<void> {
  const contenders: Contender[] = []
  for (const log of ['on', 'off', 'off', 'on']) {
    const node = await servers.serve(database, { REQUEST_LOG: log })
    const tokens = await database.accessTokens(node.port, sameUser(sessions))
    const requests = tokens.map((token) => get(path, token))
    contenders.push(sending(log, node, requests))
  }
  await measure(contenders, { count: warmUp, isWarmUp: true, turns: 20 })
  const costs = await measure(contenders, { count, turns: 60 })
  const mean = (log: string) => meanOf(costs.filter(({ name }) => name === log).map((cost) => cost.microseconds))
  const [cost, without] = [mean('on'), mean('off')]
  const sides = { ours: microseconds(cost), rival: `off: ${microseconds(without)}` }
  recorderOf('Requests, processor time of one').atMost('users/me, request log on / off', cost / without, 1.1, sides)
}
