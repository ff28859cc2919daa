import { type BenchOptions, chosenParts, inPlace } from '../support/place.ts'
import { benchGrowth } from './growth.ts'
import { benchHttp } from './http.ts'
import { benchQueries } from './queries.ts'
import { EventsSetting } from './setting.ts'

const parts: Record<string, (setting: EventsSetting) => Promise<void>> = {
  growth: benchGrowth,
  queries: benchQueries,
  http: benchHttp,
}
const fullSize = 100_000
/** A tenth of this still has room for the client with the most positions. */
const step = 20_000

/** events [sections...] [--size N]: the number of events and clients; a smaller size is for testing the benchmark. */
export async function benchEvents(words: string[], options: BenchOptions): Promise<void> {
  const chosen = chosenParts(parts, words)
  const size = Number(options.size ?? fullSize)
  if (!Number.isInteger(size / step) || size < step) throw new Error(`--size is a multiple of ${step}.`)
  await inPlace(async (place) => {
    const setting = new EventsSetting(place, size)
    for (const [, part] of chosen) {
      await part(setting)
      await place.servers.stop()
    }
  })
}
