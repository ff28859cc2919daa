import { readClient, requireClientKey } from '../../access/store/identities.ts'
import { secretName } from '../../core/app.ts'
import { wireTime } from '../../core/clock.ts'
import { aligned, minute, printable } from '../../core/text.ts'
import type { Db } from '../../database/open.ts'
import { isTradingEnabled } from '../rules/app-state.ts'
import { lastFourOf } from '../secrets.ts'
import type { StoredApp, StoredSecret } from '../store/apps.ts'
import { type AppClient, listAppClients } from '../store/commands.ts'
import { listOwnApps } from '../store/manage.ts'
import type { AppCommand } from './commands.ts'

const pageSize = 1_000

/** refdesk apps list: all apps by client, with the validity and last use of their secrets. */
export const list: AppCommand = async (call, open, say) => {
  const { client, json: isJson } = call.options as { client?: string; json?: boolean }
  return open(async ({ db, clock, secretKey }) => {
    const now = clock.now()
    const clients = client === undefined ? await listAppClients(db) : [await clientNamed(db, client)]
    if (clients.length === 0 && !isJson) say('There are no apps.')
    for (const { clientKey, clientId, name } of clients) {
      if (!isJson) say(`Client ${clientId}, ${printable(name)}`)
      let skip = 0
      for (let more = true; more; skip += pageSize) {
        const page = await listOwnApps(db, clientKey, { top: pageSize, skip })
        if (isJson) for (const app of page.apps) say(JSON.stringify(appJson(app, clientId)))
        else
          for (const line of page.apps.length > 0 ? appLines(page.apps, now, secretKey) : ['no apps']) say(`  ${line}`)
        more = page.more
      }
    }
    return 0
  })
}

/** Never has a secret itself. */
const appJson = (app: StoredApp, clientId: string): object => ({
  ClientId: clientId,
  AppKey: app.appKey,
  Name: app.name,
  Flow: app.flow,
  Status: app.status,
  IsActive: app.isActive,
  IsTradingEnabled: isTradingEnabled(app),
  RedirectUris: app.redirectUris.map(({ uri }) => uri),
  Secrets: app.secrets.map(({ id, validFrom, validUntil, lastUsedAt }) => ({
    SecretId: id,
    ValidFrom: wireTime(validFrom),
    ValidUntil: wireTime(validUntil),
    LastUsedTime: lastUsedAt && wireTime(lastUsedAt),
  })),
})

async function clientNamed(db: Db, clientId: string): Promise<AppClient> {
  const clientKey = await requireClientKey(db, clientId)
  const client = await readClient(db, clientKey)
  return { clientKey, clientId, name: client?.name ?? '' }
}

const heading = ['AppKey', 'Name', 'Flow', 'Status', 'Active', 'Trading', 'URIs']
const yes = (value: boolean): string => (value ? 'yes' : 'no')

export function appLines(apps: readonly StoredApp[], now: Temporal.Instant, secretKey: Buffer): string[] {
  const rows = apps.map((app) => [
    app.appKey,
    printable(app.name),
    app.flow,
    app.status,
    yes(app.isActive),
    yes(isTradingEnabled(app)),
    String(app.redirectUris.length),
  ])
  const [head = '', ...lines] = aligned([heading, ...rows])
  const nameOf = ({ appKey }: StoredApp, secret: StoredSecret) =>
    `secret ${secretName(secret.id, lastFourOf(secretKey, appKey, secret))}`
  const secrets = aligned(
    apps.flatMap((app) => app.secrets.map((secret) => [nameOf(app, secret), ...secretCells(secret, now)])),
  )
  return [
    head,
    ...apps.flatMap((app, index) => [
      lines[index] ?? '',
      ...secrets.splice(0, app.secrets.length).map((line) => `  ${line}`),
    ]),
  ]
}

function secretCells({ validFrom, validUntil, lastUsedAt }: StoredSecret, now: Temporal.Instant): string[] {
  const isFuture = Temporal.Instant.compare(validFrom, now) > 0
  const hasExpired = Temporal.Instant.compare(validUntil, now) <= 0
  return [
    `${minute(validFrom)} to ${minute(validUntil)}`,
    hasExpired ? 'expired' : isFuture ? 'not yet valid' : 'valid',
    lastUsedAt === null ? 'never used' : `last used ${minute(lastUsedAt)}`,
  ]
}
