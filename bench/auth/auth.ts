import { chosenParts, inPlace, type Place } from '../support/place.ts'
import { benchBearer } from './bearer.ts'
import { benchRefresh } from './refresh.ts'
import { benchRequestLog } from './request-log.ts'
import { benchRevocation } from './revocation.ts'

const parts: Record<string, (place: Place) => Promise<void>> = {
  refresh: benchRefresh,
  bearer: benchBearer,
  revocation: benchRevocation,
  log: benchRequestLog,
}

/** Runs the named benchmarks, or all, each with its own servers on one database. Cleans up. */
export async function benchAuth(words: string[]): Promise<void> {
  const chosen = chosenParts(parts, words)
  await inPlace(async (place) => {
    for (const [, part] of chosen) {
      await part(place)
      await place.servers.stop()
    }
  })
}
