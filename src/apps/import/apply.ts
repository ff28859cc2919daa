import { isDeepStrictEqual } from 'node:util'
import { appendAudit } from '../../audit/append.ts'
import { wireTime } from '../../core/clock.ts'
import type { Trx } from '../../database/open.ts'
import { readStaged } from '../../database/staging/read.ts'
import type { Filled } from '../../database/staging/stages.ts'
import { endGrants } from '../store/changes.ts'
import { readAppDocuments } from '../store/export.ts'
import { appStage, putApp, removeApp } from '../store/import.ts'
import type { AppDocument, CompleteApp, StagedApp } from './document.ts'

/** The validity of an imported secret without ValidUntil. */
export const defaultSecretHours = 24 * 365

export async function applyApps(trx: Trx, filled: Filled, now: Temporal.Instant, isAudited: boolean) {
  const count = { kind: 'app', added: 0, changed: 0, unchanged: 0, removed: 0 }
  if (!filled.has(appStage.table)) return { counts: [count], notes: [] }
  for await (const rows of readStaged<StagedApp>(trx, appStage, false)) {
    const keys = rows.map(({ key }) => key)
    const existing = await readAppDocuments(trx, keys)
    for (const { key, record } of rows) {
      const before = existing.get(key)
      const app = withDefaults(record, before, now)
      const changed = before && changedMembers(before, app)
      if (changed?.length === 0) count.unchanged++
      else {
        await putApp(trx, app, now)
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

/** Times that the record omits keep their stored values, so repeating an import changes nothing. */
function withDefaults(record: StagedApp, before: AppDocument | undefined, now: Temporal.Instant): CompleteApp {
  const time = (given: string | undefined, stored: string | undefined, otherwise = now) =>
    wireTime(Temporal.Instant.from(given ?? stored ?? otherwise))
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
      const end = now.add({ hours: defaultSecretHours })
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
