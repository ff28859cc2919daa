import { benchRefresh } from './auth/refresh.ts'
import { benchRequestLog } from './auth/request-log.ts'
import { benchGrowth as benchEventGrowth } from './events/growth.ts'
import { benchHttp as benchEventHttp } from './events/http.ts'
import { EventsSetting } from './events/setting.ts'
import { benchGrowth } from './reference/growth.ts'
import { benchHttp } from './reference/http/http.ts'
import { benchServingMeanwhile } from './reference/import-load.ts'
import { benchMemory } from './reference/memory.ts'
import { benchSearch } from './reference/search.ts'
import { ReferenceSetting, sizeOf } from './reference/setting.ts'
import { benchWorkers } from './reference/workers.ts'
import { benchSnapshots } from './sim/snapshots.ts'

import { type BenchOptions, inPlace } from './support/place.ts'
import { Steps } from './support/steps.ts'

/** Large enough to show growth, small enough to be created in seconds. */
const events = 20_000

/** Everything that has an aim, in at most five minutes on two quiet cores. */
export async function benchEverything({ universe: file, size }: BenchOptions): Promise<void> {
  await inPlace(
    async (place) => {
      const reference = new ReferenceSetting(place, { file, size: sizeOf(size) })
      const ofEvents = new EventsSetting(place, events)
      const fillEvents = () => ofEvents.database('full')
      const steps = new Steps([
        ['memory, start and workers', async () => benchWorkers(reference, await benchMemory(reference, fillEvents))],
        ['requests over HTTP', () => benchHttp(reference)],
        ['changes while serving', () => benchServingMeanwhile(reference)],
        ['search and its growth', async () => benchGrowth(reference, await benchSearch(reference))],
        ['corporate actions', () => benchEventHttp(ofEvents)],
        ['growth of corporate actions', () => benchEventGrowth(ofEvents)],
        ['refresh', () => benchRefresh(place)],
        ['restore of a snapshot', () => benchSnapshots(place)],
        ['request log', () => benchRequestLog(place)],
      ])
      await steps.run(() => place.servers.stop())
    },
    { isShort: true },
  )
}
