import { demoApp } from '../../support/demo.ts'
import type { Random } from '../random.ts'
import type { Draft } from './draft.ts'
import { hostileText } from './hostile.ts'
import { placeholder, users } from './names.ts'

/** Values that one of these headers might have; text that no header may hold is written as latin1 without control characters. */
const values: Readonly<Record<string, readonly string[]>> = {
  Accept: [
    '*/*',
    'text/html',
    'text/calendar',
    'application/xml',
    'application/json;q=0',
    ';;;',
    'text/csv',
    'a'.repeat(5000),
  ],
  'Accept-Encoding': ['gzip', 'br', 'gzip, br', 'identity', '*;q=0', 'zstd', 'gzip;q=x', 'br;q=1.0,gzip;q=0.5'],
  'Accept-Language': ['de', 'da-DK, de;q=0.5', 'xx', '*', ';q=', 'en'.repeat(3000)],
  'Content-Type': [
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data',
    ';',
    'a/b; c=d; c="',
  ],
  'Content-Encoding': ['gzip', 'identity', 'br', 'x'],
  'If-Match': ['*', '"a"', 'W/"a"', '"a", "b"', 'a', '"', '*, *', '"a'.repeat(2000)],
  'If-None-Match': ['*', '"a"', 'W/"a"', '"a", "b"', 'a', '"', ',,,', 'W/"'.repeat(2000)],
  'If-Modified-Since': ['Mon, 16 Nov 2026 12:00:00 GMT', 'never'],
  Origin: [
    'null',
    'https://app.example',
    'http://localhost:5000',
    'http://localhost',
    'https://evil.example',
    '*',
    'x'.repeat(4000),
  ],
  'Access-Control-Request-Method': ['PATCH', 'x'],
  'Access-Control-Request-Headers': ['authorization', ','.repeat(2000)],
  'X-Request-Id': ['abc', 'a b', 'a'.repeat(64), 'a'.repeat(65), '##', '../'],
  'X-Correlation': ['a#b#c'],
  'X-Forwarded-For': ['10.1.2.3', '10.1.2.3, 127.0.0.1', 'unknown', '::1', '1.2.3.4.5', ',', 'x'.repeat(3000)],
  Forwarded: ['for=10.1.2.3', 'for="[::1]";proto=https', ';;;'],
  'X-Forwarded-Proto': ['https', 'x'],
  'X-Forwarded-Host': ['evil.example'],
  Range: ['bytes=0-1', 'bytes=-1', 'x'],
  Cookie: ['a=b', 'refdesk_signin=x', 'refdesk_console=AAAA; refdesk_form=', ';;;=', 'a='.repeat(9000), '__proto__=1'],
  'User-Agent': ['', 'x'.repeat(5000), 'Zürich', '<b>'],
  Referer: ['https://evil.example/', 'x'],
  'Cache-Control': ['no-cache', 'max-age=x'],
  Prefer: ['return=minimal'],
  TE: ['trailers', 'gzip'],
  Connection: ['close', 'keep-alive', 'Authorization', 'x, y'],
}
const names = Object.keys(values)

/** A JWT that claims to be unsigned, one that is none, and so on. */
const authorizations: readonly string[] = [
  ...['', 'Bearer', 'Bearer ', 'Bearer x', 'bearer a.b.c', 'Basic', 'Basic x', 'Basic Og==', 'Digest a="b"', 'Token x'],
  `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"ada"}').toString('base64url')}.`,
  `Bearer ${Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url')}.e30.AAAA`,
  ...[`Bearer ${'a'.repeat(20_000)}`, 'Bearer a b', 'Bearer é', `Bearer ${'.'.repeat(5_000)}`],
  ...[
    `BEARER ${placeholder('token.cy')}`,
    `Bearer  ${placeholder('token.ada')}`,
    `Bearer ${placeholder('token.ada')}x`,
  ],
  ...[`Bearer ${placeholder('expired')}`, `Bearer ${placeholder('expired')}`, `Bearer ${placeholder('refresh.ada')}`],
  ...users.map((user) => `Bearer ${placeholder(`token.${user}`)}`),
  `Basic ${Buffer.from(`${demoApp.AppKey}:`).toString('base64')}`,
  `Basic ${Buffer.from(`${demoApp.AppKey}:wrong`).toString('base64')}`,
]

/** Changes, repeats, removes or adds headers. */
export function mutateHeaders(draft: Draft, random: Random): void {
  const { headers } = draft
  const kind = random.below(12)
  if (kind <= 1) setHeader(draft, 'Authorization', random.pick(authorizations))
  else if (kind === 2) headers.splice(random.below(headers.length + 1), 1)
  else if (kind === 3 && headers.length > 0) headers.push([...random.pick(headers)])
  else if (kind === 4) headers.push(['Authorization', random.pick(authorizations)])
  else if (kind === 5) headers.push([`X-${random.hex(4)}`, safeHeader(hostileText(random))])
  else if (kind === 6) for (let at = random.pick([20, 100, 900]); at > 0; at--) headers.push([`X-A${at}`, ''])
  else if (kind === 7) headers.push(['X-Large', 'a'.repeat(random.pick([8_000, 8_000, 60_000, 70_000]))])
  else {
    const name = random.pick(names)
    const value = random.chance(0.15) ? safeHeader(hostileText(random)) : random.pick(values[name] ?? [''])
    setHeader(draft, name, value)
  }
}

function setHeader(draft: Draft, name: string, value: string): void {
  draft.headers = draft.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase())
  draft.headers.push([name, value])
}

/** As bytes of UTF-8, each written as one character, without what would end the line. */
export function safeHeader(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const bytes = Buffer.from(text.toWellFormed()).filter((byte) => byte === 9 || (byte >= 32 && byte !== 127))
  return Buffer.from(bytes).toString('latin1')
}
