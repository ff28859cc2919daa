import { accessExports } from '../access/export-store.ts'
import { accessFamily } from '../access/import.ts'
import { appExports } from '../apps/export-store.ts'
import { appFamily } from '../apps/import.ts'
import type { Config } from '../config.ts'
import { eventExports } from '../events/export-store.ts'
import { eventsFamily } from '../events/import.ts'
import { referenceExports } from '../instruments/export-store.ts'
import { referenceFamily } from '../instruments/import.ts'
import type { Exporter, Family } from './kind.ts'

type Parts = Readonly<{ masterKey: Buffer; config: Pick<Config, 'secrets'>; now: Temporal.Instant }>

/** All that is imported, in the order in which it is applied. A new kind is one more entry here. */
export function familiesOf({ masterKey, config, now }: Parts): Family[] {
  return [referenceFamily, accessFamily(now), eventsFamily(now), appFamily(masterKey, config.secrets, now)]
}

/** All that is exported, in the order of the contract's table (§9). */
export const exporters: readonly Exporter[] = [...referenceExports, ...accessExports, ...eventExports, ...appExports]
