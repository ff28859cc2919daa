import { parseArgs } from 'node:util'
import { chosenParts, inPlace } from '../support/place.ts'
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
export async function benchEvents(words: string[]): Promise<void> {
  const options = { size: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
  const chosen = chosenParts(parts, positionals)
  const size = Number(values.size ?? fullSize)
  if (!Number.isInteger(size / step) || size < step) throw new Error(`--size is a multiple of ${step}.`)
  await inPlace(async (place) => {
    const setting = new EventsSetting(place, size)
    for (const [, part] of chosen) {
      await part(setting)
      await place.servers.stop()
    }
  })
}
