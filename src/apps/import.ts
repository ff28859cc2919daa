import type { Flow } from '../core/flow.ts'
import { deriveKey, seal, sha256 } from '../core/keys.ts'
import type { Db } from '../database/open.ts'
import { putApp } from './import-store.ts'

export const secretSealKey = (masterKey: Buffer): Buffer => deriveKey(masterKey, 'app secrets')

/** What a sealed secret is bound to: moved to another app's row it does not open. */
export const secretContext = (appKey: string): string => `secret of ${appKey}`

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

/** Writes one app record; a secret in clear is hashed for checking and sealed for listing, and kept no other way. */
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
      redirectUris: record.RedirectUris,
      secrets: secrets.map((secret) => ({
        sha256: sha256(secret),
        sealed: seal(secretSealKey(masterKey), secret, secretContext(record.AppKey)),
        validFrom: now,
        validUntil: now.add({ hours: 24 * 365 }),
      })),
    },
    now,
  )
}
