import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectBrowser } from '../support/browser/browser.ts'
import { type Answer, at, type Call, callAll, read, startWebsite } from '../support/browser/clientlib.ts'
import { serviceForFile } from '../support/service/service.ts'

const standard = await serviceForFile({ reference: true })
const vendor = await serviceForFile({ besides: standard, env: { COMPAT: 'vendor' } })
const browser = await connectBrowser()

const instruments = 'v1/instruments'
const aapl = { Uic: '1000', AssetType: 'Stock' }
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
        [404, 'NotOffered'],
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
  })
