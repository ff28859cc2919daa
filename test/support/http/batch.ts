import assert from 'node:assert/strict'

export type Request = { method?: string; url: string; headers?: Record<string, string>; body?: unknown }
export type Answered = {
  status: number
  headers: Headers
  /** The header lines, verbatim. */
  fields: string[]
  text: string
  body: Record<string, unknown>
}

/** A batch as client libraries of this interface write it; each part has its number as its id. */
export function batchOf(requests: readonly Request[], boundary = '+'): string {
  const parts = requests.flatMap(({ method = 'GET', url, headers = {}, body }, index) => [
    `--${boundary}`,
    'Content-Type:application/http; msgtype=request',
    '',
    `${method} ${url} HTTP/1.1`,
    `X-Request-Id:${index + 1}`,
    ...(body === undefined ? [] : ['Content-Type:application/json; charset=utf-8']),
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    'Host:somewhere.example',
    '',
    body === undefined ? '' : JSON.stringify(body),
  ])
  return [...parts, `--${boundary}--`, ''].join('\r\n')
}

/** Parses the response to a batch strictly: every line must be in its place. */
export function answersIn(text: string, contentType: string): Answered[] {
  const boundary = /^multipart\/mixed; boundary="([^"]+)"$/.exec(contentType)?.[1]
  assert.ok(boundary, contentType)
  assert.ok(text.startsWith(`--${boundary}\r\n`) && text.endsWith(`\r\n--${boundary}--\r\n`), text)
  const inner = text.slice(`--${boundary}\r\n`.length, -`\r\n--${boundary}--\r\n`.length)
  return inner.split(`\r\n--${boundary}\r\n`).map((part) => {
    const [head = '', start = '', ...rest] = part.split('\r\n\r\n')
    assert.equal(head, 'Content-Type: application/http; msgtype=response')
    const [statusLine = '', ...fields] = start.split('\r\n')
    assert.match(statusLine, /^HTTP\/1\.1 \d{3} [A-Z]/)
    const headers = new Headers(fields.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
    const text = rest.join('\r\n\r\n')
    assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text))
    const isJson = headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: Number(statusLine.split(' ')[1]), headers, fields, text, body: isJson ? JSON.parse(text) : {} }
  })
}
