import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flow } from '../../core/app.ts'
import { checkRedirectUri } from './redirect-uri.ts'

const flows: Flow[] = ['Code', 'PKCE', 'Implicit']

/** Accepted for every flow, and the origin it leads to. */
const accepted: [uri: string, origin: string][] = [
  ['https://app.example', 'https://app.example'],
  ['https://app.example?own=1', 'https://app.example'],
  ['https://app.example/', 'https://app.example'],
  ['https://app.example/cb?x=1&y=a%20b', 'https://app.example'],
  ['https://app.example:8443/a/b.c/~d;e=f@g', 'https://app.example:8443'],
  ['https://my_app.sub.app.example/.well-known/cb', 'https://my_app.sub.app.example'],
  [`https://${'a'.repeat(63)}.example/`, `https://${'a'.repeat(63)}.example`],
  ['https://app.example/caf%C3%A9', 'https://app.example'],
  ['http://localhost:3000/cb', 'http://localhost:3000'],
  ['http://127.0.0.1:65535', 'http://127.0.0.1:65535'],
  ['http://[::1]:1024/cb', 'http://[::1]:1024'],
]

test('accepts https, and http to a port of this machine, without warnings', () => {
  for (const [uri, origin] of accepted)
    for (const flow of flows) assert.deepEqual(checkRedirectUri(uri, flow), { origin, warnings: [] }, `${flow} ${uri}`)
})

const withoutPort: [uri: string, origin: string][] = [
  ['http://localhost', 'http://localhost'],
  ['http://localhost/cb', 'http://localhost'],
  ['http://127.0.0.1', 'http://127.0.0.1'],
  ['http://[::1]?x=1', 'http://[::1]'],
]

test('accepts a loopback address without a port; except for PKCE apps, with a hint that port 80 needs rights', () => {
  const hint = 'Its port is 80, where a program needs administrator rights on most systems.'
  for (const [uri, origin] of withoutPort) {
    assert.deepEqual(checkRedirectUri(uri, 'PKCE'), { origin, warnings: [] }, uri)
    for (const flow of ['Code', 'Implicit'] as const)
      assert.deepEqual(checkRedirectUri(uri, flow), { origin, warnings: [hint] }, `${flow} ${uri}`)
  }
})

test('only PKCE apps may register a private-use scheme', () => {
  for (const uri of ['com.example.app:/cb', 'com.example.app://Host:80/cb', 'com.example.app:cb?x=1']) {
    assert.deepEqual(checkRedirectUri(uri, 'PKCE'), { origin: 'com.example.app:', warnings: [] }, uri)
    for (const flow of ['Code', 'Implicit'] as const)
      assert.deepEqual(checkRedirectUri(uri, flow), {
        errors: ['Has the scheme com.example.app. Use https; only a PKCE app may have a private-use scheme.'],
      })
  }
})

const absolute = 'Must be an absolute address, such as https://app.example/callback.'
const noHost = 'Has an invalid host. Write a name such as app.example, or an address such as [::1], without a zone.'
const noName =
  'Has an invalid host name: each label has 1 to 63 letters, digits and inner hyphens, the name at most 253 characters.'
const noPort = 'Has a port that is not a number from 1 to 65535.'
const otherMachine = 'Uses http to another machine. Use https; http is for localhost, 127.0.0.1 and [::1] only.'
const fragment = 'Has a fragment (#), which a redirect URI must not have (RFC 6749 section 3.1.2).'
const userInfo = 'Has user info (name@), which disguises the host.'
const wildcard = 'Has a wildcard (*). Addresses are compared exactly; register each one.'
const upperScheme = 'Has upper-case letters in its scheme. Write it in lower case.'
const dots = 'Has . or .. in its path. Write the resolved path.'
const trailingDot = 'Has a host that ends with a dot. Remove the dot.'
const backslash = 'Contains a backslash, which a browser reads as a slash.'
const percentHost = 'Has a percent-encoded host. Write it without encoding.'
const undecodable = 'Has an internationalized host name (xn--) that cannot be decoded.'
const badPercent = 'Contains a percent sign that encodes no UTF-8 text. Write %25 for a percent sign.'
const noScheme = 'Has no scheme. Add https://, or http:// for this machine.'
const invisible = (code: string) => `Contains a space, a line break or another invisible character (${code}).`
const encoded = (code: string) => `Contains an encoded control or other invisible character (${code}).`
const needless = (text: string, is: string) => `Contains ${text}, which needs no encoding. Write ${is}.`
const reserved = (text: string, as: string) => `Contains ${text}, which must be written as ${as}.`
const readsAs = (href: string) => `A browser reads it as ${href}. Register that form if it is what you mean.`
const taken = (scheme: string) =>
  `Has the scheme ${scheme}, which is not yours alone. Use https, or your domain reversed, such as com.example.app (RFC 8252 section 7.1).`
const unicode = (href: string, more = '') =>
  `Contains non-ASCII characters. Write it as a browser does: ${href}.${more}`

/** What no app may register, with every reason. Checked for PKCE, the most permissive flow. */
const rejected: [uri: string, ...sentences: string[]][] = [
  // Not absolute
  ['', absolute],
  ['/callback', absolute],
  ['//app.example/cb', absolute],
  ['app.example/cb', absolute],
  ['1https://app.example/', absolute],
  ['localhost:3000/cb', noScheme],
  ['app.example:8443', noScheme],
  [`https://app.example/${'a'.repeat(1981)}`, 'Is longer than 2000 characters.'],
  // Characters
  [' https://app.example/', invisible('U+0020')],
  ['https://app.example/\n', invisible('U+000A')],
  ['ht\ttps://app.example/', invisible('U+0009')],
  ['https://app.example\0.evil.example/', invisible('U+0000')],
  ['https://app\u{200B}.example/', invisible('U+200B')],
  ['https://app.example/\u{202E}gpj', invisible('U+202E')],
  ['https://app.example/\u{FE0F}', invisible('U+FE0F')],
  ['https://app.example/\u{A0}', invisible('U+00A0')],
  ['https://app.example/\u{E0041}', invisible('U+E0041')],
  ['https://app.example/\u{D800}', invisible('U+D800')],
  ['https://app.example/{tenant}', reserved('{', '%7B')],
  ['https://app.example/a|b', reserved('|', '%7C')],
  ['https://app.example\\@evil.example/', backslash],
  ['https:\\\\app.example/', backslash],
  ["https://app.example/?a='b'", readsAs('https://app.example/?a=%27b%27')],
  // Percent-encoding
  ['https://app.example/100%', badPercent],
  ['https://app.example/%zz', badPercent],
  ['https://app.example/%E9', badPercent],
  ['https://app.example/%C0%AE', badPercent],
  ['https://app.example/%0d%0aSet-Cookie:a=b', encoded('U+000D')],
  ['https://app.example/?a=%00', encoded('U+0000')],
  ['https://app.example/%E2%80%AEgpj', encoded('U+202E')],
  ['https://app.example/%63b', needless('%63', 'c')],
  ['https://app.example/a/%2E%2e/b', needless('%2E', '.')],
  ['https://%61pp.example/', needless('%61', 'a')],
  ['https://b%C3%BCcher.example/', percentHost],
  ['https://app.example%2Fevil.example/', noHost],
  // Parts
  ['https://app.example/#', fragment],
  ['https://app.example/cb#x', fragment],
  ['com.example.app:/cb#x', fragment],
  ['https://name@app.example/', userInfo],
  ['https://:word@app.example/', userInfo],
  ['https://@app.example/', userInfo],
  ['https://App.Example@evil.example/', userInfo],
  ['com.example.app://name@cb', userInfo],
  ['https://*.app.example/', wildcard],
  ['https://*..app.example/', wildcard, noName],
  ['https://app.example/*', wildcard],
  ['https://*@app.example/#*', fragment, userInfo, wildcard],
  ['https://app.example/a/../b', dots],
  ['https://app.example/.', dots],
  ['com.example.app:/.//evil.example', dots],
  ['com.example.app:..', dots],
  ['HTTPS://app.example/', upperScheme],
  ['com.example.App:/cb', upperScheme],
  ['https:app.example/cb', readsAs('https://app.example/cb')],
  ['https:/app.example/cb', readsAs('https://app.example/cb')],
  ['https:///app.example/cb', readsAs('https://app.example/cb')],
  // Hosts
  ['https://', noHost],
  ['https://App.Example/cb', 'Has upper-case letters in its host. Write app.example.'],
  ['https://app.example./', trailingDot],
  ['https://localhost.', trailingDot],
  ['http://localhost.:3000/', trailingDot],
  ['https://app..example/', noName],
  ['https://-app.example/', noName],
  ['https://app-.example/', noName],
  ['https://app.example,evil.example/', noName],
  [`https://${'a'.repeat(64)}.example/`, noName],
  [`https://${'a.'.repeat(124)}example/`, noName],
  ['https://xn--a.example/', undecodable],
  ['https://xn---ohv0o.example/', undecodable],
  ['https://app.1/', noHost],
  ['https://1.2.3.256/', noHost],
  ['https://[::1/', noHost],
  ['http://[fe80::1%25eth0]:3000/', noHost],
  // This machine, and what only looks like it
  ['http://app.example/cb', otherMachine],
  ['http://localhost.evil.example/', otherMachine],
  ['http://127.0.0.1.evil.example/', otherMachine],
  ['http://app.localhost:3000/', otherMachine],
  ['http://127.0.0.2:3000/', otherMachine],
  ['http://0.0.0.0:3000/', otherMachine],
  ['http://[::ffff:127.0.0.1]:3000/', otherMachine],
  ['http://localhost@evil.example/', userInfo, otherMachine],
  ['http://LOCALHOST:3000/', 'Has upper-case letters in its host. Write localhost:3000.'],
  ['http://127.1:3000/', readsAs('http://127.0.0.1:3000/')],
  ['http://2130706433:3000/', readsAs('http://127.0.0.1:3000/')],
  ['http://0x7f.0.0.1:3000/', readsAs('http://127.0.0.1:3000/')],
  ['http://0177.0.0.1:3000/', readsAs('http://127.0.0.1:3000/')],
  ['http://[0:0:0:0:0:0:0:1]:3000/', readsAs('http://[::1]:3000/')],
  // Ports
  ['https://app.example:443/', readsAs('https://app.example/')],
  ['https://app.example:/', readsAs('https://app.example/')],
  ['https://app.example:08443/', readsAs('https://app.example:8443/')],
  ['http://localhost:80/cb', readsAs('http://localhost/cb')],
  ['https://app.example:0/', 'Has port 0, where nothing can listen.'],
  ['https://app.example:65536/', noPort],
  ['https://app.example:https/', noPort],
  ['https://app.1:65535/', noHost],
  // Schemes
  ['javascript:alert(1)', taken('javascript')],
  ['javascript://app.example/?%0aalert(1)', encoded('U+000A')],
  ['JavaScript:alert(1)', upperScheme, taken('javascript')],
  ['java\nscript:alert(1)', invisible('U+000A')],
  ['data:text/html,x', taken('data')],
  ['blob:https://app.example/', taken('blob')],
  ['view-source:https://app.example/', taken('view-source')],
  ['file:///etc/passwd', taken('file')],
  ['intent://app.example/', taken('intent')],
  ['ms-msdt:/id', taken('ms-msdt')],
  ['wss://app.example/', taken('wss')],
  ['c:/callback', taken('c')],
  ['myapp://cb', taken('myapp')],
  ['microsoft-edge:https://evil.example/', taken('microsoft-edge')],
  ['googlechrome://evil.example', taken('googlechrome')],
  ['chrome://settings', taken('chrome')],
  ['edge://settings', taken('edge')],
  ['brave://settings', taken('brave')],
  ['devtools://devtools', taken('devtools')],
  ['itms-services://evil.example', taken('itms-services')],
  ['android-app://com.example.app', taken('android-app')],
  ['feed:https://evil.example/', taken('feed')],
  ['callto:+4512345678', taken('callto')],
  ['http+unix:/cb', taken('http+unix')],
  ['web+com.example.app:/cb', taken('web+com.example.app')],
  ['com.:/cb', taken('com.')],
  ['com..app:/cb', taken('com..app')],
  [`com.${'a'.repeat(64)}:/cb`, taken(`com.${'a'.repeat(64)}`)],
  ['soap.beep://evil.example/', taken('soap.beep')],
  ['z39.50r://evil.example/', taken('z39.50r')],
  ['x-apple.systempreferences:com.apple.preference', taken('x-apple.systempreferences')],
  // Other scripts
  [
    'https://bücher.example/ü',
    unicode('https://xn--bcher-kva.example/%C3%BC', ' The host bücher.example becomes xn--bcher-kva.example.'),
  ],
  ['https://app.example/café', unicode('https://app.example/caf%C3%A9')],
  ['https://ａｐｐ。example/', unicode('https://app.example/')],
  [
    'https://app.example\u{2044}evil.example/',
    unicode(
      'https://app.xn--exampleevil-lx3f.example/',
      ' The host app.example\u{2044}evil.example becomes app.xn--exampleevil-lx3f.example.',
    ),
  ],
  ['http://ｌocalhost:3000/#', unicode('http://localhost:3000/#'), fragment],
  ['ünique:/cb', 'Contains non-ASCII characters.'],
]

for (const [uri, ...sentences] of rejected)
  test(`${JSON.stringify(uri.slice(0, 80))} is rejected: ${sentences[0]}`, () => {
    assert.deepEqual(checkRedirectUri(uri, 'PKCE'), { errors: sentences })
    for (const flow of ['Code', 'Implicit'] as const) assert.ok('errors' in checkRedirectUri(uri, flow), flow)
  })

test('port 80 is registered without its number, as a browser writes it', () => {
  for (const flow of flows)
    assert.deepEqual(checkRedirectUri('http://localhost:80/cb', flow), {
      errors: ['A browser reads it as http://localhost/cb. Register that form if it is what you mean.'],
    })
})
