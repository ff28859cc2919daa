import { setTimeout as sleep } from 'node:timers/promises'
import { ask, get } from './wire.ts'

/** One figure of /metrics, without labels. */
export async function scrape(port: number, name: string): Promise<number> {
  const { body } = await ask(port, get('/metrics'))
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]
  if (value === undefined) throw new Error(`/metrics does not tell ${name}.`)
  return Number(value)
}

/** The longest that the event loop stood still since this was last asked. */
export const longestStallMs = async (port: number): Promise<number> =>
  (await scrape(port, 'refdesk_event_loop_delay_seconds_max')) * 1_000

const looks = 5
const mostLooks = 60

/** Resident memory when it has hardly moved for a while. */
export async function settledMemory(port: number): Promise<number> {
  const seen: number[] = []
  for (let look = 0; look < mostLooks; look++) {
    seen.push(await scrape(port, 'process_resident_memory_bytes'))
    const last = seen.slice(-looks)
    if (last.length === looks && Math.max(...last) < Math.min(...last) * 1.005) break
    await sleep(500)
  }
  return seen.at(-1) ?? Number.NaN
}
