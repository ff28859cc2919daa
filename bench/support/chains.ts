import { type Contender, connections } from './load.ts'
import { ask, postForm } from './wire.ts'

type Client = Readonly<{ id: string; secret: string }>
type Tokens = Readonly<{ access_token: string; refresh_token: string }>

function tokensOf(status: number, body: string): Tokens {
  if (status !== 200 && status !== 201) throw new Error(`A refresh failed: ${status} ${body}`)
  return JSON.parse(body) as Tokens
}

const refreshForm = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token })

/** Refreshes sessions in turn, each with its newest refresh token. Each connection has many sessions of its own, because
 *  oidc-provider's memory adapter visits all tokens of a grant for every new one: a few endless chains would slow it down
 *  in a way that no real client does. */
export function refreshing(name: string, port: number, client: Client, seeded: readonly string[]): Contender {
  const lanes = Array.from({ length: connections }, (_, lane) => seeded.filter((_, i) => i % connections === lane))
  const next = lanes.map(() => 0)
  return {
    name,
    port,
    async step(wire, lane) {
      const chain = lanes[lane] ?? []
      const index = ((next[lane] ?? 0) + 1) % chain.length
      next[lane] = index
      const presented = chain[index] ?? ''
      const { status, body } = await wire.send(postForm('/token', client, refreshForm(presented)))
      const { refresh_token, access_token } = tokensOf(status, body)
      if (!refresh_token || refresh_token === presented) throw new Error('A refresh did not rotate its token.')
      if (access_token.split('.').length !== 3) throw new Error('An access token is not a JWT.')
      chain[index] = refresh_token
    },
  }
}

/** Refreshes each token once; returns the access tokens. */
export async function accessTokens(port: number, client: Client, refreshTokens: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    refreshTokens.map((token) => ask(port, postForm('/token', client, refreshForm(token)))),
  )
  return answers.map(({ status, body }) => tokensOf(status, body).access_token)
}
