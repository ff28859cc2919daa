import assert from 'node:assert/strict'
import type { Explanation } from '../../../src/core/explain/schema.ts'
import { sharedDemoService } from '../service/shared.ts'
import { obtainTokens } from '../sign-in.ts'

const service = await sharedDemoService()
const tokens = new Map<string, string>()

/** Calls the demo service as one of its users. */
export async function call(path: string, user = 'ada', headers: Record<string, string> = {}): Promise<Response> {
  const token = tokens.get(user) ?? (await obtainTokens(service.url, { user })).access_token
  tokens.set(user, token)
  return fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
}

export const explainUrl = (request: string): string => `/x/v1/explain?${new URLSearchParams({ Request: request })}`

export async function explain(request: string, user?: string): Promise<Explanation> {
  const response = await call(explainUrl(request), user)
  assert.equal(response.status, 200, `${request}: ${await response.clone().text()}`)
  return (await response.json()) as Explanation
}

/** Asserts that each step continues with the rows that the one before has left. */
export function assertSteps({ Steps }: Explanation, request: string): void {
  let rows: number | undefined
  for (const { Title, RowsIn, RowsOut, Removed } of Steps) {
    if (RowsOut === undefined) continue
    if (RowsIn !== undefined && rows !== undefined) assert.equal(RowsIn, rows, `${request}: ${Title}`)
    const removed = (RowsIn ?? RowsOut) - RowsOut
    if (Removed) assert.equal(Removed.length, Math.max(0, Math.min(10, removed)), `${request}: ${Title}`)
    rows = RowsOut
  }
}

/** The link with rel="help" of a response, as a request to this service. */
export function helpOf(response: Response): string | undefined {
  const link = /<([^>]*)>; rel="help"/.exec(response.headers.get('link') ?? '')?.[1]
  return link?.slice(service.baseUrl.length)
}
