import { defaultSecretHours } from '../../src/apps/import/apply.ts'
import { sealSecret, secretSealKey } from '../../src/apps/secrets.ts'
import { putApp } from '../../src/apps/store/import.ts'
import type { Flow } from '../../src/core/app.ts'
import { sha256 } from '../../src/core/crypto/keys.ts'
import type { Db } from '../../src/database/open.ts'

export type AppRecord = Readonly<{
  AppKey: string
  ClientKey: string
  Name: string
  Description: string
  Flow: Flow
  RedirectUris: readonly string[]
  Secret?: string
  CreatedBy?: string
  IsTradingEnabled: boolean
}>

/** Writes an app. */
export async function importApp(db: Db, masterKey: Buffer, record: AppRecord, now: Temporal.Instant): Promise<void> {
  const level = record.IsTradingEnabled ? 'Trade' : 'Read'
  const secrets = record.Secret === undefined ? [] : [record.Secret]
  await putApp(
    db,
    {
      AppKey: record.AppKey,
      ClientKey: record.ClientKey,
      Name: record.Name,
      Description: record.Description,
      Flow: record.Flow,
      Status: 'OK',
      IsActive: true,
      Levels: { Online: level, Offline: level },
      CreatedBy: record.CreatedBy ?? null,
      CreatedAt: now,
      redirectUris: record.RedirectUris.map((uri) => ({ uri, label: null, description: null })),
      secrets: secrets.map((secret) => ({
        sha256: sha256(secret),
        // Sealed completely even with SECRETS=once: the demo secret is public.
        sealed: sealSecret(secretSealKey(masterKey), record.AppKey, secret, 'listed'),
        validFrom: now,
        validUntil: now.add({ hours: defaultSecretHours }),
      })),
    },
    'keep',
    now,
  )
}
