import { parseArgs } from 'node:util'
import { benchGrowth } from './reference-growth.ts'
import { benchHttp } from './reference-http.ts'
import { benchImport } from './reference-import.ts'
import { benchMemory } from './reference-memory.ts'
import { benchSearch } from './reference-search.ts'
import { ReferenceSetting } from './reference-setting.ts'
import { chosenParts, inPlace } from './support/place.ts'
import { realSize } from './universe/generated.ts'

const parts: Record<string, (setting: ReferenceSetting) => Promise<void>> = {
  search: benchSearch,
  growth: benchGrowth,
  import: benchImport,
  memory: benchMemory,
  http: benchHttp,
}

/** reference [parts...] [--universe FILE] [--size N]: a smaller size is for trying the bench itself. */
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
