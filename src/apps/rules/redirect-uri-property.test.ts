import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { redirectTarget } from '../../auth/rules/authorization-request.ts'
import type { Flow } from '../../core/app.ts'
import { checkRedirectUri } from './redirect-uri.ts'

const valid = [
  'https://app.example',
  'https://app.example/cb?own=1',
  'https://sub.app.example:8443/a/b',
  'https://xn--bcher-kva.example/cb',
  'https://192.0.2.1/cb',
  'https://[2001:db8::1]/cb',
  'http://localhost:3000/cb',
  'http://127.0.0.1/cb',
  'http://[::1]:3000',
  'com.example.app:/cb',
  'com.example.app://cb/x?y=z',
  'example.my-app:cb',
]

/** Inputs that have fooled URL parsers. */
const tricks = [
  ...'/\\?#@:;,.%&=+*[](){}|^"\'<>`~!$ -_AüßéK',
  ...'\t\n\r\0\x7F\u{A0}\u{AD}\u{200B}\u{200D}\u{202E}\u{FEFF}\u{D800}\u{131}\u{212A}\u{430}\u{1F600}',
  ...'\u{3002}\u{FF0F}\u{2044}\u{FF20}\u{FF1A}',
  ...'// \\\\ /\\ ../ ./ .. :@ @: %00 %0d%0a %09 %20 %23 %25 %252e %2e %2E %2f %2F %3a %40 %5c %E9 %C3%BC %z'.split(
    ' ',
  ),
  ...':0 :80 :443 :8443 :65536 :00443 state=1 https: http: javascript: data: blob: file: ws: HTTPS://'.split(' '),
  ...'evil.example .evil.example @evil.example //evil.example xn-- xn--a localhost 127.1 0x7f.1 2130706433'.split(' '),
  ...'0177.0.0.1 1.2.3.256 [::ffff:127.0.0.1] [0:0:0:0:0:0:0:1] [fe80::1%25eth0]'.split(' '),
  'a'.repeat(64),
]

const trick = fc.constantFrom(...tricks)
const edit = fc.tuple(fc.nat(60), fc.nat(2), trick)

/** A valid address with random edits. */
const mutated = fc.tuple(fc.constantFrom(...valid), fc.array(edit, { maxLength: 3 })).map(([uri, edits]) =>
  edits.reduce((text, [at, length, put]) => {
    const position = at % (text.length + 1)
    return `${text.slice(0, position)}${put}${text.slice(position + length)}`
  }, uri),
)

const scheme = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('https', 'http', 'com.example.app', 'example.my-app') },
  fc.constantFrom('HTTPS', 'javascript', 'data', 'blob', 'file', 'ws', 'ms-x', 'c', 'localhost', 'my-app'),
  fc.stringMatching(/^[a-z][a-z0-9+.-]{0,8}$/),
)
const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.constantFrom('localhost', '127.0.0.1', '[::1]', 'xn--bcher-kva.example'),
  fc.stringMatching(/^xn--[a-z0-9-]{1,9}\.example$/),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const built = fc
  .tuple(
    scheme,
    fc.constantFrom(':', ':/', '://', '://', '://', ':///', ':\\\\'),
    fc.oneof({ weight: 8, arbitrary: fc.constant('') }, fc.constantFrom('@', 'name@', 'app.example:443@')),
    host,
    fc.oneof(
      fc.constant(''),
      fc.nat(70_000).map((port) => `:${port}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.webPath(),
      fc.array(trick, { maxLength: 3 }).map((parts) => `/${parts.join('')}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.webQueryParameters().map((query) => `?${query}`),
    ),
  )
  .map((parts) => parts.join(''))

const anything = fc.oneof(
  { weight: 4, arbitrary: mutated },
  { weight: 4, arbitrary: built },
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary' }),
  fc.array(trick, { maxLength: 6 }).map((parts) => `https://${parts.join('')}`),
)
const flow = fc.constantFrom<Flow>('Code', 'PKCE', 'Implicit')

const isSpecial = ({ protocol }: URL): boolean => /^(https?|wss?|ftp|file):$/.test(protocol)
const originOf = (url: URL): string => (isSpecial(url) ? url.origin : url.protocol)

/** A browser adds the slash of an empty path; both forms are equal. */
const withSlash = (uri: string): string => uri.replace(/^(https?:\/\/[^/?]+)(\?|$)/, '$1/$2')

test('an accepted URI leads to exactly the returned origin, also with the response parameters added', () => {
  const accepted = { 'https:': 0, 'http:': 0, private: 0 }
  const state = fc.string({ unit: 'grapheme' })
  const check = (uri: string, flow: Flow, state: string): void => {
    const checked = checkRedirectUri(uri, flow)
    if ('errors' in checked) {
      assert.ok(checked.errors.length > 0)
      for (const sentence of checked.errors) assert.match(sentence, /^[A-Z].*\.$/su)
      return
    }
    for (const warning of checked.warnings) assert.match(warning, /^[A-Z][ -~]*\.$/)
    const url = new URL(uri)
    assert.match(uri, /^[!-~]+$/)
    assert.equal(url.href, isSpecial(url) ? withSlash(uri) : uri)
    assert.equal(originOf(url), checked.origin)
    assert.deepEqual([url.username, url.password, url.hash], ['', '', ''])
    // What a person reads as the origin is the origin.
    if (isSpecial(url)) assert.equal(/^https?:\/\/[^/?]+/.exec(uri)?.[0], checked.origin)
    if (url.protocol === 'http:') assert.match(url.hostname, /^(localhost|127\.0\.0\.1|\[::1\])$/)
    if (!isSpecial(url)) assert.equal(flow, 'PKCE')
    if (!isSpecial(url)) assert.match(url.protocol, /^[a-z][a-z\d-]*(\.[a-z\d-]+)+:$/)

    const members = { code: 'c0de', state, iss: 'https://service.example' }
    const target = redirectTarget(uri, flow === 'Implicit', members)
    assert.match(target, /^[!-~]+$/)
    const landed = new URL(target)
    assert.equal(originOf(landed), checked.origin)
    assert.equal(landed.host, url.host)
    assert.equal(landed.pathname, url.pathname)
    const response = flow === 'Implicit' ? new URLSearchParams(landed.hash.slice(1)) : landed.searchParams
    assert.deepEqual(response.getAll('state').at(-1), state)
    accepted[url.protocol === 'https:' || url.protocol === 'http:' ? url.protocol : 'private']++
  }
  fc.assert(fc.property(anything, flow, state, check), { numRuns: 6_000 })
  for (const [kind, count] of Object.entries(accepted)) assert.ok(count > 50, `only ${count} of ${kind}`)
})
