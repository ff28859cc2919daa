import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetWithin } from './part-target.ts'

const group = { publicUrl: 'https://refdesk.example', basePath: '/sim/openapi', name: 'ref' }

test('accepts an absolute path or URL of the group', () => {
  const cases: [string, string][] = [
    ['/sim/openapi/ref/v1/instruments?Keywords=a%20b&$top=1', '/sim/openapi/ref/v1/instruments?Keywords=a%20b&$top=1'],
    ['https://refdesk.example/sim/openapi/ref/isalive', '/sim/openapi/ref/isalive'],
    ['HTTPS://REFDESK.example:443/SIM/openapi/Ref/isalive#x', '/SIM/openapi/Ref/isalive'],
    ['/sim/openapi/ref/a/../b', '/sim/openapi/ref/b'],
    ['/sim/openapi/ref/%zz', '/sim/openapi/ref/%zz'],
  ]
  for (const [target, url] of cases) assert.equal(targetWithin(target, group), url)
})

test('explains why any other address is rejected', () => {
  const elsewhere = [
    '/sim/openapi/ca/v2/events',
    '/sim/openapi/refs/v1',
    '/sim/openapi/ref',
    '/sim/openapi/ref/../ca/v2/events',
    '/sim/openapi/ref/%2e%2E/ca/v2/events',
    '/sim/openapi/ref/..\\ca/v2/events',
    '/openapi/ref/v1/instruments',
    '/token',
    '/',
    '*',
    'v1/instruments',
    'sim/openapi/ref/v1/instruments',
    '//evil.example/sim/openapi/ref/v1/instruments',
    '/\\evil.example/sim/openapi/ref/v1/instruments',
    'http://refdesk.example/sim/openapi/ref/v1/instruments',
    'https://refdesk.example:8443/sim/openapi/ref/v1/instruments',
    'https://refdesk.example@evil.example/sim/openapi/ref/v1/instruments',
    'https://[/sim/openapi/ref/v1',
    'javascript:/sim/openapi/ref/v1/instruments',
  ]
  for (const target of elsewhere)
    assert.throws(() => targetWithin(target, group), { code: 'InvalidRequest', message: /\S{3} .{10}/ }, target)
})

test('an address that is plain equals what a URL parser makes of it', () => {
  const characters = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at))
  const path = '/sim/openapi/ref/v1/instruments'
  const urlOf = (target: string) => {
    const { pathname, search } = new URL(target, group.publicUrl)
    return `${pathname}${search}`
  }
  for (const character of characters)
    for (const text of [
      `${path}${character}`,
      `${path}/a${character}b`,
      `${path}?a=${character}b`,
      `${path}?${character}`,
    ])
      assert.equal(targetWithin(text, group), urlOf(text), text)
  for (const text of [`${path}?`, `${path}/`, `${path}//a`, `${path}/./a`])
    assert.equal(targetWithin(text, group), urlOf(text))
})
