import { Type } from 'typebox'
import { wireTime } from '../../core/clock.ts'
import { invalid } from '../../core/problem.ts'
import { named, oneOf } from '../../core/schema.ts'
import { sentQuery } from '../../http/input/query.ts'
import { operation } from '../../http/operation.ts'
import { FeedOf, feed, nextLink } from '../../http/output/feed.ts'
import type { AppCall } from '../app-service.ts'
import { type AppAuditEntry, countAppAuditEntries, listAppAuditEntries } from '../store/audit.ts'
import { AppParams, AuditQuery, appsPage, time } from './schema.ts'

const AuditView = Type.Object(
  {
    At: time('When it happened.'),
    Kind: named('AppAuditKind', oneOf('AppChanged', 'SecretRevealed'), 'What happened.'),
    User: Type.Optional(
      Type.Object(
        {
          UserKey: Type.String({ description: 'The UserKey.' }),
          Name: Type.Optional(Type.String({ description: 'The user name, while the user exists.' })),
        },
        { title: 'AppAuditUser', description: 'Who did it. Absent if it was an operator of the service.' },
      ),
    ),
    Detail: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'What changed. Never contains a secret.',
      }),
    ),
  },
  {
    title: 'AppAuditEntry',
    examples: [
      {
        At: '2026-11-16T12:00:00.000000Z',
        Kind: 'AppChanged',
        User: { UserKey: 'YOjHpvTCTlWWcx|2vafgFA==', Name: 'ada' },
        Detail: { name: 'My charts' },
      },
    ],
  },
)

const UsageView = Type.Object(
  {
    SecretId: Type.Integer({ description: 'The id of the secret.' }),
    ValidFrom: time('When it becomes valid.'),
    ValidUntil: time('When it expires.'),
    LastUsedAt: Type.Optional(time('When it was last used, to within about 30 seconds. Absent until its first use.')),
  },
  {
    title: 'SecretUsage',
    examples: [{ SecretId: 1, ValidFrom: '2026-11-16T12:00:00.000000Z', ValidUntil: '2027-11-16T12:00:00.000000Z' }],
  },
)

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
  responses: { 200: FeedOf(AuditView) },
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
  const next = last && nextLink(service.urlOf(path, appKey), sentQuery(request), { $skiptoken: formatCursor(last) })
  return feed({ data: entries.map(auditView), count, next, maxRows: appsPage.maxTop })
}

export const getAppUsage = operation({
  method: 'GET',
  ...ofApp,
  path: '/x/v1/apps/:AppKey/usage',
  operationId: 'getAppUsage',
  summary: 'Get the usage of an app’s secrets',
  description: 'Returns when each secret was last used, without its value. Check it before you delete an old secret.',
  responses: { 200: FeedOf(UsageView) },
})

export async function handleGetAppUsage({ service, request }: AppCall<typeof getAppUsage>) {
  const { secrets } = await service.read(request, request.params.AppKey)
  const data = secrets.map(({ id, validFrom, validUntil, lastUsedAt }) => ({
    SecretId: id,
    ValidFrom: wireTime(validFrom),
    ValidUntil: wireTime(validUntil),
    ...(lastUsedAt && { LastUsedAt: wireTime(lastUsedAt) }),
  }))
  return feed({ data })
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
