import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { checkRedirectUri } from '../../src/apps/rules/redirect-uri.ts'
import { redirectTarget } from '../../src/auth/rules/authorization-request.ts'
import { connectBrowser } from '../support/browser/browser.ts'

/** Accepted, though it looks odd. */
const accepted = [
  'https://app.example',
  'https://app.example?own=1',
  'https://app.example//evil.example/..%2F..%5C',
  'https://app.example/@evil.example:8443',
  'https://app.example/?next=https://evil.example/&x=@evil.example',
  'https://app.example:8443/;a=b/%252e%252e/cb',
  'https://127.0.0.1.evil.example/cb',
  'https://xn--pple-43d.example/cb',
  'https://xn--bcher-kva.example/caf%C3%A9',
  'https://my_app.example/[x]/~!$&()+,=:',
  'https://192.0.2.1/cb',
  'https://[2001:db8::1]:8443/cb',
  'http://[::1]:3999/cb',
  'http://localhost/cb',
  'com.example.app:/cb',
  'com.example.app://evil.example/cb',
  'com.example.app:https://evil.example/',
]

/** Rejected, and where a browser would go: to another host, another spelling, or nowhere. */
const rejected: [uri: string, goesTo: string | undefined][] = [
  ['https://app.example\\@evil.example/', 'https://app.example'],
  ['https://app.example@evil.example/', 'https://evil.example'],
  ['https://app.example:443@evil.example/', 'https://evil.example'],
  ['https:app.example/cb', 'https://app.example'],
  ['https:\\\\evil.example/', 'https://evil.example'],
  ['https:///evil.example/', 'https://evil.example'],
  ['https://ev\til.example/', 'https://evil.example'],
  ['https://%65vil.example/', 'https://evil.example'],
  ['https://ｅｖｉｌ。example/', 'https://evil.example'],
  ['https://evil\u{AD}.example/', 'https://evil.example'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example'],
  ['https://App.Example/', 'https://app.example'],
  ['https://app.example./', 'https://app.example.'],
  ['http://localhost.evil.example:3999/', 'http://localhost.evil.example:3999'],
  ['http://2130706433:3999/', 'http://127.0.0.1:3999'],
  ['http://0x7f.1:3999/', 'http://127.0.0.1:3999'],
  ['http://[0:0:0:0:0:0:0:1]:3999/', 'http://[::1]:3999'],
  ['http://[::ffff:127.0.0.1]:3999/', 'http://[::ffff:7f00:1]:3999'],
  ['http://[fe80::1%25eth0]:3999/', undefined],
  ['https://app.example:65536/', undefined],
  ['https://1.2.3.256/', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
]

const members = { code: 'c0de', state: 'a&b=c #\u{FF0F}@evil.example', iss: 'https://desk.example' }

test('Chromium follows the redirect of an accepted URI to exactly the returned origin', async () => {
  const all = [...accepted, ...rejected.map(([uri]) => uri)]
  const targets = all.map((uri) => redirectTarget(uri, false, members))
  const server = createServer((request, response) => {
    const target = targets[Number(request.url?.slice(1))] ?? ''
    response.writeHead(302, { location: Buffer.from(target).toString('latin1') }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close().closeAllConnections())
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const browser = await connectBrowser()
  const page = await browser.newPage()
  after(() => page.close())
  // Intercepts every request: nothing leaves this machine, and names need not resolve.
  const session = await page.context().newCDPSession(page)
  const asked: string[] = []
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isOwn = new URL(request.url).origin === own
    if (!isOwn) asked.push(request.url)
    const answer = isOwn
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 })
    answer.catch((error: Error) => asked.push(error.message))
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })

  const follow = async (index: number): Promise<string[]> => {
    asked.length = 0
    await page
      .goto(`${own}/${index}`, { timeout: 120_000 })
      .catch((error: Error) => assert.match(error.message, /net::/))
    return [...asked]
  }
  for (const [index, uri] of accepted.entries()) {
    const checked = checkRedirectUri(uri, 'PKCE')
    assert.ok('origin' in checked, uri)
    const target = new URL(targets[index] ?? '')
    const isWeb = /^https?:/.test(checked.origin)
    assert.deepEqual(await follow(index), isWeb ? [target.href] : [], uri)
    assert.equal(isWeb ? target.origin : target.protocol, checked.origin)
  }
  for (const [index, [uri, goesTo]] of rejected.entries()) {
    assert.ok('errors' in checkRedirectUri(uri, 'PKCE'), uri)
    const origins = (await follow(accepted.length + index)).map((url) => new URL(url).origin)
    assert.deepEqual(origins, goesTo === undefined ? [] : [goesTo], uri)
  }
})
