import { fillEvents } from '../events/fill.ts'
import { type Contender, type Cost, measure, sending } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { perSecond, recorderOf } from '../support/report.ts'
import { basePath, get } from '../support/wire.ts'

const size = 20_000
const path = `${basePath}/ca/v2/events`
const listed = '{"__count":40,'
/** Much code is still being compiled during the first seconds. */
const warmUp = 10_000
const count = 8_000

/** Measures lists of the events of clients with 20 positions, PostgreSQL included. */
export async function benchEvents({ database, servers }: Place): Promise<void> {
  const filled = await database.another('bench_events')
  const users = await fillEvents(filled, size)
  const node = await servers.serve(filled)
  const tokens = await filled.accessTokens(node.port, users)
  const requests = tokens.map((token) => get(path, token))
  const contender: Contender = {
    ...sending('refdesk', node, requests),
    pids: async () => [node.pid, ...(await filled.processIds())],
    async step(wire, index) {
      const { status, body } = await wire.send(requests[index % requests.length] ?? '')
      if (status !== 200 || !body.startsWith(listed)) throw new Error(`A list was ${status}: ${body.slice(0, 300)}`)
    },
  }
  await measure([contender], { count: warmUp, isAwake: false, isWarmUp: true })
  const [cost] = (await measure([contender], { count, isAwake: false })) as [Cost]
  const sides = { ours: perSecond(cost.rate), unit: 'ms' }
  const { atMost } = recorderOf('Requests, processor time of one')
  atMost('events of 20 positions, with PostgreSQL', cost.microseconds / 1_000, 1.3, sides)
}
