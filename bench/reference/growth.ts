import { below, heading } from '../support/report.ts'
import { searchDocs } from '../universe/docs.ts'
import { generatedUniverse, realSize } from '../universe/generated.ts'
import { benchReferenceSearch } from './search.ts'
import type { ReferenceSetting } from './setting.ts'

const sizes = [27_000, realSize, 1_000_000]
const setting = { queries: 2_000, checked: 10, peers: ['refdesk'] } as const

/** How search slows down as the universe grows. Uses generated universes, because there is only one real one. */
export async function benchGrowth({ place, universe }: ReferenceSetting, known?: number): Promise<void> {
  const { folder, signal } = place
  const measured: { size: number; meanMs: number }[] = []
  for (const full of place.isShort ? sizes.slice(0, 2) : sizes) {
    const size = Math.round((full * Math.min(realSize, universe.source.size)) / realSize)
    // The short version has just measured the generated universe, unless it was given a real one.
    if (full === realSize && known !== undefined && !universe.source.file) {
      measured.push({ size, meanMs: known })
      continue
    }
    const docs = await searchDocs(generatedUniverse(size))
    const done = await benchReferenceSearch(docs, { folder, databaseUrl: '', signal }, setting)
    for (const { meanMs } of done) measured.push({ size, meanMs })
  }
  heading('Growth of the mean search time, extrapolated to ten times as many instruments')
  for (const [index, { size, meanMs }] of measured.entries()) {
    const before = measured[index - 1]
    if (!before) continue
    const [larger, slower] = [size / before.size, meanMs / before.meanMs]
    // Extrapolates a step of any width to a factor of ten.
    const forTenfold = slower ** (1 / Math.log10(larger))
    const seen = `${larger.toFixed(1)} times as many: ${slower.toFixed(2)} times as long`
    const name = `search growth per tenfold, ${before.size.toLocaleString('en')} to ${size.toLocaleString('en')}`
    below(name, forTenfold, 2, { ours: seen })
  }
}
