import { isDeepStrictEqual } from 'node:util'
import { appendAudit } from '../../audit/append.ts'
import type { Trx } from '../../database/open.ts'
import { readStaged } from '../../database/staging/read.ts'
import { endGrants } from '../store/changes.ts'
import { readPresentApps } from '../store/export.ts'
import { putApp, removeApp } from '../store/import.ts'
import { appStage } from '../store/import-checks.ts'
import type { AppDocument, StagedApp } from './document.ts'

export const secretLifeHours = 24 * 365

export async function applyApps(trx: Trx, now: Temporal.Instant) {
  const count = { kind: 'app', added: 0, changed: 0, unchanged: 0, removed: 0 }
  for await (const rows of readStaged<StagedApp>(trx, appStage, false)) {
    const present = await readPresentApps(
      trx,
      rows.map(({ key }) => key),
    )
    for (const { key, record } of rows) {
      const before = present.get(key)
      const app = completed(record, before, now)
      const changed = before && changedMembers(before, app)
      if (changed?.length === 0) count.unchanged++
      else {
        await writeApp(trx, app, now)
        if (before && losesTrading(before, app)) await endGrants(trx, key, 'trading given up', now)
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

/** Tokens that may write are of the level that is gone. */
const losesTrading = (before: AppDocument, after: Completed): boolean =>
  (['Online', 'Offline'] as const).some((at) => before.Levels?.[at] === 'Trade' && after.Levels[at] !== 'Trade')

/** Its owner is to see that it was none of their people. Of what changed the names of members are told. */
function log(trx: Trx, app: string, at: Temporal.Instant, done: Record<string, string | boolean>): Promise<void> {
  return appendAudit(trx, { at, kind: 'AppChanged', app, detail: { imported: true, ...done } })
}

type Completed = Required<Omit<StagedApp, 'ClientKey' | 'CreatedBy'>> & Pick<StagedApp, 'ClientKey' | 'CreatedBy'>

const micros = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'microsecond' })

/** With what the record leaves open: times stay what they were, so that the same import twice changes nothing. */
function completed(record: StagedApp, before: AppDocument | undefined, now: Temporal.Instant): Completed {
  const time = (...texts: (string | undefined)[]) =>
    micros(Temporal.Instant.from(texts.find((text) => text !== undefined) ?? now.toString()))
  return {
    Description: '',
    IsActive: true,
    Status: 'OK',
    Levels: { Online: 'Read', Offline: 'Read' },
    RedirectUris: [],
    ...record,
    CreatedAt: time(record.CreatedAt, before?.CreatedAt),
    Secrets: record.Secrets.map((secret) => {
      const present = before?.Secrets?.find(({ SecretSha256 }) => SecretSha256 === secret.SecretSha256)
      const end = now.add({ hours: secretLifeHours }).toString()
      return {
        ...secret,
        ValidFrom: time(secret.ValidFrom, present?.ValidFrom),
        ValidUntil: time(secret.ValidUntil, present?.ValidUntil, end),
      }
    }),
  }
}

function changedMembers(before: AppDocument, after: Completed): string[] {
  const [old, current] = [plain(before), plain(after)]
  const names = new Set([...Object.keys(old), ...Object.keys(current)])
  return [...names].filter((name) => !isDeepStrictEqual(old[name], current[name]))
}

/** Addresses and secrets in any order are the same. */
function plain({ RedirectUris = [], Secrets = [], ...app }: AppDocument | Completed): Record<string, unknown> {
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

async function writeApp(trx: Trx, app: Completed, now: Temporal.Instant): Promise<void> {
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
  await putApp(trx, row, 'go', now)
}
