import { type AuditEntry, appendAudit } from '../audit/append.ts'
import { randomHex } from '../core/crypto/keys.ts'
import { announce } from '../database/changes.ts'
import type { Trx } from '../database/open.ts'
import { maxApps, type NewApp } from './api/schema.ts'
import { type AppDependencies, limitReached } from './app-service.ts'
import { levelsAfter } from './rules/app-state.ts'
import { generateSecret } from './secrets.ts'
import * as store from './store/manage.ts'

type Owner = Readonly<{
  clientKey: string
  createdBy: string | null
  actor: Pick<AuditEntry, 'user' | 'session' | 'address'>
}>

const readOnly = { status: 'OK', onlineLevel: 'Read', offlineLevel: 'Read' } as const

/** The validity of a secret if none is given. */
export const yearFrom = (now: Temporal.Instant) => ({
  validFrom: now,
  validUntil: now.toZonedDateTimeISO('UTC').add({ years: 1 }).toInstant(),
})

/** Creates an app with its redirect URIs (already checked) and, for the Code flow, a first secret (§8.1). */
export async function addApp(
  trx: Trx,
  { secretKey, mode, environment }: Pick<AppDependencies, 'secretKey' | 'mode' | 'environment'>,
  { Name: name, Description: description, Flow: flow, IsTradingEnabled }: NewApp,
  { clientKey, createdBy, actor }: Owner,
  uris: readonly string[],
  now: Temporal.Instant,
) {
  await store.lockClient(trx, clientKey)
  if ((await store.countOwnApps(trx, clientKey)) >= maxApps)
    throw limitReached('apps per client', maxApps, 'Reuse an inactive one, or ask the operator of the service.')
  const appKey = randomHex()
  const levels = levelsAfter(readOnly, IsTradingEnabled, environment)
  await store.insertApp(trx, {
    app_key: appKey,
    client_key: clientKey,
    name,
    description,
    flow,
    status: levels.status,
    online_level: levels.onlineLevel,
    offline_level: levels.offlineLevel,
    created_by: createdBy,
    created_at: now.toString(),
  })
  for (const uri of uris) await store.insertRedirectUri(trx, appKey, { uri, label: null, description: null })
  const generated = flow === 'Code' ? generateSecret(secretKey, appKey, mode) : undefined
  const saved = generated && (await store.insertSecret(trx, appKey, generated, yearFrom(now)))
  const detail = {
    created: true,
    name,
    flow,
    status: levels.status,
    trading: levels.onlineLevel === 'Trade',
    ...(uris.length > 0 && { uri: uris.join(' ') }),
    ...(saved && { secret: saved.id }),
  }
  await appendAudit(trx, { at: now, kind: 'AppChanged', ...actor, app: appKey, detail })
  await announce(trx, [{ topic: 'app', key: appKey }])
  return { appKey, status: levels.status, secret: generated }
}
