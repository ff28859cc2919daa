import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showLocation, showTarget, type TargetFacts } from './target.ts'

const hex = '0123456789abcdef0123456789abcdef'
const facts: TargetFacts = {
  route: '/ref/v1/instruments',
  isSecret: false,
  ofRoute: new Set(['keywords', '$top', 'appkey', 'state', 'redirect_uri', 'request']),
  parameters: new Set(['keywords', '$top']),
  members: new Set(),
  words: new Set(['ref', 'v1', 'instruments']),
}
const unknown: TargetFacts = { ...facts, route: undefined, ofRoute: new Set() }

test('shows the path of a known route, and the values of its documented parameters', () => {
  const target = `/ref/v1/instruments?Keywords=apple%20inc&$top=5&AppKey=${hex}&`
  assert.equal(showTarget(target, facts), target)
  assert.equal(showTarget('/ref/v1/instruments', facts), '/ref/v1/instruments')
})

test('hides values of unknown parameters, and what looks like a token in the others', () => {
  const shown = showTarget(
    `/ref/v1/instruments?Keyword=apple&x=1&${hex}&%zz=1&Keywords=${hex}&state=abc&Keywords`,
    facts,
  )
  const r = '[redacted]'
  assert.equal(
    shown,
    `/ref/v1/instruments?Keyword=${r}&${r}=${r}&${r}=${r}&${r}=${r}&Keywords=${r}&state=${r}&Keywords=`,
  )
})

test('hides a token in the place of a parameter of the path', () => {
  const route = '/apps/:AppKey/files/*'
  const shown = (path: string) => showTarget(path, { ...facts, route })
  assert.equal(shown(`/apps/${hex}/files/a/b`), `/apps/${hex}/files/a/b`)
  assert.equal(
    shown(`/apps/eyJhbGciOiJFUzI1NiJ9.eyJzdWIi.c2ln/files/${hex}/${hex}`),
    '/apps/[redacted]/files/[redacted]/[redacted]',
  )
})

test('shows of an address in a parameter only what is documented, and names as they were sent', () => {
  const inner = (query: string) => `/a?Request=${encodeURIComponent(`/ref/v1/instruments?${query}`)}`
  assert.equal(showTarget(inner('Keywords=a&$top=1'), facts), inner('Keywords=a&$top=1'))
  const hiddenInside = inner('Keywords=a&').concat('[redacted]%3D[redacted]')
  assert.equal(showTarget(inner('Keywords=a&password=b'), facts), hiddenInside)
  assert.equal(showTarget('/a?Key%00words=a', facts), '/a?Key%00words=[redacted]')
})

test('shows of the address of an app only what it registers', () => {
  for (const query of ['?code=1', '#x', '%3Fcode=1', '%23x'])
    assert.equal(
      decodeURIComponent(showTarget(`/a?redirect_uri=http://localhost/cb${query}`, facts)),
      '/a?redirect_uri=http://localhost/cb',
    )
})

test('compares at most five unknown names of an address with known ones, however many it has', () => {
  let compared = 0
  class Counted extends Set<string> {
    override values(): SetIterator<string> {
      compared += 1
      return super.values()
    }
  }
  const [words, ofRoute] = [new Counted(facts.words), new Counted(facts.ofRoute)]
  const query = Array.from({ length: 190 }, (_, at) => `Xeyword${at}=x`).join('&')
  for (const [route, target] of [
    ['/a', `/a?${query}`],
    [undefined, `/${'instrumentz/'.repeat(150)}?${query}`],
  ] as const) {
    compared = 0
    const shown = showTarget(target, { ...facts, route, words, ofRoute })
    assert.equal(compared, 5)
    assert.ok(shown.length <= 2_049, `${shown.length} characters`)
  }
})

test('shows of parameters of OAuth only harmless values', () => {
  const ofRoute = new Set(['response_type', 'client_id', 'prompt', 'redirect_uri', 'code_challenge'])
  const authorize = { ...facts, route: '/authorize', ofRoute, app: hex }
  const fine = `/authorize?response_type=code&client_id=${hex}&prompt=none&redirect_uri=http://localhost:5000/cb`
  assert.equal(showTarget(fine, authorize), fine)
  const wrong = `/authorize?response_type=a&client_id=${'a'.repeat(32)}&prompt=b&redirect_uri=c&code_challenge=d`
  assert.equal(showTarget(wrong, authorize), wrong.replaceAll(/=[^&]*/g, '=[redacted]'))
})

test('hides a value that cannot be decoded', () => {
  assert.equal(showTarget('/a?Keywords=%zz', facts), '/a?Keywords=[redacted]')
})

test('shows of an unknown path only known words, their typos and small numbers', () => {
  assert.equal(showTarget('/ref/v1/instrumens/7', unknown), '/ref/v1/instrumens/7')
  assert.equal(showTarget(`/ref/hunter2/${hex}?a=b`, unknown), '/ref/[redacted]/[redacted]?[redacted]=[redacted]')
})

test('hides a path that is a secret', () => {
  const route = '/calendar/:File'
  assert.equal(showTarget(`/calendar/${hex}.ics`, { ...facts, route, isSecret: true }), '/calendar/[redacted]')
})

test('cuts long addresses', () => {
  assert.equal(showTarget(`/${'ab/'.repeat(3_000)}`, facts), `/${'ab/'.repeat(682)}…`)
  assert.equal(showTarget(`/a?$top=1&Keywords=${'x'.repeat(3_000)}`, facts), '/a?$top=1&…')
})

test('shows of a redirect its address, its error and the names of everything else', () => {
  assert.equal(showLocation('/login'), '/login')
  assert.equal(
    showLocation('http://localhost/cb?code=abc&state=x'),
    'http://localhost/cb?code=[redacted]&state=[redacted]',
  )
  assert.equal(
    showLocation('http://localhost/cb#error=access_denied&error_description=No&state=x'),
    'http://localhost/cb#error=access_denied&error_description=No&state=[redacted]',
  )
})
