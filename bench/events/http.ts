import { medianOf } from '../support/load.ts'
import { processorTime } from '../support/processor-time.ts'
import { atMost, heading, line, perSecond, spread } from '../support/report.ts'
import { get, Wire } from '../support/wire.ts'
import { measured, type Positions } from './fill.ts'
import { type EventsSetting, eventsPath } from './setting.ts'

const leadInMs = 600
/** Much code is still being compiled during the first seconds. */
const warmUpSeconds = 6
const lanesAtOnce = [1, 32]
/** The list that has an aim: that of a typical client, on a busy node. */
const aimed = { positions: 20, lanes: 32, milliseconds: 1.2 }

type Round = Readonly<{ rate: number; costMicroseconds: number }>

/** Requests per second of a node, and the processor time of one, that of PostgreSQL included. */
export async function benchHttp(setting: EventsSetting): Promise<void> {
  heading('Lists of events over HTTP')
  const { isShort } = setting.place
  const { rounds, seconds } = isShort ? { rounds: 3, seconds: 1.5 } : { rounds: 5, seconds: 3 }
  const database = await setting.database('full')
  const node = await setting.serve(database)
  const busy = async () => (await processorTime([node.pid, ...(await database.processIds())])) ?? Number.NaN
  for (const { positions } of measured) {
    if (isShort && positions !== aimed.positions) continue
    const requests = (await setting.tokens(node, database, positions)).map((token) => get(eventsPath, token))
    for (const lanes of isShort ? [aimed.lanes] : lanesAtOnce) {
      await rateOf(node.port, requests, lanes, warmUpSeconds)
      const done: Round[] = []
      for (let round = 0; round < rounds; round++) {
        const before = await busy()
        const rate = await rateOf(node.port, requests, lanes, seconds)
        // The lead-in has the same load, and is not counted in the rate.
        const lists = rate * (seconds + leadInMs / 1_000)
        done.push({ rate, costMicroseconds: ((await busy()) - before) / lists })
      }
      report(positions, lanes, done)
    }
  }
}

/** Not that of support/load, which never sleeps: it would take one of two cores from the node and PostgreSQL. */
async function rateOf(port: number, requests: readonly string[], lanes: number, seconds: number): Promise<number> {
  const wires = await Promise.all(Array.from({ length: lanes }, () => Wire.open(port)))
  const start = performance.now() + leadInMs
  const end = start + seconds * 1_000
  let [next, answered, last] = [0, 0, start]
  const runLane = async (wire: Wire) => {
    while (performance.now() < end) {
      next = (next + 1) % requests.length
      const { status, body } = await wire.send(requests[next] ?? '')
      if (status !== 200) throw new Error(`Answered ${status}: ${body}`)
      last = performance.now()
      if (last >= start) answered++
    }
  }
  try {
    await Promise.all(wires.map(runLane))
    return answered / ((last - start) / 1_000)
  } finally {
    for (const wire of wires) wire.close()
  }
}

function report(positions: Positions, lanes: number, done: readonly Round[]): void {
  const rates = done.map(({ rate }) => rate)
  const cost = medianOf(done.map(({ costMicroseconds }) => costMicroseconds)) / 1_000
  const each = `; processor time of one, with PostgreSQL: ${cost.toFixed(2)} ms`
  line(`${positions} positions, ${lanes} at a time`, perSecond(medianOf(rates)), `${spread(rates)}${each}`)
  if (positions !== aimed.positions || lanes !== aimed.lanes) return
  const name = 'events of 20 positions, processor time with PostgreSQL'
  atMost(name, cost, aimed.milliseconds, 'ms', { ours: perSecond(medianOf(rates)) })
}
