import type { RestReply, RestRequest } from '../../http/exchange.ts'
import { noteFacts } from '../../http/request-log/facts.ts'
import type { Server } from '../../http/typed-server.ts'
import { authenticateKnownClient } from '../client.ts'
import { type AuthContext, requestSource } from '../context.ts'
import type { NoteSession } from '../grants/issue.ts'
import { rotateRecent } from '../grants/refresh.ts'
import { OAuthProblem } from '../problem.ts'
import { type Form, mayUseGrant } from '../rules/client-authentication.ts'
import { neverStored } from './errors.ts'
import { parseForm } from './form.ts'

/** Serves refreshes without the framework (docs/decisions/0016-direct-path.md): of an app that is in memory, with a token that
 *  this node has issued. Everything else, every error included, is for the usual path. */
export function addDirectRefresh(scope: Server, context: AuthContext): void {
  scope.directRoutes.addForm({
    url: '/token',
    config: {},
    schema: { operationId: 'grantTokens' },
    scope,
    answer(request, reply, body) {
      const making = refresh(context, request, body)
      if (!making) return undefined
      noteFacts(request, { body })
      return making.then((text) => (text === undefined ? undefined : tokenText(context, reply, text)))
    },
  })
}

function refresh(context: AuthContext, request: RestRequest, body: string): Promise<string | undefined> | undefined {
  const form = readableForm(body)
  if (form?.grant_type !== 'refresh_token' || !form.refresh_token || form.resource !== undefined) return undefined
  const client = authenticateKnownClient(context, request, form)
  if (!client || !mayUseGrant(client.app.flow)) return undefined
  const call = { context, app: client.app, source: requestSource(request) }
  return rotateRecent(call, client.provedWith, form, sessionNotes(request))
}

function readableForm(body: string): Form | undefined {
  try {
    return parseForm(body)
  } catch (error) {
    if (error instanceof OAuthProblem) return undefined
    throw error
  }
}

/** Notes for the request log whose session a grant is of. */
export const sessionNotes =
  (request: RestRequest): NoteSession =>
  ({ userKey: user, sessionId }) =>
    noteFacts(request, { user, ...(sessionId !== null && { session: sessionId }) })

const tokenHeaders = { 'content-type': 'application/json; charset=utf-8', ...neverStored }

/** Sets the status and headers of a token response; returns its text with what the profile adds. */
export function tokenText({ profile }: AuthContext, reply: RestReply, text: string): string {
  const { tokenStatus, tokenExtras } = profile
  reply.code(tokenStatus).headers(tokenHeaders)
  const extras = JSON.stringify(tokenExtras)
  return extras === '{}' ? text : `${text.slice(0, -1)},${extras.slice(1)}`
}
