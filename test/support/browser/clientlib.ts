import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { build } from 'esbuild'
import type * as Clientlib from 'openapi-clientlib'
import type { Page } from 'playwright-core'
import { originOnFreePort, registerApp } from '../journey.ts'
import type { TestService } from '../service/service.ts'
import { basic, postToken, signInForCode } from '../sign-in.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Options = { queryParams?: Record<string, string>; body?: object }
export type Call = [method: Method, group: string, path: string, args?: Record<string, string>, options?: Options]
export type Answer = { status?: number; response?: unknown; requestId?: string }

export type Transports = Record<'queue' | 'batch' | 'writes', Record<Method, (...call: unknown[]) => Promise<Answer>>>

declare global {
  interface Window {
    app: Transports & { provider: Clientlib.AuthProvider; auth: Clientlib.TransportAuth; clientlib: typeof Clientlib }
  }
}

/** The script of an app's page: the setup in docs/compatibility.md, bundled with the library from npm. Apps provide
 *  SignalR themselves; it is left out here, because there is nothing to stream. */
async function scriptFor(service: TestService): Promise<string> {
  const shown = /```js\n(.*?)```/s.exec(
    await readFile(new URL('../../../docs/compatibility.md', import.meta.url), 'utf8'),
  )
  const setUp = (shown?.[1] ?? '').replace('http://localhost:4700', service.url)
  const bundled = await build({
    stdin: { contents: `${setUp}\nexport * as clientlib from 'openapi-clientlib'`, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'app',
    external: ['@microsoft/signalr'],
    banner: { js: 'const require = () => ({})' },
  })
  return bundled.outputFiles[0]?.text ?? ''
}

/** The website of an app: a page with the library, and `/renew`, the app's own route, which has the secret and the
 *  refresh token. The refresh token changes with every use, and the library cannot store the next one. */
export async function startWebsite(
  service: TestService,
): Promise<{ origin: string; AppKey: string; renewals(): number }> {
  let renew = async (): Promise<string> => '{}'
  const script = await scriptFor(service)
  const html = '<!doctype html><title>A web app</title><link rel="icon" href="data:,"><script src="/app.js"></script>'
  const server = createServer(async ({ method, url, headers }, response) => {
    const answer = (type: string, text: string) => response.setHeader('content-type', type).end(text)
    if (url === '/') response.setHeader('set-cookie', 'app=1') && answer('text/html', html)
    else if (url === '/app.js') answer('text/javascript; charset=utf-8', script)
    else if (method === 'POST' && headers.cookie === 'app=1') answer('application/json', await renew())
    else response.writeHead(401).end()
  })
  const origin = await originOnFreePort(server)
  const redirect_uri = `${origin}/callback`
  const { AppKey, Secret } = await registerApp(service, 'Code', redirect_uri)
  const code = await signInForCode(service.url, { response_type: 'code', client_id: AppKey, redirect_uri })
  const credentials = basic(AppKey, Secret)
  let grant: Record<string, string> = { grant_type: 'authorization_code', code, redirect_uri }
  let renewals = 0
  renew = async () => {
    renewals += 1
    const { access_token, expires_in, refresh_token } = (await postToken(service.url, grant, credentials)).body
    grant = { grant_type: 'refresh_token', refresh_token }
    return JSON.stringify({ access_token, expires_in })
  }
  return { origin, AppKey, renewals: () => renewals }
}

/** Sends all calls at once, so that the library can batch them. Rejected calls return their error. */
export const callAll = (page: Page, through: keyof Transports, calls: Call[]): Promise<Answer[]> =>
  page.evaluate(
    ([name, list]) => {
      const pick = ({ status, response, requestId }: Answer) => ({ status, response, requestId }) as Answer
      return Promise.all(list.map(([method, ...rest]) => window.app[name][method](...rest).then(pick, pick)))
    },
    [through, calls] as const,
  )

export const read = (group: string, path: string, args: Record<string, string> = {}, query = {}): Call => {
  return ['get', group, path, args, { queryParams: query }]
}
/** The member of a response at a path. */
export const at = (answer: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer)
