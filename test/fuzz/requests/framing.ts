import type { Random } from '../random.ts'
import type { Draft } from './draft.ts'
import { serialize } from './wire.ts'

/** What is wrong with the frame of a request: its lengths, its first line, its Host, or that it is no HTTP at all. */
export type Framed = Readonly<{ what: string; bytes: Buffer }>

type Head = { line: string; headers: string[]; body: string }
type Change = (head: Head, random: Random) => void

const set = (head: Head, name: string, ...lines: string[]): void => {
  head.headers = [...head.headers.filter((each) => !each.toLowerCase().startsWith(`${name.toLowerCase()}:`)), ...lines]
}
const chunked = (...chunks: string[]): string =>
  [...chunks, ''].map((each) => `${Buffer.byteLength(each, 'latin1').toString(16)}\r\n${each}\r\n`).join('')
const target = (head: Head, change: (given: string) => string): void => {
  const [method = '', given = '', version = ''] = head.line.split(' ')
  head.line = `${method} ${change(given)} ${version}`
}
const length = ({ body }: Head): number => Buffer.byteLength(body, 'latin1')

const changes: Readonly<Record<string, Change>> = {
  'two different lengths': (head) =>
    set(head, 'content-length', `Content-Length: ${length(head)}`, `Content-Length: ${length(head) + 1}`),
  'the length twice': (head) =>
    set(head, 'content-length', `Content-Length: ${length(head)}`, `Content-Length: ${length(head)}`),
  'a list of lengths': (head) => set(head, 'content-length', `Content-Length: ${length(head)}, ${length(head)}`),
  'length and chunks': (head) => {
    set(head, 'content-length', `Content-Length: ${length(head)}`, 'Transfer-Encoding: chunked')
    head.body = chunked(head.body || 'a')
  },
  chunks: (head) => {
    set(head, 'content-length', 'Transfer-Encoding: chunked')
    head.body = chunked(...(head.body === '' ? [] : [head.body.slice(0, 3), head.body.slice(3)].filter(Boolean)))
  },
  'chunks with extensions and trailers': (head) => {
    set(head, 'content-length', 'Transfer-Encoding: chunked', 'Trailer: X-End')
    head.body = `2;a="b"\r\n{}\r\n0;c\r\nX-End: 1\r\nContent-Length: 9\r\n\r\n`
  },
  'a chunk of a wrong length': (head, random) => {
    set(head, 'content-length', 'Transfer-Encoding: chunked')
    head.body = random.pick([
      '5\r\n{}\r\n0\r\n\r\n',
      'zz\r\n{}\r\n',
      '-1\r\n',
      'ffffffffffffffffff\r\n{}',
      '2\r\n{}{}\r\n0\r\n\r\n',
    ])
  },
  'another transfer encoding': (head, random) => {
    const coding = random.pick([
      'identity',
      'gzip',
      'gzip, chunked',
      'chunked, gzip',
      'chunked, chunked',
      '',
      'xchunked',
    ])
    set(head, 'content-length', `Transfer-Encoding: ${coding}`)
    head.body = chunked('{}')
  },
  'a length that is no number': (head, random) => {
    const given = random.pick(['-1', '+2', '0x2', '2.0', '1e1', '', ' ', '99999999999999999999', 'abc', '2 2'])
    set(head, 'content-length', `Content-Length: ${given}`)
  },
  'a body shorter than its length': (head) => set(head, 'content-length', `Content-Length: ${length(head) + 100}`),
  'a body longer than its length': (head) => {
    head.body += 'GET /smuggled HTTP/1.1\r\n\r\n'
  },
  'Expect: 100-continue': (head) => void head.headers.push('Expect: 100-continue'),
  'another Expect': (head, random) =>
    void head.headers.push(`Expect: ${random.pick(['x', '', '200-ok', '100-continue, x'])}`),
  'an absolute target': (head, random) =>
    target(
      head,
      (given) => `${random.pick(['http://localhost', 'https://evil.example', 'HTTP://localhost:1'])}${given}`,
    ),
  'a target of another form': (head, random) =>
    target(head, () =>
      random.pick(['*', 'localhost:80', 'a', '', '//', '//evil.example/', '/ /', '\\', '/\u00e9', '/?', '?', '#']),
    ),
  'an odd Host': (head, random) =>
    set(
      head,
      'host',
      `Host: ${random.pick(['', 'evil.example', 'a b', '[', 'x'.repeat(5000), 'a@b', 'a/b', '[::1]:x', '\u00e9', ','])}`,
    ),
  'no Host': (head) => set(head, 'host'),
  'two Hosts': (head) => void head.headers.push('Host: evil.example'),
  'another version': (head, random) => {
    head.line = head.line.replace(
      /HTTP\/1\.1$/,
      random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/1', 'http/1.1', 'X/1.1', '']),
    )
  },
  'an unusual method': (head, random) => {
    head.line = head.line.replace(
      /^\S+/,
      random.pick(['get', 'CONNECT', 'FOO', 'M-SEARCH', 'A'.repeat(3000), 'G\u00cbT', 'QUERY', '']),
    )
  },
  'an upgrade': (head, random) => {
    set(head, 'connection', 'Connection: Upgrade', `Upgrade: ${random.pick(['websocket', 'h2c', 'TLS/1.0', 'x'])}`)
    if (random.chance(0.5))
      head.headers.push('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13')
  },
  'a malformed header': (head, random) =>
    void head.headers.push(
      random.pick([
        'X-A : 1',
        ' X-A: 1',
        'X-A',
        ':',
        'X A: 1',
        'X-A: a\0b',
        'X-\u00e9: 1',
        'X-A: \r b',
        '\tfolded',
        'X-A:\r\n b',
      ]),
    ),
  'lines that end in LF': (head) => {
    head.headers = [head.headers.join('\n')]
  },
  'empty lines first': (head) => {
    head.line = `\r\n\r\n${head.line}`
  },
}

const noHttp: readonly Buffer[] = [
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from('160301020001000001fc0303', 'hex'),
  Buffer.from('\r\n\r\n\r\n'),
  Buffer.from('GET\r\n\r\n'),
  Buffer.from('GET /\r\n\r\n'),
  Buffer.from('\0\0\0\0'),
  Buffer.from('{"a":1}\r\n\r\n'),
  Buffer.from(`GET / HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(3_000)}\r\n`),
]

/** A request whose frame is wrong or unusual. Placeholders stay in it. */
export function frame(draft: Draft, random: Random): Framed {
  const kind = random.below(30)
  if (kind === 0) return { what: 'no HTTP', bytes: random.pick(noHttp) }
  if (kind === 1) return { what: 'random bytes', bytes: random.bytes(random.between(1, 300)) }
  const whole = serialize(draft).toString('latin1')
  if (kind === 2)
    return { what: 'a truncated request', bytes: Buffer.from(whole.slice(0, random.below(whole.length)), 'latin1') }
  if (kind === 3) {
    const bytes = Buffer.from(whole, 'latin1')
    bytes[random.below(bytes.length)] = random.below(256)
    return { what: 'another byte', bytes }
  }
  const end = whole.indexOf('\r\n\r\n')
  const [line = '', ...headers] = whole.slice(0, end).split('\r\n')
  const head = { line, headers, body: whole.slice(end + 4) }
  const what = random.pick(Object.keys(changes))
  changes[what]?.(head, random)
  const between = what === 'lines that end in LF' ? '\n' : '\r\n'
  const text = `${[head.line, ...head.headers].join(between)}${between}${between}${head.body}`
  return { what, bytes: Buffer.from(text, 'latin1') }
}
