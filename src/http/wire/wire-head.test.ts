import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { HeaderBlocks } from './header-blocks.ts'
import { readWireHead } from './wire-head.ts'

function read(text: string, known = new HeaderBlocks()) {
  const { method, url, block } = readWireHead(text, known) ?? {}
  return block && { method, url, ...block }
}
const get = (...lines: string[]) => ['GET /a?b=c HTTP/1.1', ...lines, '', ''].join('\r\n')

test('reads method, address and headers of a whole request', () => {
  const head = read(get('Host: x', 'X-Empty:', 'Accept: \t a, b  '))

  assert.deepEqual(
    { ...head, text: undefined },
    {
      method: 'GET',
      url: '/a?b=c',
      headers: { host: 'x', 'x-empty': '', accept: 'a, b' },
      rawHeaders: ['Host', 'x', 'X-Empty', '', 'Accept', 'a, b'],
      text: undefined,
    },
  )
})

test('reads a request with a body that has arrived too', () => {
  const start = 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n'
  assert.equal(read(`${start}abc`)?.method, 'POST')
  for (const body of ['', 'ab', 'abcd']) assert.equal(read(start + body), undefined)
})

test('takes the headers of the request before if they are the same', () => {
  const first = readWireHead(get('Host: x', 'Accept: a'), new HeaderBlocks())?.block
  const again = (text: string) => readWireHead(text, new HeaderBlocks(), first)?.block
  assert.equal(again(get('Host: x', 'Accept: a')), first)
  assert.deepEqual(again(get('Host: x', 'Accept: b'))?.headers, { host: 'x', accept: 'b' })
})

test('takes headers that were read twice, of any connection, and never those of another caller', () => {
  const known = new HeaderBlocks()
  const of = (caller: number) => read(get('Host: x', `Authorization: Bearer ${caller}`), known)
  for (let round = 0; round < 3; round++)
    for (let caller = 0; caller < 100; caller++) assert.equal(of(caller)?.headers?.authorization, `Bearer ${caller}`)
  assert.equal(of(7)?.headers, of(7)?.headers)
})

test('headers of a request that is not served here, or has a body, are not kept', () => {
  const known = new HeaderBlocks()
  for (const text of [
    'POST /a HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nb',
  ]) {
    const [first, second, third] = [read(text, known), read(text, known), read(text, known)]
    assert.deepEqual(first?.headers, third?.headers)
    assert.notEqual(second?.headers, third?.headers)
  }
})

const unusual: Record<string, string> = {
  'a part of a request': get('Host: x').slice(0, -1),
  'two requests': get('Host: x').repeat(2),
  'a byte after a request': `${get('Host: x')}G`,
  'an empty line first': `\r\n${get('Host: x')}`,
  'no headers': get(),
  'another version': get('Host: x').replace('1.1', '1.0'),
  'another method': get('Host: x').replace('GET', 'OPTIONS'),
  'a full address': get('Host: x').replace('/a', 'http://x/a'),
  'an address with a space': get('Host: x').replace('/a', '/a b'),
  'an address with a byte above ASCII': get('Host: x').replace('/a', '/\xe9'),
  'a header twice': get('Host: x', 'host: x'),
  'a folded line': get('Host: x', ' y'),
  'a space before the colon': get('Host : x'),
  'a line without a colon': get('Host'),
  'a name with a space': get('Ho st: x'),
  'a name of another script': get('H\xf6st: x'),
  'a control character': get('Host: x\0y'),
  'a bare line feed': get('Host: x\nA: b'),
  'a bare carriage return': get('Host: x\rA: b'),
  chunks: get('Host: x', 'Transfer-Encoding: chunked'),
  'an end of the connection': get('Host: x', 'Connection: close'),
  'an upgrade': get('Host: x', 'Connection: Upgrade', 'Upgrade: h2c'),
  'an end of the connection, as some clients of proxies send it': get('Host: x', 'Proxy-Connection: close'),
  'an expectation': get('Host: x', 'Expect: 100-continue'),
  'a length that is no number': get('Host: x', 'Content-Length: 0x0'),
  'a signed length': get('Host: x', 'Content-Length: +0'),
  'a name that objects have': get('Host: x', '__proto__: y'),
}
for (const [name, text] of Object.entries(unusual))
  test(`leaves to node:http: ${name}`, () => assert.equal(read(text), undefined))

describe('what is read', () => {
  const received: IncomingMessage[] = []
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    received.push(request)
    request.resume().on('end', () => response.end())
  })
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  after(() => server.close())

  const token = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('a', 'Z', '0', '-', '_', '!', ' ', '\t', ':', '\x80', '\xff') },
    { weight: 1, arbitrary: fc.constantFrom('\r', '\n', '\0', '\x7f') },
  )
  const value = fc.array(token, { maxLength: 5 }).map((parts) => parts.join(''))
  const name = fc.constantFrom(
    'Host',
    'accept',
    'X-a',
    'x-A',
    'Connection',
    'Content-Length',
    'Proxy-Connection',
    'Cookie',
  )
  const special = fc.constantFrom('keep-alive', 'Keep-Alive', 'close', '0', '2', '02', 'chunked')
  const header = fc
    .tuple(fc.oneof({ weight: 19, arbitrary: name }, { weight: 1, arbitrary: value }), fc.oneof(value, special))
    .map(([first, second]) => `${first}: ${second}`)
  const message = fc
    .record({
      method: fc.constantFrom('GET', 'GET', 'POST', 'DELETE', 'get'),
      url: fc.oneof({ weight: 4, arbitrary: fc.webPath() }, { weight: 1, arbitrary: value }).map((path) => `/${path}`),
      version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2'),
      headers: fc.array(header, { minLength: 1, maxLength: 4 }),
      body: fc.constantFrom('', '', 'ab', 'a'),
    })
    .map(({ method, url, version, headers, body }) =>
      [`${method} ${url} ${version}`, ...headers, '', body].join('\r\n'),
    )

  /** Both at once, so whatever the first leaves unread would become a part of the second. */
  async function readByNode(text: string): Promise<IncomingMessage[]> {
    received.length = 0
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.end(Buffer.from(`${text}GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'))
    await once(socket.resume(), 'close')
    return [...received]
  }

  test('is what the parser of node:http reads, and ends where that ends', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(message, async (text) => {
        const head = read(text)
        if (!head) return
        accepted += 1
        const [first, second] = await readByNode(text)
        const { method, url, headers, rawHeaders } = head
        assert.deepEqual([first?.method, first?.url, first?.rawHeaders], [method, url, rawHeaders])
        assert.deepEqual({ ...first?.headers }, headers)
        assert.equal(second?.url, '/next')
      }),
      { numRuns: 3_000 },
    )
    assert.ok(accepted > 100, `only ${accepted} were read`)
  })
})
