import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { version } from '../version.ts'
import { type CallOperation, callTool } from './call-tool.ts'
import type { Tool } from './tools.ts'

const instructions =
  'Instrument reference data and corporate actions of the signed-in user. Start with search_instruments or list_events. Long ' +
  'answers are cut: call the tool again with the same parameters and the cursor of the answer. explain says why an answer is ' +
  'empty.'

/** The server never asks the agent for anything, so there is nothing to validate. */
const noValidator = { getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: '' }) }

/** `expected` is for our own error messages. */
const plainKeys = (name: string, value: unknown): unknown => (name === 'expected' ? undefined : value)

const listedTool = async ({
  name,
  operation,
  description,
  input,
  isReadOnly,
  readMore,
}: Tool): Promise<ListedTool> => ({
  name,
  title: operation.summary,
  description: readMore ? `${description} ${await readMore()}` : description,
  // As JSON: the schemas have hidden keys.
  inputSchema: JSON.parse(JSON.stringify(input, plainKeys)) as ListedTool['inputSchema'],
  annotations: {
    title: operation.summary,
    readOnlyHint: isReadOnly,
    destructiveHint: !isReadOnly,
    idempotentHint: isReadOnly,
    openWorldHint: false,
  },
})

/** A server of the Model Context Protocol with tools only. It calls operations as one user. */
export function agentServer(tools: readonly Tool[], call: CallOperation, onError: (error: unknown) => void): Server {
  const server = new Server(
    { name: 'refdesk', title: 'refdesk', version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: noValidator },
  )
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await Promise.all(tools.map(listedTool)) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = byName.get(params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`)
    try {
      return await callTool(tool, params.arguments ?? {}, call)
    } catch (error) {
      onError(error)
      throw new McpError(ErrorCode.InternalError, 'Something went wrong on our side. Try again shortly.')
    }
  })
  return server
}

/** Answers one message, without a session: any node can answer the next one. */
export async function answerMessage(server: Server, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    // Its optional members may be undefined, which our compiler settings tell apart.
    await server.connect(transport as Parameters<typeof server.connect>[0])
    return await transport.handleRequest(request, { parsedBody: body })
  } finally {
    await server.close()
  }
}
