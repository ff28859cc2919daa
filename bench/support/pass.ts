import { connections, keepAwake, medianOf, type Result } from './load.ts'
import { processorTime } from './processor-time.ts'
import type { Server } from './servers.ts'
import { type Answer, Wire } from './wire.ts'

export type Pass = Readonly<{
  answers: readonly Answer[]
  rate: number
  processorMicroseconds: number | undefined
}>

/** Sends each request once, on 32 connections, and returns the answers in the order of the requests. */
export async function sendEachOnce({ port, pid }: Server, requests: readonly string[]): Promise<Pass> {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(port)))
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
  try {
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
  } finally {
    for (const wire of wires) wire.close()
  }
}

/** The figures of one call, of which a request may have several. */
export function resultOf(name: string, passes: readonly Pass[], calls = 1): Result {
  const rates = passes.map(({ rate }) => rate * calls)
  const costs = passes.flatMap(({ processorMicroseconds: cost }) => (cost === undefined ? [] : [cost / calls]))
  const processorMicroseconds = costs.length === passes.length ? medianOf(costs) : undefined
  return { name, rates, median: medianOf(rates), processorMicroseconds }
}
