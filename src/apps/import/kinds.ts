import type { Flow } from '../../core/app.ts'
import { sha256 } from '../../core/crypto/keys.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { CopyValue, ReportError } from '../../database/staging/copy.ts'
import { sameRedirectUri } from '../rules/redirect-match.ts'
import { checkRedirectUri } from '../rules/redirect-uri.ts'
import { type SecretsMode, sealSecret, secretSealKey } from '../secrets.ts'
import { putApp } from '../store/import.ts'
import { appStage, findAppErrors } from '../store/import-checks.ts'
import { applyApps, defaultSecretHours } from './apply.ts'
import { AppDocument, type StagedApp } from './document.ts'

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

/** Writes one app of the demo data or of a test. Its secret is stored hashed and sealed only. */
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

function check(record: AppDocument, reportError: ReportError): void {
  checkLeapSecond(record.CreatedAt, 'CreatedAt', reportError)
  checkRedirectUris(record, reportError)
  const seen = new Set<string>()
  for (const [index, { Secret, SecretSha256, ValidFrom, ValidUntil }] of (record.Secrets ?? []).entries()) {
    const field = `Secrets[${index}]`
    if ((Secret === undefined) === (SecretSha256 === undefined))
      reportError(field, 'Must have either SecretSha256 or Secret.')
    // A displayed … always means a shortened secret.
    if (Secret?.includes('…'))
      reportError(`${field}.Secret`, 'Must not contain the character …, which marks a shortened secret.')
    const hash = SecretSha256 ?? sha256(Secret ?? '').toString('hex')
    if (seen.has(hash)) reportError(field, 'Must not be repeated.')
    seen.add(hash)
    checkLeapSecond(ValidFrom, `${field}.ValidFrom`, reportError)
    checkLeapSecond(ValidUntil, `${field}.ValidUntil`, reportError)
    if (ValidFrom !== undefined && ValidUntil !== undefined && !isBefore(ValidFrom, ValidUntil))
      reportError(`${field}.ValidUntil`, 'Must be later than ValidFrom.')
  }
}

/** The same rule as in the API, so that an imported app can be managed there. */
function checkRedirectUris({ RedirectUris = [], Flow }: AppDocument, reportError: ReportError): void {
  for (const [index, { Uri }] of RedirectUris.entries()) {
    const field = `RedirectUris[${index}].Uri`
    const checked = checkRedirectUri(Uri, Flow)
    if ('errors' in checked) for (const sentence of checked.errors) reportError(field, sentence)
    if (RedirectUris.findIndex((other) => sameRedirectUri(other.Uri, Uri)) < index)
      reportError(field, 'Must not be repeated.')
  }
}

/** Temporal would read :60 as :59. */
function checkLeapSecond(time: string | undefined, field: string, reportError: ReportError): void {
  if (time?.slice(17, 19) === '60') reportError(field, 'Must have seconds from 0 to 59.')
}

const isBefore = (a: string, b: string): boolean =>
  Temporal.Instant.compare(Temporal.Instant.from(a), Temporal.Instant.from(b)) < 0

export function appFamily(masterKey: Buffer, mode: SecretsMode, now: Temporal.Instant, { isAudited = true } = {}) {
  const key = secretSealKey(masterKey)
  const staged = ({ Secrets, ...record }: AppDocument): StagedApp => ({
    ...record,
    Secrets: (Secrets ?? []).map(({ Secret, SecretSha256, ...times }) => ({
      ...times,
      SecretSha256: SecretSha256 ?? sha256(Secret ?? '').toString('hex'),
      ...(Secret !== undefined && { sealed: sealSecret(key, record.AppKey, Secret, mode).toString('base64') }),
    })),
  })
  const row = (record: AppDocument): CopyValue[] => [
    record.AppKey,
    record.ClientKey ?? null,
    record.CreatedBy ?? null,
    JSON.stringify({ ...staged(record), kind: undefined }),
  ]
  return {
    kinds: [{ name: 'app', key: ['AppKey'], schema: AppDocument, stage: appStage, check, row }],
    findErrors: findAppErrors,
    apply: (trx: Trx) => applyApps(trx, now, isAudited),
  }
}
