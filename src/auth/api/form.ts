import type { FastifyRequest } from 'fastify'
import { readMultipartForm } from '../../http/input/multipart-form.ts'
import { queryText } from '../../http/input/query.ts'
import { noteFacts } from '../../http/request-log/facts.ts'
import { OAuthProblem } from '../problem.ts'
import type { Form } from '../rules/client-authentication.ts'

export const formType = 'application/x-www-form-urlencoded'

/** Accepts bodies of any type as bytes; `readForm` checks them. */
export function rawBody(request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void): void {
  noteFacts(request, { body: body.toString() })
  done(null, body)
}

/** The form of /token, /revoke or /introspect: each parameter once, empty ones count as absent (RFC 6749 §3.2). `isAnywhere`
 *  also allows multipart, and the query if there is no body (§3). */
export async function readForm(request: FastifyRequest, isAnywhere = false): Promise<Form> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const type = request.headers['content-type'] ?? ''
  const mediaType = type.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType === formType && body.length > 0) return parseForm(body.toString())
  if (isAnywhere) {
    if (mediaType === 'multipart/form-data' && body.length > 0) return singleValues(await readMultipart(body, type))
    if (body.length === 0) return singleValues(new URLSearchParams(queryText(request)))
  }
  throw new OAuthProblem('invalid_request', `Send the parameters in the body, as ${formType}.`)
}

export const parseForm = (text: string): Form => singleValues(new URLSearchParams(text))

/** Without files. */
async function readMultipart(body: Buffer, type: string): Promise<Iterable<[string, string]>> {
  const form = await readMultipartForm(body, type)
  if (!form) throw new OAuthProblem('invalid_request', 'The multipart body is malformed, or has too many parts.')
  return [...form.entries()].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}

function singleValues(pairs: Iterable<[string, string]>): Form {
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) {
    if (name in form) throw new OAuthProblem('invalid_request', 'A parameter is repeated; send each one once.')
    form[name] = value
  }
  for (const name in form) if (form[name] === '') delete form[name]
  return form
}
