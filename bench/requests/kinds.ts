import type { ReferenceSetting } from '../reference/setting.ts'
import { mixedQueries } from '../search/queries.ts'
import { basePath } from '../support/wire.ts'
import { anyOf, seeded } from '../universe/random.ts'

/** Aims for the ratio of each rival's processor time to refdesk's. */
export type Aims = Readonly<{ name: string; nodeHttp: number; fastify?: number }>
export type Kind = Readonly<{
  /** Requests that are sent before the measured ones. */
  warmUp: readonly string[]
  /** Distinct requests that are sent once, enough of them that garbage collections count as they do over minutes. */
  paths: readonly string[]
  distinct: Aims
  /** Aims for the first paths, which are then sent again and again. */
  repeated: Aims & Readonly<{ paths: number }>
}>

const at = `${basePath}/ref/v1/instruments`
/** The aims of requests that are sent again and again. */
export const repeatedAims = { nodeHttp: 0.5, fastify: 0.8 } as const

/** Returns the same requests in every run of the same universe. */
export async function kindsOf(setting: ReferenceSetting): Promise<Kind[]> {
  const { instruments, roots } = await setting.universe.written()
  const random = seeded(11)
  const detailPath = () => {
    const { uic, assetType } = anyOf(random, instruments)
    return `${at}/details/${uic}/${assetType}`
  }
  const spacePath = () => {
    const { id, expiries } = anyOf(random, roots)
    const segment = `OptionSpaceSegment=SpecificDates&ExpiryDates=${anyOf(random, expiries)}`
    return `${at}/contractoptionspaces/${id}?${segment}`
  }
  // Short texts repeat, so more are drawn than are needed.
  const queries = mixedQueries(await setting.docs(), 60_000)
  const searches = [...new Set(queries.map((text) => `${at}?Keywords=${encodeURIComponent(text)}`))]
  return [
    {
      ...split(drawn(70_000, detailPath)),
      distinct: { name: 'details, random', nodeHttp: 0.38, fastify: 0.55 },
      repeated: { name: 'details, the same', paths: 1, ...repeatedAims },
    },
    {
      ...split(searches.slice(0, 36_000)),
      distinct: { name: 'search, distinct', nodeHttp: 0.26 },
      repeated: { name: 'search, repeated', paths: 2_000, ...repeatedAims },
    },
    {
      ...split(drawn(36_000, spacePath)),
      distinct: { name: 'option space, distinct', nodeHttp: 0.28 },
      repeated: { name: 'option space, repeated', paths: 2_000, ...repeatedAims },
    },
  ]
}

/** A third of the requests is measured. */
function split(paths: readonly string[]): Pick<Kind, 'warmUp' | 'paths'> {
  const warmUp = Math.ceil((2 * paths.length) / 3)
  return { warmUp: paths.slice(0, warmUp), paths: paths.slice(warmUp) }
}

/** Draws this many different paths, or as many as a small universe has. */
function drawn(count: number, draw: () => string): string[] {
  const seen = new Set<string>()
  for (let tries = 0; seen.size < count && tries < 10 * count; tries++) seen.add(draw())
  return [...seen]
}
