import { benchImportCost } from '../history/import-cost.ts'
import { type BenchOptions, chosenParts, inPlace } from '../support/place.ts'
import { benchGrowth } from './growth.ts'
import { benchHttp } from './http/http.ts'
import { benchImport } from './import.ts'
import { benchMemory } from './memory.ts'
import { benchQuality } from './quality.ts'
import { benchSearch } from './search.ts'
import { ReferenceSetting, sizeOf } from './setting.ts'
import { benchWorkers } from './workers.ts'

const parts: Record<string, (setting: ReferenceSetting) => Promise<unknown>> = {
  search: benchSearch,
  quality: benchQuality,
  growth: benchGrowth,
  import: benchImport,
  'import-cost': benchImportCost,
  memory: benchMemory,
  workers: benchWorkers,
  http: benchHttp,
}

/** reference [parts...] [--universe FILE] [--size N]: use a smaller size to try out the benchmark. */
export async function benchReference(words: string[], { universe: file, size }: BenchOptions): Promise<void> {
  const chosen = chosenParts(parts, words)
  await inPlace(async (place) => {
    const setting = new ReferenceSetting(place, { file, size: sizeOf(size) })
    for (const [, part] of chosen) {
      await part(setting)
      await place.servers.stop()
    }
  })
}
