import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { build } from 'esbuild'
import type * as Clientlib from 'openapi-clientlib'
import type { Page } from 'playwright-core'
import { connectBrowser } from '../support/browser/browser.ts'
import { originOnFreePort, registerApp } from '../support/journey.ts'
import { serviceForFile, type TestService } from '../support/service/service.ts'
import { basic, postToken, signInForCode } from '../support/sign-in.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Options = { queryParams?: Record<string, string>; body?: object }
type Call = [method: Method, group: string, path: string, args?: Record<string, string>, options?: Options]
type Answer = { status?: number; response?: unknown; requestId?: string }

type Transports = Record<'queue' | 'batch' | 'writes', Record<Method, (...call: unknown[]) => Promise<Answer>>>

declare global {
  interface Window {
    app: Transports & { provider: Clientlib.AuthProvider; auth: Clientlib.TransportAuth; clientlib: typeof Clientlib }
  }
}

/** The script of an app's page: the setup in docs/compatibility.md, bundled with the library from npm. Apps provide
 *  SignalR themselves; it is left out here, because there is nothing to stream. */
async function scriptFor(service: TestService): Promise<string> {
  const shown = /```js\n(.*?)```/s.exec(await readFile(new URL('../../docs/compatibility.md', import.meta.url), 'utf8'))
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

const standard = await serviceForFile({ reference: true })
const vendor = await serviceForFile({ besides: standard, env: { COMPAT: 'vendor' } })
const browser = await connectBrowser()

/** The website of an app: a page with the library, and `/renew`, the app's own route, which has the secret and the
 *  refresh token. The refresh token changes with every use, and the library cannot store the next one. */
async function startWebsite(service: TestService): Promise<{ origin: string; AppKey: string; renewals(): number }> {
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
const callAll = (page: Page, through: keyof Transports, calls: Call[]): Promise<Answer[]> =>
  page.evaluate(
    ([name, list]) => {
      const pick = ({ status, response, requestId }: Answer) => ({ status, response, requestId }) as Answer
      return Promise.all(list.map(([method, ...rest]) => window.app[name][method](...rest).then(pick, pick)))
    },
    [through, calls] as const,
  )

const instruments = 'v1/instruments'
const aapl = { Uic: '1000', AssetType: 'Stock' }
const read = (group: string, path: string, args: Record<string, string> = {}, query = {}): Call => {
  return ['get', group, path, args, { queryParams: query }]
}
/** The calls, each with a path into the response and the value expected there. */
const reads: [Call, string, unknown][] = [
  [read('ref', instruments, {}, { Keywords: 'apple', AssetTypes: 'Stock' }), 'Data.0.Symbol', 'AAPL:xnas'],
  [read('ref', `${instruments}/details/{Uic}/{AssetType}`, aapl), 'Symbol', 'AAPL:xnas'],
  [read('ref', `${instruments}/details`, {}, { Uics: '1000,1001', AssetTypes: 'Stock' }), '__count', 2],
  [read('ref', `${instruments}/contractoptionspaces/{Root}`, { Root: '1' }), 'AssetType', 'StockOption'],
  [read('ref', `${instruments}/futuresspaces/{Uic}`, { Uic: '5000' }), 'BaseIdentifier', 'ES'],
  [read('ref', `${instruments}/tradingschedule/{Uic}/{AssetType}`, aapl), 'TimeZoneAbbreviation', 'EST'],
  [read('ref', 'v1/exchanges/{Id}', { Id: 'NASDAQ' }), 'Mic', 'XNAS'],
  [read('ref', 'v1/exchanges'), 'Data.0.AllDay', false],
  [read('ref', 'v1/currencies'), 'Data.0.CurrencyCode', 'AED'],
  [read('ref', 'v1/currencypairs'), 'Data.0.RelatedCurrencies.0.CurrencyCode', 'CAD'],
  [read('ref', 'v1/countries'), 'Data.0.A3', 'AFG'],
  [read('ref', 'v1/languages'), 'Data.0.LanguageCode', 'af'],
  [read('ref', 'v1/cultures'), 'Data.0.CultureCode', 'af-ZA'],
  [read('ref', 'v1/timezones'), 'Data.0.ZoneName', 'Etc/UTC'],
  [read('ca', 'v2/events', {}, { $top: '3' }), 'Data.length', 3],
  [read('ca', 'v2/events/lookupdata'), 'Data.0.FieldGroup', 'EventTypes'],
  [read('port', 'v1/users/me'), 'Name', 'ada'],
  [read('port', 'v1/clients/me'), 'Name', 'Ada Holding'],
  [read('port', 'v1/accounts/me'), 'Data.length', 3],
  [read('root', 'v1/user'), 'AccessRights.CanTrade', true],
]
/** The member of a response at a path. */
const at = (answer: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer)

const rejections: Call[] = [
  read('ref', `${instruments}/details/{Uic}/{AssetType}`, { ...aapl, Uic: '999999' }),
  read('ref', instruments, {}, { $top: 'many' }),
  // There are no subscriptions, because nothing is pushed.
  ['post', 'ref', 'v1/instruments/subscriptions', {}, { body: { ContextId: '1', ReferenceId: '2' } }],
]

for (const [COMPAT, service] of Object.entries({ off: standard, vendor }))
  test(`openapi-clientlib: transports, renewal, batches, retries, writes (COMPAT=${COMPAT})`, async (t) => {
    const website = await startWebsite(service)
    const context = await browser.newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${request.url().slice(service.baseUrl.length)}`))
    await page.goto(website.origin)
    const ask = async (...call: Call): Promise<Answer> => (await callAll(page, 'writes', [call]))[0] ?? {}

    // The first calls wait until the app's own route has returned a token.
    const calls = reads.map(([call]) => call)
    const single = await callAll(page, 'queue', calls)
    for (const [index, [call, place, expected]] of reads.entries())
      assert.deepEqual([single[index]?.status, at(single[index]?.response, place)], [200, expected], call[2])
    assert.equal(website.renewals(), 1)
    const answerTo = (path: string) => single[calls.findIndex((call) => call[2].includes(path))]?.response
    for (const path of ['contractoptionspaces', 'v2/events'])
      assert.equal(JSON.stringify(answerTo(path)).includes('T00:00:00Z'), COMPAT === 'off', `days of ${path}`)
    const EventId = String(at(answerTo('v2/events'), 'Data.0.EventId'))
    const event = await ask('get', 'ca', 'v2/events/{EventId}', { EventId })
    assert.deepEqual(event.response, at(answerTo('v2/events'), 'Data.0'))

    // The same calls in one batch per service group, with rejected ones; each part has its own response.
    const rejected = await callAll(page, 'queue', rejections)
    assert.deepEqual(
      rejected.map(({ status, response }) => [status, at(response, 'ErrorCode')]),
      [
        [404, 'IllegalInstrumentId'],
        [400, 'InvalidModelState'],
        [404, 'NoResultFound'],
      ],
    )
    assert.ok(Number(rejected[0]?.requestId) > 0, 'the library finds its own request ID in X-Correlation')
    sent.length = 0
    const together = await callAll(page, 'batch', [...calls, ...rejections])
    const answersOf = (answers: Answer[]) => answers.map(({ status, response }) => ({ status, response }))
    assert.deepEqual(answersOf(together), answersOf([...single, ...rejected]))
    assert.deepEqual(sent.filter((line) => line.startsWith('POST')).sort(), [
      'POST /ca/batch',
      'POST /port/batch',
      'POST /ref/batch',
    ])

    // A rejected token is renewed once, and its calls are repeated.
    await page.evaluate(() => window.app.provider.set('stale', Date.now() + 1_000_000))
    const again = await callAll(page, 'queue', [read('port', 'v1/clients/me'), read('ca', 'v2/events')])
    assert.deepEqual(
      again.map(({ status }) => status),
      [200, 200],
    )
    assert.equal(website.renewals(), 2)

    // The call is retried while the fault lasts.
    const fault = { AppKey: website.AppKey }
    const ordered = await ask('put', 'x', 'v1/faults/{AppKey}', fault, { body: { Kind: 'Unavailable', Group: 'ca' } })
    assert.equal(ordered.status, 200)
    // The library has checked, without a token, whether proxies let PUT and PATCH pass.
    assert.ok(sent.includes(`PUT /x/v1/faults/${website.AppKey}`))
    const unavailable = page.waitForResponse((response) => response.status() === 503)
    const patient = ask('get', 'ca', 'v2/events/lookupdata')
    await unavailable
    assert.equal((await ask('delete', 'x', 'v1/faults/{AppKey}', fault)).status, 204)
    assert.equal((await patient).status, 200)

    // Writes, by their own methods and by POST for proxies that block other methods.
    const body = { Name: 'From a library', Description: 'Made by a test', Flow: 'PKCE' }
    const made = await ask('post', 'developer', 'apps', {}, { body })
    const app = { AppKey: String(at(made.response, 'AppKey')) }
    for (const [asPost, method] of [
      [false, 'PATCH'],
      [true, 'POST'],
    ] as const) {
      await page.evaluate((value) => window.app.auth.transport.setUseXHttpMethodOverride(value), asPost)
      const Name = `From a library by ${method}`
      assert.equal((await ask('patch', 'developer', 'apps/{AppKey}', app, { body: { Name } })).status, 204)
      assert.ok(sent.includes(`${method} /developer/apps/${app.AppKey}`))
      assert.equal(at((await ask('get', 'developer', 'apps/{AppKey}', app)).response, 'Name'), Name)
    }
    assert.equal((await ask('delete', 'developer', 'apps/{AppKey}', app)).status, 204)

    // Streaming stops at once instead of retrying forever, because the page can read the 404.
    const gaveUp = page.evaluate((url) => {
      const { Streaming, streamingTransports } = window.app.clientlib
      const transportTypes = [streamingTransports.PLAIN_WEBSOCKETS]
      const transport = window.app.queue as unknown as Clientlib.TransportQueue
      const streaming = new Streaming(transport, url, window.app.provider, { transportTypes })
      return new Promise<string>((resolve) => {
        streaming.on(streaming.EVENT_STREAMING_FAILED, () => resolve('gave up'))
        setTimeout(resolve, 10_000, 'still tries')
      })
    }, service.baseUrl)
    assert.equal(await gaveUp, 'gave up')
  })
