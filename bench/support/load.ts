import { setTimeout as sleep } from 'node:timers/promises'
import { Wire } from './wire.ts'

export const connections = 32
/** Of requests that write: longer than the half second after which the audit log is sealed, and until deferred work of a round
 *  is done. */
const writing = { leadInMs: 600, pauseMs: 300 }
/** Requests that only read defer little but their log lines. */
export const reading = { leadInMs: 200, pauseMs: 100 }
type Margins = typeof writing

/** One of the compared services. `step` sends one request on connection number `lane` and checks the response. */
export type Contender = Readonly<{
  name: string
  port: number
  step(wire: Wire, lane: number): Promise<void>
  /** CPU time of the server so far, in microseconds, if the platform reports it. */
  processorTime?(): Promise<number | undefined>
}>

type Round = Readonly<{ rate: number; processorMicroseconds: number | undefined }>
export type Result = Readonly<{
  name: string
  rates: number[]
  median: number
  processorMicroseconds: number | undefined
}>

/** Measures requests per second, with one request at a time per connection, and the CPU time of one. Counting begins after
 *  a lead-in, when deferred work such as sealing the audit log is running too. */
export async function runRound(
  contender: Contender,
  seconds: number,
  { leadInMs, pauseMs }: Margins = writing,
): Promise<Round> {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(contender.port)))
  try {
    const start = performance.now() + leadInMs
    const end = start + seconds * 1_000
    let answered = 0
    const runLane = async (wire: Wire, lane: number) => {
      for (; performance.now() < end; answered++) await contender.step(wire, lane)
    }
    keepAwake(() => performance.now() < end)
    const running = Promise.all(wires.map(runLane))
    const counting = sleep(leadInMs).then(async () => {
      const [at, before] = [performance.now(), answered]
      return { at, before, busy: await contender.processorTime?.() }
    })
    const [{ at, before, busy }] = await Promise.all([counting, running])
    const count = answered - before
    const rate = count / ((performance.now() - at) / 1_000)
    const busyAfter = await contender.processorTime?.()
    const known = busy !== undefined && busyAfter !== undefined
    return { rate, processorMicroseconds: known ? (busyAfter - busy) / count : undefined }
  } catch (error) {
    throw new Error(`${contender.name}: ${(error as Error).message}`, { cause: error })
  } finally {
    for (const wire of wires) wire.close()
    await sleep(pauseMs)
  }
}

/** Keeps the load generator busy: on a virtual machine, waking a sleeping process costs the sender tens of microseconds,
 *  which only servers that are slower than the load would pay. */
export function keepAwake(isNeeded: () => boolean): void {
  if (isNeeded()) setImmediate(() => keepAwake(isNeeded))
}

type Pace = Readonly<{ rounds: number; seconds: number; warmUpSeconds?: number; margins?: Margins }>

/** A warm-up each, then rounds in turn, so that other load on the machine affects all alike. */
export async function compare(
  contenders: readonly Contender[],
  { rounds, seconds, warmUpSeconds = seconds / 2, margins }: Pace,
): Promise<Result[]> {
  for (const contender of contenders) await runRound(contender, warmUpSeconds, margins)
  const measured = contenders.map((contender) => ({ contender, done: [] as Round[] }))
  for (let round = 0; round < rounds; round++)
    for (const { contender, done } of measured) done.push(await runRound(contender, seconds, margins))
  return measured.map(({ contender, done }) => {
    const rates = done.map(({ rate }) => rate)
    const costs = done.flatMap(({ processorMicroseconds }) => processorMicroseconds ?? [])
    const processorMicroseconds = costs.length > 0 ? medianOf(costs) : undefined
    return { name: contender.name, rates, median: medianOf(rates), processorMicroseconds }
  })
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}

/** The median ratio of the first to the second per round. The two halves of a round run one after the other, so other load
 *  on the machine affects both. */
export function pairedRatio(results: readonly { rates: readonly number[] }[]): number {
  const [first, second] = results
  return medianOf((first?.rates ?? []).map((rate, round) => rate / (second?.rates[round] ?? Number.NaN)))
}
