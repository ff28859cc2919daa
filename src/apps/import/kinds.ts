import { sha256 } from '../../core/crypto/keys.ts'
import type { PublishedCredentials } from '../../core/crypto/published.ts'
import type { Trx } from '../../database/open.ts'
import type { CopyValue, ReportError } from '../../database/staging/copy.ts'
import type { Filled } from '../../database/staging/stages.ts'
import { sameRedirectUri } from '../rules/redirect-match.ts'
import { checkRedirectUri } from '../rules/redirect-uri.ts'
import { type SecretsMode, sealSecret, secretSealKey } from '../secrets.ts'
import { appStage, findAppErrors } from '../store/import.ts'
import { applyApps } from './apply.ts'
import { AppDocument, type StagedApp } from './document.ts'

function checkPublished({ AppKey }: AppDocument, { appKeys }: PublishedCredentials, reportError: ReportError): void {
  if (appKeys.has(AppKey)) reportError('AppKey', 'Is the key of a demo app. Live rejects it: create another.')
}

function check(record: AppDocument, { secretHashes }: PublishedCredentials, reportError: ReportError): void {
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
    if (secretHashes.has(hash))
      reportError(field, 'Is the secret of a demo app, which everyone knows. Live rejects it: create another.')
    checkLeapSecond(ValidFrom, `${field}.ValidFrom`, reportError)
    checkLeapSecond(ValidUntil, `${field}.ValidUntil`, reportError)
    if (ValidFrom !== undefined && ValidUntil !== undefined && !isBefore(ValidFrom, ValidUntil))
      reportError(`${field}.ValidUntil`, 'Must be later than ValidFrom.')
  }
}

function warn({ Flow, RedirectUris = [], Secrets = [] }: AppDocument, report: ReportError): void {
  if (RedirectUris.length === 0) report('RedirectUris', 'Is missing: no one can sign in to the app.')
  if (Flow === 'Code' && Secrets.length === 0)
    report('Secrets', 'Is missing: an app with the Code flow needs one to get tokens.')
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

type Options = Readonly<{ isAudited: boolean; published: PublishedCredentials }>

export function appFamily(
  masterKey: Buffer,
  mode: SecretsMode,
  now: Temporal.Instant,
  { isAudited, published }: Options,
) {
  const key = secretSealKey(masterKey)
  const staged = ({ Secrets, ...record }: AppDocument): StagedApp => ({
    ...record,
    Secrets: (Secrets ?? []).map(({ Secret, SecretSha256, ...times }) => ({
      ...times,
      SecretSha256: SecretSha256 ?? sha256(Secret ?? '').toString('hex'),
      ...(Secret !== undefined && { sealed: sealSecret(key, record.AppKey, Secret, mode).toString('base64') }),
    })),
  })
  const checkRecord = (record: AppDocument, reportError: ReportError) => {
    checkPublished(record, published, reportError)
    check(record, published, reportError)
  }
  const row = (record: AppDocument): CopyValue[] => [
    record.AppKey,
    record.ClientKey ?? null,
    record.CreatedBy ?? null,
    JSON.stringify({ ...staged(record), kind: undefined }),
  ]
  return {
    kinds: [{ name: 'app', key: ['AppKey'], schema: AppDocument, stage: appStage, check: checkRecord, warn, row }],
    findErrors: findAppErrors,
    apply: (trx: Trx, filled: Filled) => applyApps(trx, filled, now, isAudited),
  }
}
