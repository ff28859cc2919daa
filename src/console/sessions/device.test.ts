import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './device.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test('names browsers and programs by their user agent', () => {
  for (const [userAgent, words] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0 Safari/537.36 OPR/120.0`, 'Opera on Linux'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      `Mozilla/5.0 (Linux; Android 16; SM-S901) ${webkit} SamsungBrowser/28 Chrome/130 Safari/5`,
      'Samsung Internet on Android',
    ],
    [`Mozilla/5.0 (Linux; Android 16) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605 (KHTML) Version/26.0 Mobile/1 Safari/604',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 26_0 like Mac OS X) AppleWebKit/605 (KHTML) CriOS/140 Mobile/1 Safari/604',
      'Chrome on iPad',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 (KHTML) Version/26.0 Safari/605',
      'Safari on macOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['Python-urllib/3.12', 'Python'],
    ['node', 'Node.js'],
    ['PostmanRuntime/7.43', 'Postman'],
    ['refdesk token', 'refdesk token'],
    ['MyTradingApp/2.1 (build 7)', 'MyTradingApp'],
    ['Mozilla/5.0', 'A browser'],
    ['', 'Unknown program'],
    ['x'.repeat(500), 'x'.repeat(40)],
  ] as const)
    assert.equal(deviceOf(userAgent), words)
})
