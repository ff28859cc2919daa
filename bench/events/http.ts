import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { medianOf, pairedRatio } from '../support/load.ts'
import { processorTime } from '../support/processor-time.ts'
import { heading, line, perSecond, ratio, spread } from '../support/report.ts'
import { get, Wire } from '../support/wire.ts'
import { measured, measuredKeys, type Positions } from './fill.ts'
import type { LoopJob } from './loop.ts'
import { type EventsSetting, eventsPath, statementsOf } from './setting.ts'

const rounds = 5
const roundSeconds = 3
const leadInMs = 600
/** The pool size of a node. */
const connections = 10
const lanesAtOnce = [1, 32]

type Round = Readonly<{ rate: number; costMicroseconds: number }>
type Rival = Readonly<{ name: string; run(seconds: number): Promise<number>; pids: readonly number[]; done: Round[] }>

/** Requests per second of a node, against a process that only sends PostgreSQL the same queries. */
export async function benchHttp(setting: EventsSetting): Promise<void> {
  heading('Lists of events through HTTP, against the same statement in a bare pg loop')
  const database = await setting.database('full')
  const node = await setting.serve(database)
  for (const { positions } of measured) {
    const clientKeys = (await measuredKeys(database, positions)).map(({ clientKey }) => clientKey)
    const statements = await statementsOf(database, clientKeys)
    const requests = (await setting.tokens(node, database, positions)).map((token) => get(eventsPath, token))
    for (const lanes of lanesAtOnce) {
      const loop = new Loop({ connection: database.connection, statements, connections, lanes }, setting.place.signal)
      try {
        const serving: Rival = {
          name: 'refdesk',
          run: (seconds) => rateOf(node.port, requests, lanes, seconds),
          pids: [node.pid],
          done: [],
        }
        const asking: Rival = { name: 'bare pg loop', run: (seconds) => loop.run(seconds), pids: [loop.pid], done: [] }
        await compare([serving, asking], () => database.processIds())
        report(positions, lanes, [serving, asking])
      } finally {
        loop.stop()
      }
    }
  }
}

/** A warm-up each, then alternating; CPU time is that of the process and of PostgreSQL. */
async function compare(rivals: readonly Rival[], database: () => Promise<number[]>): Promise<void> {
  for (const { run } of rivals) await run(roundSeconds / 2)
  const busy = async (pids: readonly number[]) => (await processorTime([...pids, ...(await database())])) ?? Number.NaN
  for (let round = 0; round < rounds; round++)
    for (const { run, pids, done } of rivals) {
      const before = await busy(pids)
      const rate = await run(roundSeconds)
      // The warm-up has the same load, and is not counted in the rate.
      const lists = rate * (roundSeconds + leadInMs / 1_000)
      done.push({ rate, costMicroseconds: ((await busy(pids)) - before) / lists })
    }
}

/** Not that of support/load, which never sleeps: it would take one of two cores from the node and PostgreSQL, but not
 *  from the loop. A list takes milliseconds, so wake-ups do not matter. */
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

class Loop {
  readonly #child: ChildProcess

  constructor(job: LoopJob, signal: AbortSignal) {
    this.#child = fork(fileURLToPath(new URL('loop.ts', import.meta.url)), { signal })
    // Whoever awaits the round gets the error.
    this.#child.on('error', () => undefined)
    this.#child.send({ job })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  run(seconds: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('The bare pg loop ended early.'))
      this.#child.once('exit', ended)
      this.#child.once('message', ({ rate, failure }: { rate?: number; failure?: string }) => {
        this.#child.off('exit', ended)
        if (rate === undefined) reject(new Error(`The bare pg loop: ${failure}`))
        else resolve(rate)
      })
      this.#child.send({ round: { leadInMs, seconds } })
    })
  }

  stop(): void {
    this.#child.kill()
  }
}

function report(positions: Positions, lanes: number, rivals: readonly Rival[]): void {
  const results = rivals.map(({ name, done }) => ({ name, done, rates: done.map(({ rate }) => rate) }))
  for (const { name, done, rates } of results) {
    const cost = medianOf(done.map(({ costMicroseconds }) => costMicroseconds))
    const cpu = Number.isNaN(cost) ? '' : `, CPU time each, with PostgreSQL's: ${cost.toFixed()} µs`
    line(`${positions} positions, ${lanes} at a time: ${name}`, perSecond(medianOf(rates)), `${spread(rates)}${cpu}`)
  }
  ratio(`${positions} positions, ${lanes} at a time: refdesk / loop`, pairedRatio(results), 0.5)
}
