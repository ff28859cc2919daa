import { setTimeout as sleep } from 'node:timers/promises'
import { ask, get } from './wire.ts'

/** Reads a metric without labels. */
export async function scrape(port: number, name: string): Promise<number> {
  const { body } = await ask(port, get('/metrics'))
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]
  if (value === undefined) throw new Error(`/metrics has no ${name}.`)
  return Number(value)
}

/** The longest stall of the event loop since the last call. */
export const longestStallMs = async (port: number): Promise<number> =>
  (await scrape(port, 'refdesk_event_loop_delay_seconds_max')) * 1_000

const stableSamples = 5
const maxSamples = 120
const betweenMs = 250

/** Resident memory, once it is stable. */
export async function settledMemory(port: number): Promise<number> {
  const seen: number[] = []
  for (let sample = 0; sample < maxSamples; sample++) {
    seen.push(await scrape(port, 'process_resident_memory_bytes'))
    const last = seen.slice(-stableSamples)
    if (last.length === stableSamples && Math.max(...last) < Math.min(...last) * 1.005) break
    await sleep(betweenMs)
  }
  return seen.at(-1) ?? Number.NaN
}
