import { anyOf, seeded } from '../../universe/random.ts'
import { mixedQueries } from '../queries.ts'
import { basePath, type ReferenceSetting } from '../setting.ts'

export type Asked = Readonly<{
  name: string
  aim: number
  /** Other requests of the same kind, sent before. */
  warmUp: readonly string[]
  /** Each sent once; no two are the same. So many that a garbage collection counts as much as it does over minutes. */
  paths: readonly string[]
  /** How many of them are then sent again and again. */
  repeated?: Readonly<{ name: string; paths: number; aim: number }>
}>

const at = `${basePath}/ref/v1/instruments`

/** The same requests in every run of the same universe. */
export async function askedOf(setting: ReferenceSetting): Promise<Asked[]> {
  const { universe } = setting
  const { instruments, roots } = await universe.written()
  const random = seeded(11)
  const docs = await setting.docs()
  // Short texts repeat, so more are drawn than are needed.
  const queries = mixedQueries(docs, 60_000).map(({ text }) => `${at}?Keywords=${encodeURIComponent(text)}`)
  const oneSpace = () => {
    const { id, expiries } = anyOf(random, roots)
    const segment = `OptionSpaceSegment=SpecificDates&ExpiryDates=${anyOf(random, expiries)}`
    return `${at}/contractoptionspaces/${id}?${segment}`
  }
  const oneDetail = () => {
    const { uic, assetType } = anyOf(random, instruments)
    return `${at}/details/${uic}/${assetType}`
  }
  return [
    {
      ...split(drawn(50_000, oneDetail), 30_000),
      ...{ name: 'details, random instruments', aim: 0.55 },
      repeated: { name: 'details, the same instrument', paths: 1, aim: 0.65 },
    },
    {
      ...split([...new Set(queries)].slice(0, 32_000), 20_000),
      ...{ name: 'search, distinct queries', aim: 0.4 },
      repeated: { name: 'search, repeated queries', paths: 2_000, aim: 0.6 },
    },
    { ...split(drawn(32_000, oneSpace), 16_000), name: 'option space, one expiry', aim: 0.5 },
  ]
}

/** A small universe has fewer requests: then a quarter of them are measured. */
function split(paths: readonly string[], count: number) {
  const warmUp = Math.min(count, Math.floor(paths.length * 0.75))
  return { warmUp: paths.slice(0, warmUp), paths: paths.slice(warmUp) }
}

/** This many different ones, or as many as a small universe has. */
function drawn(count: number, draw: () => string): string[] {
  const seen = new Set<string>()
  for (let tries = 0; seen.size < count && tries < 10 * count; tries++) seen.add(draw())
  return [...seen]
}
