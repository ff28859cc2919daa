import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { listenAnywhere, openClient, untilConnections } from '../../test/support/http/slow-client.ts'
import { sendRaw, testServer } from '../../test/support/http-server.ts'

const secret = 'a-secret-in-the-wrong-place'
const host = 'Host: x\r\n'
const post = `POST /${secret} HTTP/1.1\r\n${host}`
const things = `POST /things HTTP/1.1\r\n${host}X-Key: ${secret}\r\nContent-Type: application/json\r\n`
const long = 'a'.repeat(66_000)
const quick = { headersTimeoutMs: 100, requestTimeoutMs: 200, timeoutCheckMs: 20, lingerMs: 1_000 }

const bodyOf = (response: string): string => response.slice(response.indexOf('\r\n\r\n') + 4)

/** What is sent, and what the response says to send instead. */
const causes: Record<string, readonly [number, string, RegExp]> = {
  HPE_INVALID_METHOD: [400, `HELLO ${secret}\r\n\r\n`, /begin with an HTTP method.*GET \/path HTTP\/1\.1$/],
  HPE_INVALID_URL: [400, `GET ${secret} HTTP/1.1\r\n\r\n`, /address is not valid.*begins with \//],
  HPE_INVALID_CONSTANT: [400, `GET /a ${secret} HTTP/1.1\r\n\r\n`, /%20 for each space/],
  HPE_INVALID_VERSION: [400, `GET /${secret} HTTP/7.1\r\n\r\n`, /Send HTTP\/1\.1 and CR LF/],
  HPE_PAUSED_H2_UPGRADE: [400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /HTTP\/2 is not supported.*Send HTTP\/1\.1/],
  HPE_INVALID_HEADER_TOKEN: [400, `${post}X-Key: ${secret}\x01\r\n\r\n`, /Send Name: value/],
  HPE_UNEXPECTED_SPACE: [400, `GET /${secret} HTTP/1.1\r\n folded: x\r\n\r\n`, /Send each header in one line/],
  HPE_INVALID_CONTENT_LENGTH: [400, `${post}Content-Length: ${secret}\r\n\r\n`, /with digits only/],
  HPE_UNEXPECTED_CONTENT_LENGTH: [400, `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, /one Content-Length/],
  HPE_INVALID_TRANSFER_ENCODING: [400, `${things}Transfer-Encoding: ${secret}\r\n\r\n`, /with the value chunked/],
  HPE_STRICT: [400, `GET /${secret} HTTP/1.1\rX`, /Send CR LF/],
  HPE_INVALID_CHUNK_SIZE: [400, `${things}Transfer-Encoding: chunked\r\n\r\n${secret}`, /in hexadecimal digits/],
  HPE_HEADER_OVERFLOW: [431, `GET /${secret} HTTP/1.1\r\n${host}X-Long: ${long}\r\n\r\n`, /at most 64 KiB/],
  ERR_HTTP_REQUEST_TIMEOUT: [408, `GET /${secret} HTTP/1.1\r\n`, /headers within 0\.1 s and all of it within 0\.2 s/],
}

for (const [code, [status, sent, advice]] of Object.entries(causes))
  test(`${code} is ${status}, says what to send instead, and has a line in the log without what was sent`, async (t) => {
    const { server, lines } = testServer({ limits: quick })
    t.after(() => server.close())
    server.post('/things', async () => 'read')

    const response = await sendRaw(server, sent)

    assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} .*\r\nConnection: close\r\n`, 's'))
    const { ErrorCode, Message } = JSON.parse(bodyOf(response))
    assert.equal(ErrorCode, 'InvalidRequest')
    assert.match(Message, advice)
    const reqId = /\r\nX-Correlation: ##([0-9a-f]{24})#n1\r\n/.exec(response)?.[1]
    const [line, ...others] = lines.filter(({ msg }) => msg === 'request not readable')
    assert.deepEqual({ ...line }, { ...line, level: 30, reqId, status, code, address: '127.0.0.1' })
    assert.deepEqual(others, [])
    assert.ok(!JSON.stringify(lines).includes(secret))
    assert.deepEqual([...server.clientErrors], [[status, 1]])
  })

test('an error that has no text of its own is a 400 that names the protocol', async (t) => {
  const { server, lines } = testServer()
  t.after(() => server.close())
  server.server.on('connection', (socket) => void server.server.emit('clientError', new Error(secret), socket))

  const response = await sendRaw(server, 'GET / HTTP/1.1\r\n')

  assert.match(response, /^HTTP\/1\.1 400 .*"This is not a valid HTTP request\. Send an HTTP\/1\.1 request\."\}$/s)
  assert.ok(!JSON.stringify(lines).includes(secret))
})

test('LOG_LEVEL=warn has no lines for requests that are not readable', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const { server } = testServer({ log })
  t.after(() => server.close())
  assert.match(await sendRaw(server, 'HELLO\r\n\r\n'), /^HTTP\/1\.1 400 /)
  assert.deepEqual(lines, [])
})

const lateBody = JSON.stringify('late')
const lateRequest = `POST /things HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${lateBody.length}\r\n\r\n${lateBody}`

for (const [sent, length] of Object.entries({
  nothing: 0,
  'part of the headers': 30,
  'part of the body': lateRequest.length - 2,
}))
  test(`a request that is completed after its 408 is not executed (sent before: ${sent})`, async (t) => {
    const { server } = testServer({ limits: { ...quick, lingerMs: 500 } })
    t.after(() => server.close())
    let isExecuted = false
    server.post('/things', async () => {
      isExecuted = true
    })
    await listenAnywhere(server)

    const client = await openClient(server, lateRequest.slice(0, length))
    await client.ended
    assert.match(client.received(), /^HTTP\/1\.1 408 /)
    client.socket.write(lateRequest.slice(length))

    await untilConnections(server, 0)
    assert.equal(isExecuted, false)
    client.socket.destroy()
  })
