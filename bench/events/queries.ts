import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, heading, line } from '../support/report.ts'
import { ask, get } from '../support/wire.ts'
import { measured } from './fill.ts'
import { QueryCounter } from './query-counter.ts'
import { type EventsSetting, eventsPath } from './setting.ts'

const requests = 200
const idleSeconds = 10

/** Statements per request, including the bearer check, after the first request of a token. */
export async function benchQueries(setting: EventsSetting): Promise<void> {
  heading('Statements per list of events, counted between node and PostgreSQL')
  const database = await setting.database('full')
  const counter = await QueryCounter.before(database)
  try {
    const node = await setting.serve(database, { DATABASE_URL: counter.urlOf(database) })
    for (const { positions } of measured) {
      const tokens = await setting.tokens(node, database, positions)
      const list = async (at: number) => {
        const { status, body } = await ask(node.port, get(eventsPath, tokens[at % tokens.length]))
        if (status !== 200) throw new Error(`Answered ${status}: ${body}`)
      }
      for (const at of tokens.keys()) await list(at)
      counter.counts.clear()
      await sleep(idleSeconds * 1_000)
      // Background queries of the node.
      const own = new Set(counter.counts.keys())
      counter.counts.clear()
      for (let at = 0; at < requests; at++) await list(at)
      const counted = [...counter.counts].filter(([text]) => !own.has(text))
      const count = counted.reduce((sum, [, times]) => sum + times, 0)
      atMost(`${positions} positions: statements of one request`, count / requests, 2, '')
      line('', '', `${counted.length} different in ${requests} requests; ${own.size} more that a node asks by itself`)
    }
  } finally {
    await setting.place.servers.stop()
    counter.close()
  }
}
