import { accessFamily } from '../access/import/kinds.ts'
import { accessExports } from '../access/store/export.ts'
import { appFamily } from '../apps/import/kinds.ts'
import { appExports } from '../apps/store/export.ts'
import type { Config } from '../config.ts'
import { eventsFamily } from '../events/import/kinds.ts'
import { eventExports } from '../events/store/export.ts'
import { referenceFamily } from '../instruments/import/kinds.ts'
import { referenceExports } from '../instruments/store/export.ts'
import type { Exporter, Family } from './kind.ts'

type Parts = Readonly<{ masterKey: Buffer; config: Pick<Config, 'secrets'>; now: Temporal.Instant }>

/** All that is imported, in the order in which it is applied. A new kind is one more entry here. */
export function familiesOf({ masterKey, config, now }: Parts): Family[] {
  return [referenceFamily, accessFamily(now), eventsFamily(now), appFamily(masterKey, config.secrets, now)]
}

/** All that is exported, in the order of the contract's table (§9). */
export const exporters: readonly Exporter[] = [...referenceExports, ...accessExports, ...eventExports, ...appExports]
