import { parseArgs } from 'node:util'
import { chosenParts, inPlace } from '../support/place.ts'
import { realSize } from '../universe/generated.ts'
import { benchGrowth } from './growth.ts'
import { benchHttp } from './http.ts'
import { benchImport } from './import.ts'
import { benchMemory } from './memory.ts'
import { benchQuality } from './quality.ts'
import { benchSearch } from './search.ts'
import { ReferenceSetting } from './setting.ts'

const parts: Record<string, (setting: ReferenceSetting) => Promise<void>> = {
  search: benchSearch,
  quality: benchQuality,
  growth: benchGrowth,
  import: benchImport,
  memory: benchMemory,
  http: benchHttp,
}

/** reference [parts...] [--universe FILE] [--size N]: use a smaller size to try out the benchmark. */
export async function benchReference(words: string[]): Promise<void> {
  const options = { universe: { type: 'string' }, size: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
  const chosen = chosenParts(parts, positionals)
  const size = Number(values.size ?? realSize)
  if (!Number.isInteger(size) || size < 1_000) throw new Error('--size is a whole number from 1000 on.')
  await inPlace(async (place) => {
    const setting = new ReferenceSetting(place, { file: values.universe, size })
    for (const [, part] of chosen) {
      await part(setting)
      await place.servers.stop()
    }
  })
}
