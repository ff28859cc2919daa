import { accessFamily } from '../access/import/kinds.ts'
import { accessExports } from '../access/store/export.ts'
import { appFamily } from '../apps/import/kinds.ts'
import { appExports } from '../apps/store/export.ts'
import type { Config } from '../config.ts'
import { nonePublished, type PublishedCredentials } from '../core/crypto/published.ts'
import { eventsFamily } from '../events/import/kinds.ts'
import { electionExport, eventExports } from '../events/store/export.ts'
import { referenceFamily } from '../instruments/import/kinds.ts'
import { referenceExports } from '../instruments/store/export.ts'
import type { Exporter, Family } from './kind.ts'

type Dependencies = Readonly<{
  masterKey: Buffer
  config: Pick<Config, 'secrets'>
  now: Temporal.Instant
  isAudited?: boolean
  /** Credentials that records must not have. */
  published?: PublishedCredentials
}>

/** All importable kinds, in the order in which they are applied. */
export function familiesOf(deps: Dependencies): Family[] {
  const { masterKey, config, now, isAudited = true, published = nonePublished } = deps
  const apps = appFamily(masterKey, config.secrets, now, { isAudited, published })
  return [referenceFamily, accessFamily(now, published), eventsFamily(now), apps]
}

/** All kinds that an export has unless it names others, in the order of §9.1. */
export const exporters: readonly Exporter[] = [...referenceExports, ...accessExports, ...eventExports, ...appExports]

/** Kinds that are exported only by name. */
export const namedExporters: readonly Exporter[] = [electionExport]
