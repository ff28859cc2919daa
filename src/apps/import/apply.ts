import { isDeepStrictEqual } from 'node:util'
import { appendAudit } from '../../audit/append.ts'
import type { Trx } from '../../database/open.ts'
import { readStaged } from '../../database/staging/read.ts'
import { endGrants } from '../store/changes.ts'
import { readAppDocuments } from '../store/export.ts'
import { putApp, removeApp } from '../store/import.ts'
import { appStage } from '../store/import-checks.ts'
import type { AppDocument, StagedApp } from './document.ts'

/** The validity of an imported secret without ValidUntil. */
export const defaultSecretHours = 24 * 365

export async function applyApps(trx: Trx, now: Temporal.Instant, isAudited: boolean) {
  const count = { kind: 'app', added: 0, changed: 0, unchanged: 0, removed: 0 }
  for await (const rows of readStaged<StagedApp>(trx, appStage, false)) {
    const keys = rows.map(({ key }) => key)
    const existing = await readAppDocuments(trx, keys)
    for (const { key, record } of rows) {
      const before = existing.get(key)
      const app = withDefaults(record, before, now)
      const changed = before && changedMembers(before, app)
      if (changed?.length === 0) count.unchanged++
      else {
        await writeApp(trx, app, now)
        if (before && losesTrading(before, app)) await endGrants(trx, key, 'trading given up', now)
        if (isAudited)
          await log(trx, key, now, changed ? { changed: changed.join(', ') } : { added: true, name: app.Name })
        if (before) count.changed++
        else count.added++
      }
    }
  }
  for await (const rows of readStaged(trx, appStage, true))
    for (const { key } of rows)
      if (await removeApp(trx, key, now)) {
        await log(trx, key, now, { removed: true })
        count.removed++
      }
  return { counts: [count], notes: [] }
}

/** Issued tokens still carry the old level, so the sessions must end. */
const losesTrading = (before: AppDocument, after: CompleteApp): boolean =>
  (['Online', 'Offline'] as const).some((at) => before.Levels?.[at] === 'Trade' && after.Levels[at] !== 'Trade')

/** Shows the owner that an import made the change; lists the changed members without values. */
function log(trx: Trx, app: string, at: Temporal.Instant, detail: Record<string, string | boolean>): Promise<void> {
  return appendAudit(trx, { at, kind: 'AppChanged', app, detail: { imported: true, ...detail } })
}

type CompleteApp = Required<Omit<StagedApp, 'ClientKey' | 'CreatedBy'>> & Pick<StagedApp, 'ClientKey' | 'CreatedBy'>

/** Times that the record omits keep their stored values, so repeating an import changes nothing. */
function withDefaults(record: StagedApp, before: AppDocument | undefined, now: Temporal.Instant): CompleteApp {
  const time = (...texts: (string | undefined)[]) =>
    Temporal.Instant.from(texts.find((text) => text !== undefined) ?? now.toString()).toString({
      smallestUnit: 'microsecond',
    })
  return {
    Description: '',
    IsActive: true,
    Status: 'OK',
    Levels: { Online: 'Read', Offline: 'Read' },
    RedirectUris: [],
    ...record,
    CreatedAt: time(record.CreatedAt, before?.CreatedAt),
    Secrets: record.Secrets.map((secret) => {
      const stored = before?.Secrets?.find(({ SecretSha256 }) => SecretSha256 === secret.SecretSha256)
      const end = now.add({ hours: defaultSecretHours }).toString()
      return {
        ...secret,
        ValidFrom: time(secret.ValidFrom, stored?.ValidFrom),
        ValidUntil: time(secret.ValidUntil, stored?.ValidUntil, end),
      }
    }),
  }
}

function changedMembers(before: AppDocument, after: CompleteApp): string[] {
  const [old, current] = [comparable(before), comparable(after)]
  const names = new Set([...Object.keys(old), ...Object.keys(current)])
  return [...names].filter((name) => !isDeepStrictEqual(old[name], current[name]))
}

/** The order of redirect URIs and secrets does not matter. */
function comparable({ RedirectUris = [], Secrets = [], ...app }: AppDocument | CompleteApp): Record<string, unknown> {
  const secrets = Secrets.map(({ SecretSha256 = '', ValidFrom, ValidUntil }) => ({
    SecretSha256,
    ValidFrom,
    ValidUntil,
  }))
  return {
    ...app,
    RedirectUris: RedirectUris.toSorted((a, b) => (a.Uri < b.Uri ? -1 : 1)),
    Secrets: secrets.toSorted((a, b) => (a.SecretSha256 < b.SecretSha256 ? -1 : 1)),
  }
}

async function writeApp(trx: Trx, app: CompleteApp, now: Temporal.Instant): Promise<void> {
  const row = {
    ...app,
    ClientKey: app.ClientKey ?? null,
    CreatedBy: app.CreatedBy ?? null,
    CreatedAt: Temporal.Instant.from(app.CreatedAt),
    redirectUris: app.RedirectUris.map((uri) => ({
      uri: uri.Uri,
      label: uri.RedirectUriLabel ?? null,
      description: uri.Description ?? null,
    })),
    secrets: app.Secrets.map((secret) => ({
      sha256: Buffer.from(secret.SecretSha256, 'hex'),
      sealed: secret.sealed === undefined ? null : Buffer.from(secret.sealed, 'base64'),
      validFrom: Temporal.Instant.from(secret.ValidFrom ?? app.CreatedAt),
      validUntil: Temporal.Instant.from(secret.ValidUntil ?? app.CreatedAt),
    })),
  }
  await putApp(trx, row, 'delete', now)
}
