import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { microseconds, perSecond } from './report.ts'
import type { Server } from './servers.ts'
import { Wire } from './wire.ts'

export const connections = 32
/** Deferred work must count too: log lines, and the audit log, which is sealed every half second. */
const deferredMs = 700

/** One of the servers that are compared. */
export type Contender = Readonly<{
  name: string
  port: number
  /** Returns every process whose time counts. */
  pids(): readonly number[] | Promise<readonly number[]>
  /** Sends request number `index` on connection number `lane` and checks the response. */
  step(wire: Wire, index: number, lane: number): Promise<void>
}>

/** Processor time of one request, and requests per second. */
export type Cost = Readonly<{ name: string; microseconds: number; rate: number }>
export const shownCost = (cost: Cost): string => `${microseconds(cost.microseconds)}, ${perSecond(cost.rate)}`

type Amount = Readonly<{
  /** Requests to each contender. */
  count: number
  /** The number of slices they are sent in. */
  turns?: number
  isWarmUp?: boolean
  /** Whether the load generator stays busy while it waits. Waking it costs the server tens of microseconds on a virtual
   *  machine, but PostgreSQL needs the core if the server waits for it. */
  isAwake?: boolean
}>

/** Sends each contender its requests, one at a time per connection, on connections that stay open. The contenders take
 *  turns, so that other load on the machine affects all alike. */
export async function measure(contenders: readonly Contender[], amount: Amount): Promise<Cost[]> {
  const { count, isWarmUp = false, turns = isWarmUp ? 1 : 20, isAwake = true } = amount
  const open = await Promise.all(contenders.map(({ port }) => connect(port)))
  let isRunning = true
  if (isAwake) keepAwake(() => isRunning)
  try {
    const pids = await Promise.all(contenders.map((contender) => contender.pids()))
    const times = () => Promise.all(pids.map(processorTime))
    const [before, took] = [await times(), contenders.map(() => 0)]
    const size = Math.ceil(count / turns)
    for (let from = 0; from < count; from += size)
      for (const [at, contender] of contenders.entries()) {
        const start = performance.now()
        await sendSlice(open[at] ?? [], contender, from, Math.min(from + size, count))
        took[at] = (took[at] ?? 0) + performance.now() - start
      }
    if (!isWarmUp) await sleep(deferredMs)
    const after = await times()
    return contenders.map(({ name }, at) => ({
      name,
      microseconds: ((after[at] ?? Number.NaN) - (before[at] ?? Number.NaN)) / count,
      rate: count / ((took[at] ?? Number.NaN) / 1_000),
    }))
  } finally {
    isRunning = false
    for (const wire of open.flat()) wire.close()
  }
}

/** Returns the processor time of these processes so far, in microseconds, or NaN without /proc. Other load on the
 *  machine hardly affects it. */
async function processorTime(pids: readonly number[]): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  // proc_pid_stat(5): behind the name, which may hold anything, utime and stime are the 12th and 13th.
  const fields = texts.flatMap((text) =>
    text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13),
  )
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return (fields.reduce((sum, ticks) => sum + Number(ticks), 0) * 1_000_000) / ticksPerSecond
}

const connect = (port: number): Promise<Wire[]> =>
  Promise.all(Array.from({ length: connections }, () => Wire.open(port)))

async function sendSlice(wires: readonly Wire[], contender: Contender, from: number, to: number): Promise<void> {
  let next = from
  const runLane = async (wire: Wire, lane: number) => {
    while (next < to) await contender.step(wire, next++, lane)
  }
  try {
    await Promise.all(wires.map(runLane))
  } catch (error) {
    throw new Error(`${contender.name}: ${(error as Error).message}`, { cause: error })
  }
}

function keepAwake(isNeeded: () => boolean): void {
  if (isNeeded()) setImmediate(() => keepAwake(isNeeded))
}

/** Sends these requests in order, again and again, and compares the bodies where they are known. */
export function sending(
  name: string,
  { port, pid }: Server,
  requests: readonly string[],
  bodies?: readonly string[],
): Contender {
  return {
    name,
    port,
    pids: () => [pid],
    async step(wire, index) {
      const at = index % requests.length
      const { status, body } = await wire.send(requests[at] ?? '')
      if (status === 200 && (!bodies || body === bodies[at])) return
      throw new Error(`${requests[at]?.split(' ', 2)[1]} was answered ${status}: ${body.slice(0, 300)}`)
    },
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const medianOf = (values: readonly number[]): number => quantile(values, 0.5)
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
