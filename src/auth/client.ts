import type { FastifyRequest } from 'fastify'
import type { StoredApp } from '../apps/store/apps.ts'
import { equalInConstantTime, sha256 } from '../core/crypto/keys.ts'
import { noteFacts } from '../http/request-log/facts.ts'
import type { AuthContext } from './context.ts'
import { OAuthProblem } from './problem.ts'
import { authenticateApp, type Credentials, type Form, readCredentials } from './rules/client-authentication.ts'
import { type Refusal, reasons } from './rules/reasons.ts'

export type AuthenticatedClient = Readonly<{ app: StoredApp; provedWith: string }>

const nothingSent =
  'No app credentials were received, or they cannot be read. Send key and secret of the app by HTTP Basic or as client_id and client_secret; an app without a secret sends client_id only.'

/** One text for all causes, so that it reveals nothing: unknown app, wrong, expired or future secret, inactive app. */
const notAuthenticated =
  'The app could not be authenticated. Check its key and secret, that the secret is valid now, and that the app is active.'

function invalidClient(usedBasic: boolean, reason: Refusal, blockedSeconds?: number, text = notAuthenticated) {
  return new OAuthProblem('invalid_client', text, {
    reason: reason.text,
    ...(blockedSeconds !== undefined && { status: 429 }),
    headers: {
      ...(usedBasic && { 'www-authenticate': 'Basic realm="refdesk", charset="UTF-8"' }),
      ...(blockedSeconds !== undefined && { 'retry-after': String(blockedSeconds) }),
    },
  })
}

/** The calling app, authenticated by its secret, or by its key alone if it has none (§4.7). */
export async function authenticateClient(
  context: AuthContext,
  request: FastifyRequest,
  form: Form,
): Promise<AuthenticatedClient> {
  const read = readCredentials(request.headers.authorization, form)
  if (read.kind === 'malformed') throw new OAuthProblem('invalid_request', read.description)
  if (read.kind !== 'credentials') throw invalidClient(true, reasons.noCredentials, undefined, nothingSent)
  const { credentials } = read
  const app = await context.directory.find(credentials.appKey)
  if (app) noteFacts(request, { app: app.appKey, client: app.clientKey })
  const blockedSeconds = context.guard.knownBlockSeconds('secret', credentials.appKey, request.ip)
  if (blockedSeconds !== undefined) {
    context.refusals.note({ kind: 'AttemptsBlocked', address: request.ip, app: app?.appKey })
    throw invalidClient(credentials.usedBasic, reasons.manySecrets, blockedSeconds)
  }
  const client = app && authenticate(context, request, app, credentials.secret)
  if (!client) throw await rejectClient(context, request, credentials, app)
  return client
}

function authenticate(
  context: AuthContext,
  request: FastifyRequest,
  app: StoredApp,
  sentSecret: string | undefined,
): AuthenticatedClient | undefined {
  const nowMs = context.clock.nowMs()
  const provedWith = authenticateApp(app, sentSecret, nowMs, (secret, hash) =>
    equalInConstantTime(sha256(secret), hash),
  )
  if (provedWith === undefined) return undefined
  const secret = app.secrets.find(({ id }) => String(id) === provedWith)
  if (secret) {
    context.lastUsed.record(secret, nowMs)
    noteFacts(request, { secret: provedWith })
  }
  return { app, provedWith }
}

/** A wrong secret is counted and logged. A call without one (such as by a deactivated PKCE app) is not a guess. */
async function rejectClient(
  context: AuthContext,
  request: FastifyRequest,
  { appKey, secret, usedBasic }: Credentials,
  app: StoredApp | undefined,
): Promise<OAuthProblem> {
  const reason = rejectionReason(app, secret)
  if (secret === undefined) return invalidClient(usedBasic, reason)
  const blockedSeconds = await context.guard.recordWrongSecret(appKey, request.ip)
  const kind = blockedSeconds === undefined ? 'SecretRefused' : 'AttemptsBlocked'
  context.refusals.note({ kind, address: request.ip, app: app?.appKey })
  return invalidClient(usedBasic, blockedSeconds === undefined ? reason : reasons.manySecrets, blockedSeconds)
}

function rejectionReason(app: StoredApp | undefined, secret: string | undefined): Refusal {
  if (!app) return reasons.unknownApp
  if (!app.isActive) return reasons.inactiveApp
  if (app.flow !== 'Code') return reasons.unexpectedSecret
  return secret === undefined ? reasons.missingSecret : reasons.wrongSecret
}
