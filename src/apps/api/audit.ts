import { wireTime } from '../../core/clock.ts'
import { invalid } from '../../core/problem.ts'
import { operation } from '../../http/operation.ts'
import { FeedOf, feed, nextLink } from '../../http/output/feed.ts'
import type { AppCall } from '../app-service.ts'
import { lastFourOf } from '../secrets.ts'
import type { StoredSecret } from '../store/apps.ts'
import { type AppAuditEntry, countAppAuditEntries, listAppAuditEntries } from '../store/audit.ts'
import { AppActivity, SecretUsage } from './extension-schema.ts'
import { AppParams, AuditQuery, appsPage } from './schema.ts'
import type { ViewOptions } from './view.ts'

const path = '/x/v1/apps/:AppKey/audit'
const ofApp = { params: AppParams, errors: ['NoResultFound'] } as const

export const listAppAudit = operation({
  method: 'GET',
  ...ofApp,
  path,
  operationId: 'listAppAudit',
  summary: 'List the activity of an app',
  description:
    'Returns every change of the app and every read of a secret, newest first, with a delay of about a second. Sign-ins are ' +
    'not included.',
  query: AuditQuery,
  responses: { 200: FeedOf(AppActivity) },
})

export async function handleListAppAudit({ service, request }: AppCall<typeof listAppAudit>) {
  const { db } = service.deps
  const { $top: top, $skip: skip, $skiptoken, $inlinecount } = request.query
  // Parsed first: a bad cursor is rejected whichever app is named.
  const before = parseCursor($skiptoken)
  const { appKey } = await service.read(request, request.params.AppKey)
  const [{ entries, more }, count] = await Promise.all([
    listAppAuditEntries(db, appKey, { top, skip: before === undefined ? skip : 0, before }),
    $inlinecount === 'AllPages' ? countAppAuditEntries(db, appKey) : undefined,
  ])
  const last = more ? entries.at(-1) : undefined
  const next = last && nextLink(service.urlOf(path, appKey), request, { $skiptoken: formatCursor(last) })
  return feed({ data: entries.map(auditView), count, next, maxRows: appsPage.maxTop })
}

export const getAppUsage = operation({
  method: 'GET',
  ...ofApp,
  path: '/x/v1/apps/:AppKey/usage',
  operationId: 'getAppUsage',
  summary: 'Get the usage of an app’s secrets',
  description:
    'Returns when each secret was last used, without its whole value. Check it before you delete an old secret.',
  responses: { 200: FeedOf(SecretUsage) },
})

export async function handleGetAppUsage({ service, request }: AppCall<typeof getAppUsage>) {
  const { appKey, secrets } = await service.read(request, request.params.AppKey)
  const options = service.viewOptions(request)
  return feed({ data: secrets.map((secret) => usageView(options, appKey, secret)) })
}

function usageView({ secretKey, showsSecrets }: ViewOptions, appKey: string, secret: StoredSecret): SecretUsage {
  const lastFour = showsSecrets ? lastFourOf(secretKey, appKey, secret) : undefined
  return {
    SecretId: secret.id,
    ...(lastFour !== undefined && { LastFour: lastFour }),
    ValidFrom: wireTime(secret.validFrom),
    ValidUntil: wireTime(secret.validUntil),
    ...(secret.lastUsedAt && { LastUsedAt: wireTime(secret.lastUsedAt) }),
  }
}

function auditView({ at, kind, user, userName, detail }: AppAuditEntry) {
  return {
    At: wireTime(at),
    Kind: kind,
    ...(user !== null && { User: { UserKey: user, ...(userName !== null && { Name: userName }) } }),
    ...(detail !== null && { Detail: detail }),
  }
}

/** `$skiptoken` is the sequence number of the last entry, so new entries do not shift pages. Encoded to be opaque. */
const formatCursor = ({ seq }: AppAuditEntry): string => Buffer.from(String(seq)).toString('base64url')

function parseCursor(token: string | undefined): number | undefined {
  if (token === undefined) return undefined
  const text = Buffer.from(token, 'base64url').toString()
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalid({ $skiptoken: ['Must be taken unchanged from __next.'] })
}
