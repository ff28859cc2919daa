import type { FastifyRequest } from 'fastify'
import type { AppFacts } from '../apps/store/apps.ts'
import { appendAudit } from '../audit/append.ts'
import { equalInConstantTime, sha256 } from '../core/crypto/keys.ts'
import type { AuthContext } from './context.ts'
import { OAuthProblem } from './problem.ts'
import { type Credentials, type Form, proveClient, readCredentials } from './rules/client-authentication.ts'

export type ProvenClient = Readonly<{ app: AppFacts; provedWith: string }>

/** One text for all causes: unknown app, wrong, expired or future secret, inactive app, nothing sent. */
const invalidClient = (
  challenge: boolean,
  reason: string,
  extra: { status?: number; retryAfter?: number } = {},
): OAuthProblem =>
  new OAuthProblem('invalid_client', 'The app could not be identified by the credentials that it sent.', {
    reason,
    ...(extra.status === undefined ? {} : { status: extra.status }),
    headers: {
      ...(challenge ? { 'www-authenticate': 'Basic realm="refdesk", charset="UTF-8"' } : {}),
      ...(extra.retryAfter === undefined ? {} : { 'retry-after': String(extra.retryAfter) }),
    },
  })

/** The app that calls, proven by its secret, or by its key alone when it has none (contract §4). */
export async function authenticateClient(
  context: AuthContext,
  request: FastifyRequest,
  form: Form,
): Promise<ProvenClient> {
  const read = readCredentials(request.headers.authorization, form)
  if (read.kind === 'malformed') throw new OAuthProblem('invalid_request', read.description)
  if (read.kind !== 'credentials') throw invalidClient(true, 'no credentials that can be read')
  const { credentials } = read
  const blocked = context.guard.knownBlockSeconds('secret', credentials.appKey, request.ip)
  if (blocked !== undefined)
    throw invalidClient(credentials.usedBasic, 'too many wrong secrets', { status: 429, retryAfter: blocked })
  const app = await context.directory.find(credentials.appKey)
  const now = context.clock.now()
  const provedWith = proveClient(app, credentials.secret, now, (secret, hash) =>
    equalInConstantTime(sha256(secret), hash),
  )
  if (app && provedWith !== undefined) {
    const secret = app.secrets.find(({ SecretId }) => String(SecretId) === provedWith)
    if (secret) context.lastUsed.record(secret, now)
    return { app, provedWith }
  }
  throw await refusal(context, request, credentials, reasonOf(app, credentials.secret))
}

/** A wrong secret is counted and logged; a call without one (a PKCE app that was deactivated) guesses nothing. */
async function refusal(
  context: AuthContext,
  request: FastifyRequest,
  credentials: Credentials,
  reason: string,
): Promise<OAuthProblem> {
  if (credentials.secret === undefined) return invalidClient(credentials.usedBasic, reason)
  const retryAfter = await context.guard.noteWrongSecret(credentials.appKey, request.ip)
  await appendAudit(context.db, {
    at: context.clock.now().toString(),
    kind: retryAfter === undefined ? 'SecretRefused' : 'AttemptsBlocked',
    app: credentials.appKey.slice(0, 32),
    address: request.ip,
  })
  if (retryAfter === undefined) return invalidClient(credentials.usedBasic, reason)
  return invalidClient(credentials.usedBasic, 'too many wrong secrets', { status: 429, retryAfter })
}

/** What was wrong, for our own log. */
function reasonOf(app: AppFacts | undefined, secret: string | undefined): string {
  if (!app) return 'no such app'
  if (!app.IsActive) return 'the app is inactive'
  if (app.Flow !== 'Code') return `an app of the ${app.Flow} flow has no secret, and one was sent`
  return secret === undefined ? 'the secret is missing' : 'the secret is wrong, or not valid now'
}
