import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homePage } from './home.ts'

const demo = {
  appKey: '0123456789abcdef0123456789abcdef',
  redirectUri: 'http://localhost:5000/callback',
  users: ['ada', 'bo'],
  password: 'a-password',
}

test('the start page names both addresses, the demo app and its users, and leads to its sign-in', () => {
  const page = String(
    homePage({ environment: 'sim', publicUrl: 'http://localhost:4700', baseUrl: '/sim/openapi', demo }),
  )
  for (const part of ['<code>http://localhost:4700</code>', '<code>http://localhost:4700/sim/openapi</code>'])
    assert.ok(page.includes(part), part)
  for (const part of [demo.appKey, demo.redirectUri, 'ada', 'bo', demo.password]) assert.ok(page.includes(part), part)
  assert.match(page, /href="\/authorize\?response_type=code&amp;client_id=0123456789abcdef0123456789abcdef&amp;/)
  assert.match(page, /npx refdesk token/)
})

test('without demo data nothing of it is shown or promised', () => {
  const page = String(
    homePage({ environment: 'live', publicUrl: 'https://desk.example', baseUrl: 'https://desk.example/openapi' }),
  )
  assert.doesNotMatch(page, /demo|refdesk token|simulation|href="\/authorize/)
})
