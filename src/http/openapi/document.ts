import type { RouteOptions } from 'fastify'
import type { WireProfile } from '../../core/wire-profile.ts'
import { etagOf } from '../output/caching.ts'
import type { Server } from '../typed-server.ts'
import { errorSchemas } from './errors.ts'
import { Components, operationOf } from './operation.ts'
import type { Node } from './schemas.ts'

export type OpenApiTag = Readonly<{ name: string; 'x-displayName': string; description: string }>

export type OpenApiInfo = Readonly<{
  title: string
  version: string
  summary: string
  description: string
  publicUrl: string
  basePath: string
  profile: WireProfile
  tags: readonly OpenApiTag[]
}>

/** OpenAPI writes `{Uic}` where the router writes `:Uic`. */
const templated = (url: string): string => url.replaceAll(/:([A-Za-z0-9_]+)/g, '{$1}')

/** Paths are relative to {base_url}, so that they are the same in every environment; others name their server. */
function locate(url: string, { publicUrl, basePath }: OpenApiInfo): { path: string; servers: Node } {
  const path = templated(url)
  if (path.startsWith(`${basePath}/`)) return { path: path.slice(basePath.length), servers: {} }
  return { path, servers: { servers: [{ url: publicUrl }] } }
}

function securitySchemes(publicUrl: string): Node {
  const [authorizationUrl, tokenUrl] = [`${publicUrl}/authorize`, `${publicUrl}/token`]
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Any access token.',
    },
    oauth2: {
      type: 'oauth2',
      description: 'How an app obtains an access token for a user. There are no scopes.',
      flows: {
        authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes: {} },
        implicit: { authorizationUrl, scopes: {} },
      },
    },
    app: {
      type: 'http',
      scheme: 'basic',
      description: 'The AppKey and a secret of the app. An app without secrets sends its AppKey as client_id instead.',
    },
  }
}

function documentOf(routes: readonly RouteOptions[], info: OpenApiInfo): Node {
  const { title, version, summary, description, publicUrl, basePath, tags } = info
  const components = new Components(info.profile)
  const paths: Record<string, Node> = {}
  for (const { url, method: methods, schema = {}, config = {} } of routes) {
    const { path, servers } = locate(url, info)
    for (const method of [methods].flat()) {
      if (method === 'HEAD' || method === 'OPTIONS') continue
      const operation = { method, schema, documented: schema.documented ?? {}, config }
      paths[path] = { ...servers, ...paths[path], [method.toLowerCase()]: operationOf(operation, components) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, summary, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: `${publicUrl}${basePath}` }],
    tags: tags.filter(({ name }) => routes.some(({ schema }) => schema?.tags?.includes(name))),
    paths,
    security: [{ bearer: [] }, { oauth2: [] }],
    components: {
      schemas: { ...components.schemas.schemas, ...errorSchemas },
      responses: components.errors.responses,
      headers: components.headers.headers,
      securitySchemes: securitySchemes(publicUrl),
    },
  }
}

export type OpenApiDocument = Readonly<{ body: Buffer; etag: string }>

/** Collects all routes that are added afterwards. The document is built once, before the server is ready. */
export function collectOpenApi(server: Server, info: OpenApiInfo): () => OpenApiDocument {
  const routes: RouteOptions[] = []
  let document: OpenApiDocument = { body: Buffer.alloc(0), etag: '' }
  server.addHook('onRoute', (route) => {
    if (!route.schema?.hide) routes.push(route)
  })
  server.addHook('onReady', async () => {
    const text = JSON.stringify(documentOf(routes, info))
    document = { body: Buffer.from(text), etag: etagOf([text]) }
  })
  return () => document
}
