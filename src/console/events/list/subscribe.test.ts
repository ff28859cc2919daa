import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateHost } from './subscribe.ts'

test('hosts of this machine and of private networks are private, all others public', () => {
  const inside = ['localhost', 'desk', 'desk.local', 'a.localhost', 'x.internal', '127.0.0.1', '10.1.2.3', '0.0.0.0']
  const more = [
    '172.16.0.1',
    '172.31.9.9',
    '192.168.1.2',
    '169.254.0.1',
    '100.64.0.1',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
  ]
  for (const host of [...inside, ...more]) assert.ok(isPrivateHost(host), host)
  const outside = [
    'refdesk.example',
    '8.8.8.8',
    '172.32.0.1',
    '172.15.0.1',
    '192.169.0.1',
    '169.1.0.1',
    '100.63.0.1',
    '100.128.0.1',
  ]
  for (const host of [...outside, '[2001:db8::1]', 'localhost.example']) assert.ok(!isPrivateHost(host), host)
})
