import { Type } from 'typebox'
import { wireTime } from '../../core/clock.ts'
import { invalid } from '../../core/problem.ts'
import { named, oneOf } from '../../core/schema.ts'
import { sentQuery } from '../../http/input/query.ts'
import { FeedOf, feed, nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { type AppDependencies, AppService } from '../app-service.ts'
import { type AppAuditEntry, countAppAudit, listAppAudit } from '../store/audit.ts'
import { AppParams, AuditQuery, appsPage } from './schema.ts'

const AuditView = Type.Object(
  {
    At: Type.String({ format: 'date-time', description: 'When.' }),
    Kind: named('AppAuditKind', oneOf('AppChanged', 'SecretRevealed'), 'What happened.'),
    User: Type.Optional(
      Type.Object(
        {
          UserKey: Type.String({ description: 'Their key.' }),
          Name: Type.Optional(Type.String({ description: 'Their name, while they are there.' })),
        },
        { title: 'AppAuditUser', description: 'Who did it; absent where an operator of the service did.' },
      ),
    ),
    Detail: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'What was done, never a secret.',
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
    SecretId: Type.Integer({ description: 'The number of the secret.' }),
    ValidFrom: Type.String({ format: 'date-time', description: 'From when on it is accepted.' }),
    ValidUntil: Type.String({ format: 'date-time', description: 'Until when it is accepted.' }),
    LastUsedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'To within about half a minute; absent while nobody has used it.',
      }),
    ),
  },
  {
    title: 'SecretUsage',
    examples: [{ SecretId: 1, ValidFrom: '2026-11-16T12:00:00.000000Z', ValidUntil: '2027-11-16T12:00:00.000000Z' }],
  },
)

const path = '/x/v1/apps/:AppKey/audit'
const tags = ['x']
/** What happened to an app, and which of its secrets are in use, for its owner; beyond the specification (contract §1). */
export function appAuditRoutes(api: Server, parts: AppDependencies): void {
  const service = new AppService(parts)
  const { db, baseUrl } = parts

  api.get(
    path,
    {
      schema: {
        operationId: 'listAppAudit',
        summary: 'What was done to an app of the client, newest first',
        description:
          'Every change, and every time that a secret was told again. What has just happened is here within about a second. ' +
          'Who signs in to the app is not told.',
        documented: { errors: ['NoResultFound'] },
        tags,
        params: AppParams,
        querystring: AuditQuery,
        response: { 200: FeedOf(AuditView) },
      },
    },
    async (request) => {
      const { $top: top, $skip: skip, $skiptoken, $inlinecount } = request.query
      // The place is read first: it is refused whosever app this is.
      const before = placeIn($skiptoken)
      const { appKey } = await service.read(request, request.params.AppKey)
      const [{ entries, more }, count] = await Promise.all([
        listAppAudit(db, appKey, { top, skip: before === undefined ? skip : 0, before }),
        $inlinecount === 'AllPages' ? countAppAudit(db, appKey) : undefined,
      ])
      const last = more ? entries.at(-1) : undefined
      const address = `${baseUrl}${path.replace(':AppKey', appKey)}`
      const next = last && nextLink(address, sentQuery(request), { $skiptoken: placeToken(last) })
      return feed({ data: entries.map(auditView), count, next, maxRows: appsPage.maxTop })
    },
  )

  api.get(
    '/x/v1/apps/:AppKey/usage',
    {
      schema: {
        operationId: 'getAppUsage',
        summary: 'When each secret of an app of the client was last used, without the secrets themselves',
        description: 'To see whether the old secret is still in use before it is removed.',
        documented: { errors: ['NoResultFound'] },
        tags,
        params: AppParams,
        response: { 200: FeedOf(UsageView) },
      },
    },
    async (request) => {
      const { secrets } = await service.read(request, request.params.AppKey)
      const data = secrets.map(({ id, validFrom, validUntil, lastUsedAt }) => ({
        SecretId: id,
        ValidFrom: wireTime(validFrom),
        ValidUntil: wireTime(validUntil),
        ...(lastUsedAt && { LastUsedAt: wireTime(lastUsedAt) }),
      }))
      return feed({ data })
    },
  )
}

function auditView({ at, kind, user, userName, detail }: AppAuditEntry) {
  return {
    At: wireTime(at),
    Kind: kind,
    ...(user !== null && { User: { UserKey: user, ...(userName !== null && { Name: userName }) } }),
    ...(detail !== null && { Detail: detail }),
  }
}

/** `$skiptoken`: the place in the log where a page ended, so that what is added meanwhile moves nothing; told so that nobody
 *  comes to rely on what it says. */
const placeToken = ({ seq }: AppAuditEntry): string => Buffer.from(String(seq)).toString('base64url')

function placeIn(token: string | undefined): number | undefined {
  if (token === undefined) return undefined
  const text = Buffer.from(token, 'base64url').toString()
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalid({ $skiptoken: ['Must be taken from __next as it is.'] })
}
