import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../../src/database/open.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import type { TestService } from '../../support/service/service.ts'
import { obtainTokens, type TokenBody } from '../../support/sign-in.ts'

export type Clock = { Now: string; RealNow: string; Frozen: boolean; OffsetSeconds: number; IsTravelled: boolean }
export type Travelled = Clock & { Session: TokenBody }
export type Response<Body> = { status: number; headers: Headers; body: Body }
export type Call = <Body>(
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Response<Body>>

/** Sends requests below {base_url} with a token. Notes the tokens of responses for the check of the logs. */
export function callWith({ baseUrl }: Pick<TestService, 'baseUrl'>, token: string): Call {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    for (const [, secret] of text.matchAll(/"(?:access_token|refresh_token|AccessToken)":"([^"]+)"/g))
      noteSecret('token', secret ?? '')
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** A user who changes the clock and continues with the new session. */
export class Traveller {
  readonly #service: TestService
  token: string

  constructor(service: TestService, token: string) {
    this.#service = service
    this.token = token
  }

  call: Call = (...request) => callWith(this.#service, this.token)(...request)

  async travel(change: object): Promise<Travelled> {
    return this.#arrived(await this.call<Travelled>('PUT', '/x/v1/clock', change))
  }

  async home(): Promise<Travelled> {
    return this.#arrived(await this.call<Travelled>('DELETE', '/x/v1/clock'))
  }

  #arrived({ status, body }: Response<Travelled>): Travelled {
    assert.equal(status, 200, JSON.stringify(body))
    this.token = body.Session.access_token
    return body
  }
}

export const signInTraveller = async (service: TestService): Promise<Traveller> =>
  new Traveller(service, (await obtainTokens(service.url)).access_token)

/** The status of a call with this token. */
export const statusOf = async (node: Pick<TestService, 'baseUrl'>, token: string): Promise<number> =>
  (await callWith(node, token)('GET', '/port/v1/users/me')).status

export type AuditLine = {
  at: string
  recordedAt: string
  kind: string
  app?: string
  address?: string
  detail?: object
}

/** The whole audit log in order, sealed or not. */
export async function auditLog(db: Db): Promise<AuditLine[]> {
  const { rows } = await sql<{ body: string }>`select body from (
    select 1 as segment, seq as position, body from audit_log union all select 2, id, body from audit_inbox) as lines
    order by segment, position`.execute(db)
  return rows.map(({ body }) => JSON.parse(body) as AuditLine)
}
