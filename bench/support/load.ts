import { setTimeout as sleep } from 'node:timers/promises'
import { Wire } from './wire.ts'

export const connections = 32
/** Half a second is how often the audit log is sealed. */
const leadInMs = 600
/** For what a round has left to do, so that the next one is not measured with it. */
const pauseMs = 600

/** What is measured against each other: `step` is one request on connection number `lane`, and checks its answer. */
export type Contender = Readonly<{
  name: string
  port: number
  step(wire: Wire, lane: number): Promise<void>
  /** Processor time that serving it has taken so far, in microseconds, where the machine tells. */
  processorTime?(): Promise<number | undefined>
}>

type Round = Readonly<{ rate: number; processorMicroseconds: number | undefined }>
export type Result = Readonly<{
  name: string
  rates: number[]
  median: number
  processorMicroseconds: number | undefined
}>

/** Requests per second, every connection with one request under way at a time; and what one of them cost. Counting
 *  begins when the load has lasted a while: work that is put off, such as sealing the audit log, is then under way. */
export async function runRound(contender: Contender, seconds: number): Promise<Round> {
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

/** Waking a sleeping process costs whoever sends to it tens of microseconds on a virtual machine: a server that is slower
 *  than the load would pay for it with every answer, a faster one never. So the load never sleeps. */
function keepAwake(isNeeded: () => boolean): void {
  if (isNeeded()) setImmediate(() => keepAwake(isNeeded))
}

/** A warm-up each, then rounds in turn, so that what else happens on the machine meets all alike. */
export async function compare(
  contenders: readonly Contender[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Result[]> {
  for (const contender of contenders) await runRound(contender, seconds / 2)
  const measured = contenders.map((contender) => ({ contender, done: [] as Round[] }))
  for (let round = 0; round < rounds; round++)
    for (const { contender, done } of measured) done.push(await runRound(contender, seconds))
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

/** How the first compares to the second: the median over the rounds of the ratio within each, whose two halves ran right
 *  after one another. What disturbs the machine for a while disturbs both halves of a round. */
export function pairedRatio(results: readonly { rates: readonly number[] }[]): number {
  const [first, second] = results
  return medianOf((first?.rates ?? []).map((rate, round) => rate / (second?.rates[round] ?? Number.NaN)))
}
