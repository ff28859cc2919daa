import { connections, keepAwake, medianOf, type Result } from './load.ts'
import { processorTime } from './processor-time.ts'
import type { Server } from './servers.ts'
import { type Answer, Wire } from './wire.ts'

export type Pass = Readonly<{
  answers: readonly Answer[]
  rate: number
  processorMicroseconds: number | undefined
}>

/** Calls back with 32 connections to each server, which stay open meanwhile. */
export async function connected<Result>(
  servers: readonly Server[],
  use: (wires: readonly (readonly Wire[])[]) => Promise<Result>,
): Promise<Result> {
  const open: Wire[] = []
  const openTo = async ({ port }: Server): Promise<Wire[]> => {
    const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(port)))
    open.push(...wires)
    return wires
  }
  try {
    return await use(await Promise.all(servers.map(openTo)))
  } finally {
    for (const wire of open) wire.close()
  }
}

/** Sends each request once, on new connections, and returns the answers in the order of the requests. */
export const sendEachOnce = (server: Server, requests: readonly string[]): Promise<Pass> =>
  connected([server], ([wires = []]) => sendOver(wires, server, requests))

/** The same on these connections to the server. */
export async function sendOver(wires: readonly Wire[], { pid }: Server, requests: readonly string[]): Promise<Pass> {
  const answers: Answer[] = []
  let next = 0
  const runLane = async (wire: Wire) => {
    while (next < requests.length) {
      const index = next++
      const answer = await wire.send(requests[index] ?? '')
      if (answer.status !== 200) throw new Error(`${requests[index]?.split(' ')[1]} was answered ${answer.status}`)
      answers[index] = answer
    }
  }
  const [start, busy] = [performance.now(), await processorTime([pid])]
  let isRunning = true
  keepAwake(() => isRunning)
  await Promise.all(wires.map(runLane)).finally(() => {
    isRunning = false
  })
  const [took, busyAfter] = [performance.now() - start, await processorTime([pid])]
  const known = busy !== undefined && busyAfter !== undefined
  const processorMicroseconds = known ? (busyAfter - busy) / requests.length : undefined
  return { answers, rate: requests.length / (took / 1_000), processorMicroseconds }
}

/** The figures of one call, of which a request may have several. */
export function resultOf(name: string, passes: readonly Pass[], calls = 1): Result {
  const rates = passes.map(({ rate }) => rate * calls)
  const costs = passes.flatMap(({ processorMicroseconds: cost }) => (cost === undefined ? [] : [cost / calls]))
  const processorMicroseconds = costs.length === passes.length ? medianOf(costs) : undefined
  return { name, rates, median: medianOf(rates), processorMicroseconds }
}
