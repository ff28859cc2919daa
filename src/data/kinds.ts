import { accessExports } from '../access/export-store.ts'
import { accessFamily } from '../access/import.ts'
import { appExports } from '../apps/export-store.ts'
import { appFamily } from '../apps/import.ts'
import { eventExports } from '../events/export-store.ts'
import { eventsFamily } from '../events/import.ts'
import { referenceExports } from '../instruments/export-store.ts'
import { referenceFamily } from '../instruments/import.ts'
import type { Exporter, Family } from './kind.ts'

/** All that is imported, in the order in which it is applied. A new kind is one more entry here. */
export function familiesOf({ masterKey, now }: { masterKey: Buffer; now: Temporal.Instant }): Family[] {
  return [referenceFamily, accessFamily(now), eventsFamily(now), appFamily(masterKey, now)]
}

/** All that is exported, in the order of the contract's table (§9). */
export const exporters: readonly Exporter[] = [...referenceExports, ...accessExports, ...eventExports, ...appExports]
