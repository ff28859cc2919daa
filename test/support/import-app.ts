import { defaultSecretHours } from '../../src/apps/import/apply.ts'
import type { CompleteApp } from '../../src/apps/import/document.ts'
import { sealSecret, secretSealKey } from '../../src/apps/secrets.ts'
import { readAppDocuments } from '../../src/apps/store/export.ts'
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

/** Writes an app. If it exists, it keeps its other redirect URIs and secrets. */
export async function importApp(db: Db, masterKey: Buffer, record: AppRecord, now: Temporal.Instant): Promise<void> {
  const level = record.IsTradingEnabled ? 'Trade' : 'Read'
  const secrets = record.Secret === undefined ? [] : [record.Secret]
  const { IsTradingEnabled, Secret, ...members } = record
  const known = (await readAppDocuments(db, [record.AppKey])).get(record.AppKey)
  const kept = known?.RedirectUris?.filter(({ Uri }) => !record.RedirectUris.includes(Uri)) ?? []
  const app = {
    ...members,
    Status: 'OK' as const,
    IsActive: true,
    Levels: { Online: level, Offline: level } as const,
    CreatedAt: now.toString(),
    RedirectUris: [...kept, ...record.RedirectUris.map((Uri) => ({ Uri }))],
    Secrets: [
      ...((known?.Secrets ?? []) as CompleteApp['Secrets']),
      ...secrets.map((secret) => ({
        SecretSha256: sha256(secret).toString('hex'),
        // Sealed completely even with SECRETS=once: the demo secret is public.
        sealed: sealSecret(secretSealKey(masterKey), record.AppKey, secret, 'listed').toString('base64'),
        ValidFrom: now.toString(),
        ValidUntil: now.add({ hours: defaultSecretHours }).toString(),
      })),
    ],
  }
  await putApp(db, app, now)
}
