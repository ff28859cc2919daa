import { type AuditEntry, appendAudit } from '../audit/append.ts'
import { randomHex } from '../core/crypto/keys.ts'
import { announce } from '../database/changes.ts'
import type { Trx } from '../database/open.ts'
import { maxApps, type NewApp } from './api/schema.ts'
import { tooMany } from './app-service.ts'
import { levelsAfter } from './rules/app-state.ts'
import { type MadeSecret, makeSecret, type SecretsMode } from './secrets.ts'
import * as store from './store/manage.ts'

type Parts = Readonly<{ secretKey: Buffer; mode: SecretsMode; environment: 'sim' | 'live' }>
/** For whom an app is made, by whom, and with which addresses, which were judged before. */
type Making = Readonly<{
  clientKey: string
  createdBy: string | null
  who: Pick<AuditEntry, 'user' | 'session' | 'address'>
  uris: readonly string[]
}>

const readOnly = { status: 'OK', onlineLevel: 'Read', offlineLevel: 'Read' } as const

/** How long a secret lives whose end nobody said. */
export const yearFrom = (now: Temporal.Instant) => ({
  validFrom: now,
  validUntil: now.toZonedDateTimeISO('UTC').add({ years: 1 }).toInstant(),
})

/** Makes an app with its addresses and, where its flow has one, its first secret (contract §8). */
export async function makeNewApp(
  trx: Trx,
  { secretKey, mode, environment }: Parts,
  { Name: name, Description: description, Flow: flow, IsTradingEnabled }: NewApp,
  { clientKey, createdBy, who, uris }: Making,
  now: Temporal.Instant,
): Promise<{ appKey: string; status: store.OwnApp['status']; secret: (MadeSecret & { id: number }) | undefined }> {
  await store.lockClient(trx, clientKey)
  if ((await store.countOwnApps(trx, clientKey)) >= maxApps)
    throw tooMany('apps of one client', maxApps, 'Use one that is inactive again, or ask whoever runs the service.')
  const appKey = randomHex()
  const levels = levelsAfter(readOnly, IsTradingEnabled, environment)
  await store.insertApp(trx, { appKey, clientKey, name, description, flow, ...levels, createdBy, createdAt: now })
  for (const uri of uris) await store.insertRedirectUri(trx, appKey, { uri, label: null, description: null })
  const made = flow === 'Code' ? makeSecret(secretKey, appKey, mode) : undefined
  const kept = made && (await store.insertSecret(trx, appKey, made, yearFrom(now)))
  const detail = {
    created: true,
    name,
    flow,
    status: levels.status,
    trading: levels.onlineLevel === 'Trade',
    ...(uris.length > 0 && { uri: uris.join(' ') }),
    ...(kept && { secret: kept.id }),
  }
  await appendAudit(trx, { at: now, kind: 'AppChanged', ...who, app: appKey, detail })
  await announce(trx, [{ topic: 'app', key: appKey }])
  return { appKey, status: levels.status, secret: made && kept && { ...made, id: kept.id } }
}
