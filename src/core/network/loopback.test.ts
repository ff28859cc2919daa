import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackAddress, isLoopbackHost, parseLoopbackUrl } from './loopback.ts'

test('loopback addresses are 127.0.0.0/8 and ::1, IPv4 also mapped into IPv6', () => {
  for (const address of ['127.0.0.1', '127.255.1.2', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])
    assert.equal(isLoopbackAddress(address), true, address)
  for (const address of ['', '10.0.0.1', '::ffff:10.0.0.1', '::2', '1.127.0.0', '127.0.0.1.example', 'localhost'])
    assert.equal(isLoopbackAddress(address), false, address)
})

test('loopback hosts are localhost and loopback addresses, in any case, in brackets or not', () => {
  for (const host of ['localhost', 'LocalHost', '127.0.0.1', '[::1]', '::1', '[::ffff:127.0.0.1]'])
    assert.equal(isLoopbackHost(host), true, host)
  for (const host of [
    '',
    'localhost.example',
    'evil-localhost',
    '127.0.0.1.example',
    '[::2]',
    '0.0.0.0',
    'localhost:80',
  ])
    assert.equal(isLoopbackHost(host), false, host)
})

test('an http URL of this machine is split into its port and the URL without it', () => {
  assert.deepEqual(parseLoopbackUrl('http://localhost:7000/a?b'), { withoutPort: 'http://localhost/a?b', port: 7_000 })
  assert.deepEqual(parseLoopbackUrl('http://[::1]?b'), { withoutPort: 'http://[::1]?b', port: undefined })
  assert.deepEqual(parseLoopbackUrl('http://127.0.0.1'), { withoutPort: 'http://127.0.0.1', port: undefined })
  const others = ['https://localhost/', 'http://localhost.example/', 'http://127.0.0.2/', 'http://localhost/#a']
  for (const url of [...others, 'http://localhost:0/', 'http://localhost:07/', 'http://localhost:65536/'])
    assert.equal(parseLoopbackUrl(url), undefined, url)
})
