import type { Config } from '../config.ts'
import { basePathOf } from '../core/environment.ts'
import { serveStdio, type Target } from './stdio.ts'

/** A new token of a user, and the public URL of the service that runs on this data. */
export type IssueToken = () => Promise<Readonly<{ token: string; publicUrl: string }>>

/** refdesk mcp: calls the service of BASE_URL, or the one whose data is here. */
export async function mcpCommand(config: Config, issue: IssueToken): Promise<number> {
  return serveStdio(await targetOf(config, issue))
}

/** Whom `refdesk mcp` calls, by the settings. */
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
