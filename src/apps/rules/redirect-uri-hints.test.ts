import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRedirectUri } from './redirect-uri.ts'

const rare = 'Its host is an IP address or localhost, for which certificates are rare.'
const ownNetwork = 'Its host has no dot, so it resolves only in your own network.'
const slashes = 'Its path has an encoded slash or backslash, which some servers treat as a slash.'
const punctuation = 'Ends with a punctuation mark, which may be accidental.'

/** Accepted, but probably a mistake. */
const suspicious: [uri: string, ...warnings: string[]][] = [
  ['https://app.example/?code=1&State=2', 'Its query has code, which the response adds again.'],
  ['https://app.example/?st%C3%A4te&iss&state=', 'Its query has state and iss, which the response adds again.'],
  ['https://app.example//cb', 'Its path has two slashes in a row.'],
  ['https://app.example/..%2Fcb', slashes],
  ['https://app.example/a%5cb?c=%2F', slashes],
  ['https://app.example/?to=a%252Fb', 'Contains %252F, which looks like double encoding.'],
  ['https://app.example/cb.', punctuation],
  ['https://app.example/cb?a=(b)', punctuation],
  ['https://localhost/cb', rare],
  ['https://192.0.2.1/cb', rare],
  ['https://[2001:db8::1]:8443/cb', rare],
  ['https://intranet/cb', ownNetwork],
  ['https://app.example:6000/cb', 'Browsers block port 6000.'],
  ['http://localhost:10080/cb', 'Browsers block port 10080.'],
  ['com.example.app:/cb//x', 'Its path has two slashes in a row.'],
]

test('accepts a probable mistake with a warning', () => {
  for (const [uri, ...warnings] of suspicious) {
    const checked = checkRedirectUri(uri, 'PKCE')
    assert.deepEqual('warnings' in checked ? checked.warnings : checked, warnings, uri)
  }
})

test('an implicit response is in the fragment, so it repeats nothing of the query', () => {
  const checked = checkRedirectUri('https://app.example/?code=1', 'Implicit')
  assert.deepEqual(checked, { origin: 'https://app.example', warnings: [] })
})

test('returns an internationalized name in both forms and points out lookalike letters', () => {
  assert.deepEqual(checkRedirectUri('https://xn--bcher-kva.example:8443/', 'Code'), {
    origin: 'https://xn--bcher-kva.example:8443',
    unicodeOrigin: 'https://bücher.example:8443',
    warnings: ['Its host is displayed as b\\u{fc}cher.example.'],
  })
  assert.deepEqual(checkRedirectUri('https://xn--pple-43d.example/', 'Code'), {
    origin: 'https://xn--pple-43d.example',
    unicodeOrigin: 'https://\u{430}pple.example',
    warnings: [
      'Its host is displayed as \\u{430}pple.example.',
      'Its host mixes Latin and Cyrillic letters, as lookalike names do.',
    ],
  })
})

test('warnings are ASCII, because they are sent in a header', () => {
  for (const uri of [...suspicious.map(([uri]) => uri), 'https://xn--pple-43d.example/']) {
    const checked = checkRedirectUri(uri, 'PKCE')
    for (const warning of 'warnings' in checked ? checked.warnings : []) assert.match(warning, /^[A-Z][ -~]*\.$/)
  }
})
