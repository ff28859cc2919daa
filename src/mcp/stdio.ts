import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Config } from '../config.ts'
import { basePathOf } from '../core/environment.ts'
import { Problem } from '../core/problem.ts'
import { changeClock } from '../sim/api/clock.ts'
import type { CallOperation, OperationRequest, OperationResponse } from './call-tool.ts'
import { agentServer } from './server.ts'
import { toolsOf } from './tools.ts'

/** A service, and how to get a token for it. Without `renew` the token is used until it expires. */
type Target = Readonly<{ baseUrl: string; token: string; renew?: (() => Promise<string>) | undefined }>

const timeoutMs = 60_000

/** A new token of a user, and the public URL of the service that runs on this data. */
type IssueToken = () => Promise<Readonly<{ token: string; publicUrl: string }>>

export async function targetOf({ mcp, environment }: Config, issue: IssueToken): Promise<Target> {
  const { baseUrl, accessToken } = mcp
  if (baseUrl !== undefined) {
    if (accessToken === undefined) throw new Error('BASE_URL needs an ACCESS_TOKEN of that service.')
    if (!/^https?:\/\/[^/?#]+\/(sim\/)?openapi\/?$/.test(baseUrl))
      throw new Error(`BASE_URL is "${baseUrl}"; set it to a base URL such as http://localhost:4700/sim/openapi.`)
    return { baseUrl: baseUrl.replace(/\/$/, ''), token: accessToken }
  }
  if (accessToken !== undefined) throw new Error('ACCESS_TOKEN needs the BASE_URL of its service.')
  const { token, publicUrl } = await issue()
  const renew = async () => (await issue()).token
  return { baseUrl: `${publicUrl}${basePathOf(environment)}`, token, renew }
}

/** refdesk mcp: the tools of the service of BASE_URL, or of the one whose data is here, until standard input ends. */
export async function mcpCommand(config: Config, issue: IssueToken): Promise<0> {
  const target = await targetOf(config, issue)
  const isSim = new URL(target.baseUrl).pathname === basePathOf('sim')
  const send = callOverHttp(target)
  const onError = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  const inProgress = new Set<Promise<unknown>>()
  const call: CallOperation = (request) => {
    const calling = send(request)
    inProgress.add(calling)
    return calling.finally(() => inProgress.delete(calling))
  }
  const server = agentServer(toolsOf(isSim ? 'sim' : 'live'), call, onError)
  // Its optional members may be undefined, which our compiler settings tell apart.
  await server.connect(new StdioServerTransport() as Parameters<typeof server.connect>[0])
  await Promise.race(['end', 'close'].map((name) => once(process.stdin, name)))
  // What was asked before the end is answered.
  for (await nextTurn(); inProgress.size > 0; await nextTurn()) await Promise.allSettled(inProgress)
  await server.close()
  return 0
}

/** Calls operations with one token, and with another one when it has expired or the clock was changed. */
export function callOverHttp({ baseUrl, token, renew }: Target): CallOperation {
  let current = token
  let renewing: Promise<string> | undefined
  return async (request) => {
    const used = current
    let response = await sendRequest(baseUrl, request, used)
    if (response.status === 401 && renew) {
      // Several calls may find at once that the token is not valid any more.
      if (current === used)
        renewing ??= renew().finally(() => {
          renewing = undefined
        })
      current = (await renewing) ?? current
      response = await sendRequest(baseUrl, request, current)
    }
    if (request.target === changeClock.path && response.status === 200)
      current = (JSON.parse(response.body) as { Session: { access_token: string } }).Session.access_token
    return response
  }
}

async function sendRequest(baseUrl: string, request: OperationRequest, token: string): Promise<OperationResponse> {
  const { method, target, body } = request
  const headers = {
    authorization: `Bearer ${token}`,
    'user-agent': 'refdesk mcp',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const init = { method, headers, ...(body !== undefined && { body }), signal: AbortSignal.timeout(timeoutMs) }
  try {
    const response = await fetch(`${baseUrl}${target}`, init)
    const retryAfter = response.headers.get('retry-after') ?? undefined
    return { status: response.status, body: await response.text(), retryAfter }
  } catch {
    throw new Problem('ServiceUnavailable', `The service at ${baseUrl} does not answer. Start it: refdesk serve`)
  }
}
