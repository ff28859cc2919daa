import { setTimeout as sleep } from 'node:timers/promises'
import { Wire } from './wire.ts'

const lanes = 4
const everyMs = 20

/** Measures single requests under a modest, steady load: 4 connections with 50 requests a second each, until the signal.
 *  If a request is due while the previous one is running, its wait counts too. */
export async function steadyLoad(port: number, requests: readonly string[], until: AbortSignal): Promise<number[]> {
  const times: number[] = []
  let next = 0
  const runLane = async (_: unknown, lane: number) => {
    const wire = await Wire.open(port)
    try {
      for (let due = performance.now() + (lane * everyMs) / lanes; !until.aborted; due += everyMs) {
        const early = due - performance.now()
        if (early > 0) await sleep(early)
        const start = early > 0 ? performance.now() : due
        next = (next + 1) % requests.length
        const { status, body } = await wire.send(requests[next] ?? '')
        if (status !== 200) throw new Error(`A request was answered ${status}: ${body}`)
        times.push(performance.now() - start)
      }
    } finally {
      wire.close()
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  return times
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
