import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flow } from '../../core/app.ts'
import { checkRedirectUri } from './redirect-uri.ts'

const flows: Flow[] = ['Code', 'PKCE', 'Implicit']

/** What is fine for every flow, and the origin that it leads to. */
const fine: [uri: string, origin: string][] = [
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

test('https to a name, and http to a port of this machine, are fine without a warning', () => {
  for (const [uri, origin] of fine)
    for (const flow of flows) assert.deepEqual(checkRedirectUri(uri, flow), { origin, warnings: [] }, `${flow} ${uri}`)
})

const finePkce: [uri: string, origin: string][] = [
  ['http://localhost/cb', 'http://localhost'],
  ['http://127.0.0.1', 'http://127.0.0.1'],
  ['http://[::1]?x=1', 'http://[::1]'],
  ['com.example.app:/cb', 'com.example.app:'],
  ['com.example.app://Host:80/cb', 'com.example.app:'],
  ['com.example.app:cb?x=1', 'com.example.app:'],
]

test('a loopback address without a port and a scheme of its own are for PKCE apps only', () => {
  for (const [uri, origin] of finePkce) {
    assert.deepEqual(checkRedirectUri(uri, 'PKCE'), { origin, warnings: [] }, uri)
    for (const flow of ['Code', 'Implicit'] as const) {
      const judged = checkRedirectUri(uri, flow)
      assert.ok('refused' in judged && judged.refused.length === 1, `${flow} ${uri}`)
      assert.match(
        judged.refused[0] ?? '',
        /^Has (no port|the scheme com\.example\.app\. Use https; only).* PKCE app may /,
      )
    }
  }
})

const absolute = 'Must be an absolute address, such as https://app.example/callback.'
const noHost =
  'Has a host that no browser can read. Write a name like app.example, or an address like [::1], without a zone.'
const noName =
  'Has a host that cannot exist: between dots are 1 to 63 letters, digits and inner hyphens, and 253 characters in all.'
const noPort = 'Has a port that is not a number from 1 to 65535.'
const otherMachine = 'Is http to another machine. Use https; http is for localhost, 127.0.0.1 and [::1].'
const fragment = 'Has a fragment (#), which only the answer of the service may have (RFC 6749 section 3.1.2).'
const userInfo = 'Has user info (name@), which hides where it leads.'
const wildcard = 'Has a wildcard (*). Addresses are compared as they are; register each one.'
const upperScheme = 'Has upper-case letters in its scheme. Write it in lower case.'
const dots = 'Has . or .. in its path. Write where it leads.'
const trailingDot = 'Has a host that ends with a dot. Leave the dot out.'
const backslash = 'Has a backslash, which a browser reads as a slash.'
const percentHost = 'Has a percent-encoded host. Write it in plain letters.'
const noNumber = 'Has an international host name (xn--) that stands for nothing.'
const noText = 'Has a percent sign that encodes no text. Write %25 for the sign itself.'
const noScheme = 'Has no scheme. Write https:// before it, or http:// for this machine.'
const unseen = (code: string) => `Contains a space, a line break or another character that does not show (${code}).`
const encoded = (code: string) => `Contains an encoded control or other character that does not show (${code}).`
const disguised = (text: string, is: string) => `Contains ${text}, which is ${is} in disguise. Write it plainly.`
const odd = (text: string, as: string) => `Contains ${text}, which an address writes as ${as}.`
const readsAs = (href: string) => `A browser reads it as ${href}. Register that, if it is what you mean.`
const taken = (scheme: string) =>
  `Has the scheme ${scheme}, which is not yours alone. Use https, or a domain of yours in reverse, like com.example.app (RFC 8252 section 7.1).`
const unicode = (href: string, more = '') =>
  `Contains characters other than ASCII. Write it as a browser does: ${href}.${more}`

/** What no app may register, and every sentence that says why. PKCE apps may have most, so they are asked. */
const refused: [uri: string, ...sentences: string[]][] = [
  // Not an address
  ['', absolute],
  ['/callback', absolute],
  ['//app.example/cb', absolute],
  ['app.example/cb', absolute],
  ['1https://app.example/', absolute],
  ['localhost:3000/cb', noScheme],
  ['app.example:8443', noScheme],
  [`https://app.example/${'a'.repeat(1981)}`, 'Is longer than 2000 characters.'],
  // Characters
  [' https://app.example/', unseen('U+0020')],
  ['https://app.example/\n', unseen('U+000A')],
  ['ht\ttps://app.example/', unseen('U+0009')],
  ['https://app.example\0.evil.example/', unseen('U+0000')],
  ['https://app\u{200B}.example/', unseen('U+200B')],
  ['https://app.example/\u{202E}gpj', unseen('U+202E')],
  ['https://app.example/\u{FE0F}', unseen('U+FE0F')],
  ['https://app.example/\u{A0}', unseen('U+00A0')],
  ['https://app.example/\u{E0041}', unseen('U+E0041')],
  ['https://app.example/\u{D800}', unseen('U+D800')],
  ['https://app.example/{tenant}', odd('{', '%7B')],
  ['https://app.example/a|b', odd('|', '%7C')],
  ['https://app.example\\@evil.example/', backslash],
  ['https:\\\\app.example/', backslash],
  ["https://app.example/?a='b'", readsAs('https://app.example/?a=%27b%27')],
  // Percent-encoding
  ['https://app.example/100%', noText],
  ['https://app.example/%zz', noText],
  ['https://app.example/%E9', noText],
  ['https://app.example/%C0%AE', noText],
  ['https://app.example/%0d%0aSet-Cookie:a=b', encoded('U+000D')],
  ['https://app.example/?a=%00', encoded('U+0000')],
  ['https://app.example/%E2%80%AEgpj', encoded('U+202E')],
  ['https://app.example/%63b', disguised('%63', 'c')],
  ['https://app.example/a/%2E%2e/b', disguised('%2E', '.')],
  ['https://%61pp.example/', disguised('%61', 'a')],
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
  ['https://xn--a.example/', noNumber],
  ['https://xn---ohv0o.example/', noNumber],
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
  ['java\nscript:alert(1)', unseen('U+000A')],
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
    unicode('https://xn--bcher-kva.example/%C3%BC', ' Its host bücher.example is xn--bcher-kva.example there.'),
  ],
  ['https://app.example/café', unicode('https://app.example/caf%C3%A9')],
  ['https://ａｐｐ。example/', unicode('https://app.example/')],
  [
    'https://app.example\u{2044}evil.example/',
    unicode(
      'https://app.xn--exampleevil-lx3f.example/',
      ' Its host app.example\u{2044}evil.example is app.xn--exampleevil-lx3f.example there.',
    ),
  ],
  ['http://ｌocalhost:3000/#', unicode('http://localhost:3000/#'), fragment],
  ['ünique:/cb', 'Contains characters other than ASCII.'],
]

for (const [uri, ...sentences] of refused)
  test(`${JSON.stringify(uri.slice(0, 80))} is refused: ${sentences[0]}`, () => {
    assert.deepEqual(checkRedirectUri(uri, 'PKCE'), { refused: sentences })
    for (const flow of ['Code', 'Implicit'] as const) assert.ok('refused' in checkRedirectUri(uri, flow), flow)
  })

test('an address without a port is told so, also where it is the 80 that a browser leaves out', () => {
  const sentence =
    'Has no port (a browser leaves 80 out). Only a PKCE app may leave it open; name one, as in http://localhost:3000/.'
  for (const uri of ['http://localhost:80/cb', 'http://127.0.0.1/'])
    assert.deepEqual(checkRedirectUri(uri, 'Code'), { refused: [sentence] }, uri)
})

const rare = 'Its host is an address or this machine, for which certificates are rare.'
const ownNetwork = 'Its host has no dot, so it is known only in your own network.'
const slashes = 'Its path has an encoded slash or backslash, which some servers take for a slash.'
const punctuation = 'Ends with a punctuation mark, which may not belong to it.'

/** What is fine but likely a mistake. */
const doubtful: [uri: string, ...warnings: string[]][] = [
  ['https://app.example/?code=1&State=2', 'Its query has code, which the answer adds once more.'],
  ['https://app.example/?st%C3%A4te&iss&state=', 'Its query has state and iss, which the answer adds once more.'],
  ['https://app.example//cb', 'Its path has two slashes in a row.'],
  ['https://app.example/..%2Fcb', slashes],
  ['https://app.example/a%5cb?c=%2F', slashes],
  ['https://app.example/?to=a%252Fb', 'Contains %252F, which looks encoded twice.'],
  ['https://app.example/cb.', punctuation],
  ['https://app.example/cb?a=(b)', punctuation],
  ['https://localhost/cb', rare],
  ['https://192.0.2.1/cb', rare],
  ['https://[2001:db8::1]:8443/cb', rare],
  ['https://intranet/cb', ownNetwork],
  ['https://app.example:6000/cb', 'Browsers do not open port 6000.'],
  ['http://localhost:10080/cb', 'Browsers do not open port 10080.'],
  ['com.example.app:/cb//x', 'Its path has two slashes in a row.'],
]

test('what is legal but likely a mistake is accepted with a warning', () => {
  for (const [uri, ...warnings] of doubtful) {
    const judged = checkRedirectUri(uri, 'PKCE')
    assert.deepEqual('warnings' in judged ? judged.warnings : judged, warnings, uri)
  }
})

test('an implicit answer comes in the fragment, so it doubles nothing of the query', () => {
  const judged = checkRedirectUri('https://app.example/?code=1', 'Implicit')
  assert.deepEqual(judged, { origin: 'https://app.example', warnings: [] })
})

test('an international name is told in both forms, and letters of scripts that look alike are pointed out', () => {
  assert.deepEqual(checkRedirectUri('https://xn--bcher-kva.example:8443/', 'Code'), {
    origin: 'https://xn--bcher-kva.example:8443',
    readAs: 'https://bücher.example:8443',
    warnings: ['Its host is read as b\\u{fc}cher.example.'],
  })
  assert.deepEqual(checkRedirectUri('https://xn--pple-43d.example/', 'Code'), {
    origin: 'https://xn--pple-43d.example',
    readAs: 'https://\u{430}pple.example',
    warnings: [
      'Its host is read as \\u{430}pple.example.',
      'Its host mixes Latin and Cyrillic letters, as imitations of other names do.',
    ],
  })
})

test('warnings travel in a header, so they are plain ASCII', () => {
  for (const uri of [...doubtful.map(([uri]) => uri), 'https://xn--pple-43d.example/']) {
    const judged = checkRedirectUri(uri, 'PKCE')
    for (const warning of 'warnings' in judged ? judged.warnings : []) assert.match(warning, /^[A-Z][ -~]*\.$/)
  }
})
