import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'

/** oidc-provider configured like a refresh of ours: rotation, an ES256 JWT access token, a client with a secret. `/seed` creates
 *  sessions with one refresh token each through its own models, without a sign-in. */
type Model<Facts> = new (facts: Facts) => { save(): Promise<string>; addResourceScope(r: string, s: string): void }
type Provider = Readonly<{
  callback(): RequestListener
  Client: { find(id: string): Promise<object> }
  Grant: Model<{ clientId: string; accountId: string }>
  RefreshToken: Model<Record<string, unknown>>
}>
const client = { client_id: 'bench', client_secret: 'bench-secret-of-thirty-two-chars' }
const resource = 'urn:bench:api'
const scope = 'offline_access api'
const port = Number(process.env.PORT)

type Made = new (...options: unknown[]) => object

/** It has no types, and its memory adapter is not exported by name. */
async function load<Default = Made>(path: string): Promise<Default> {
  return (await import(new URL(path, import.meta.resolve('oidc-provider')).href)).default
}

const OidcProvider = await load<new (issuer: string, configuration: object) => Provider>('./index.js')
const [MemoryAdapter, Lru] = [await load('./adapters/memory_adapter.js'), await load('./helpers/lru.js')]
// By default it keeps 1,000 entries, which would drop tokens that are still in use.
const store = new Lru({ maxSize: 2_000_000 })

const provider = new OidcProvider(`http://localhost:${port}`, {
  adapter: (model: string) => new MemoryAdapter(model, store),
  clients: [
    {
      ...client,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['http://localhost:5000/callback'],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [signingKey()] },
  rotateRefreshToken: true,
  ttl: { RefreshToken: 3_600, Grant: 2_592_000, AccessToken: 1_200 },
  findAccount: async (_context: unknown, accountId: string) => ({
    accountId,
    claims: async () => ({ sub: accountId }),
  }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'api',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 1_200,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
})

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'bench' }
}

async function seedToken(accountId: string): Promise<string> {
  const grant = new provider.Grant({ clientId: client.client_id, accountId })
  grant.addResourceScope(resource, 'api')
  return new provider.RefreshToken({
    accountId,
    client: await provider.Client.find(client.client_id),
    grantId: await grant.save(),
    gty: 'authorization_code',
    resource,
    scope,
  }).save()
}

const handle = provider.callback()
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname !== '/seed') return handle(request, response)
  const count = Number(url.searchParams.get('count'))
  const tokens = await Promise.all(Array.from({ length: count }, (_, index) => seedToken(`user-${index}`)))
  const body = JSON.stringify({ client, tokens })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(port, 'localhost')
