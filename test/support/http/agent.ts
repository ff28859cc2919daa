import assert from 'node:assert/strict'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { demoClient } from '../journey.ts'
import { noteSecret } from '../runner/log-check.ts'
import type { TestService } from '../service/service.ts'
import { signIn } from '../sign-in.ts'

type Tokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>

/** What an agent keeps of its user's sign-in. Its own page is never opened: the test signs in instead. */
class SignInOfAgent implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:49152/callback'
  readonly clientMetadata = { redirect_uris: [this.redirectUrl] }
  address: URL | undefined
  kept: Tokens | undefined
  #verifier = ''

  clientInformation = () => ({ client_id: demoClient('PKCE').id })
  tokens = () => this.kept
  codeVerifier = () => this.#verifier

  saveTokens(tokens: Tokens): void {
    noteSecret('access token', tokens.access_token)
    if (tokens.refresh_token) noteSecret('refresh token', tokens.refresh_token)
    this.kept = tokens
  }

  redirectToAuthorization(address: URL): void {
    this.address = address
  }

  saveCodeVerifier(verifier: string): void {
    noteSecret('verifier', verifier)
    this.#verifier = verifier
  }
}

type Text = Readonly<{ type: 'text'; text: string }>
export type ToolAnswer = Readonly<{ isError: boolean; text: string; structured: Record<string, unknown> | undefined }>

/** An agent that uses the SDK's own client. */
export class Agent {
  readonly client = new Client({ name: 'test', version: '1' })
  readonly signIn = new SignInOfAgent()

  /** Signs in through the pages of the service, as the SDK's client asks for it. */
  static async signedIn(service: TestService, user = 'ada'): Promise<Agent> {
    const agent = new Agent()
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { authProvider: agent.signIn })
    const first = transport()
    await assert.rejects(agent.client.connect(first as Transport), UnauthorizedError)
    const { searchParams } = agent.signIn.address ?? assert.fail('no sign-in was asked for')
    const back = await signIn(service.url, Object.fromEntries(searchParams), { user })
    await first.finishAuth(back.searchParams.get('code') ?? '')
    await agent.connect(transport())
    return agent
  }

  async connect(transport: object): Promise<this> {
    await this.client.connect(transport as Transport)
    return this
  }

  async call(name: string, parameters: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const { content, isError = false, structuredContent } = await this.client.callTool({ name, arguments: parameters })
    const [{ text }] = content as [Text]
    return { isError: isError === true, text, structured: structuredContent as Record<string, unknown> | undefined }
  }
}
