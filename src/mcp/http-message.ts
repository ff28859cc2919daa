import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { CallOperation } from './call-tool.ts'
import { agentServer } from './server.ts'
import type { Tool } from './tools.ts'

type Message = Readonly<{
  tools: readonly Tool[]
  call: CallOperation
  onError(error: unknown): void
  address: string
  headers: Record<string, string>
  body: unknown
}>

/** Answers one message, without a session: any node can answer the next one. */
export async function answerMessage({ tools, call, onError, address, headers, body }: Message): Promise<Response> {
  const server = agentServer(tools, call, onError)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    // Its optional members may be undefined, which our compiler settings tell apart.
    await server.connect(transport as Parameters<typeof server.connect>[0])
    return await transport.handleRequest(new Request(address, { method: 'POST', headers }), { parsedBody: body })
  } finally {
    await server.close()
  }
}
