import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForwarded } from './forwarded.ts'

const ofProxies =
  'Forwarded Via X-Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Server X-Real-IP X-Client-IP Client-IP True-Client-IP CF-Connecting-IP CF-Connecting-IPv6 CF-Ray CDN-Loop Fastly-Client-IP Fly-Client-IP X-Cluster-Client-IP X-Original-Forwarded-For X-Vercel-Forwarded-For X-AppEngine-User-IP X-Azure-ClientIP X-Envoy-External-Address X-Originating-IP X-Remote-IP X-Remote-Addr'
const ofCallers =
  'Host User-Agent Accept Accept-Encoding Accept-Language Authorization Connection Content-Length Content-Type Cookie Origin Referer If-None-Match X-Request-Id X-HTTP-Method-Override Sec-Fetch-Mode'

test('a request with any header that proxies add is forwarded', () => {
  for (const name of ofProxies.toLowerCase().split(' '))
    assert.equal(isForwarded({ host: 'localhost', [name]: 'x' }), true, name)
})

test('a request with the headers of callers only is not', () => {
  const headers = Object.fromEntries(
    ofCallers
      .toLowerCase()
      .split(' ')
      .map((name) => [name, 'x']),
  )
  assert.equal(isForwarded(headers), false)
  assert.equal(isForwarded({}), false)
})
