import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notOfferedProblem } from './paths.ts'

const textOf = (path: string) => notOfferedProblem(path)?.message

test('prices, orders, positions, balances and streaming are named as not offered, under either base path', () => {
  const paths = {
    '/trade/v1/infoprices/list': 'prices',
    '/trade/v2/orders': 'orders',
    '/port/v1/orders/me': 'orders',
    '/trade/v1/messages': 'trading',
    '/port/v1/netpositions/me': 'positions',
    '/port/v1/closedpositions': 'positions',
    '/Port/V1/Balances/Me/': 'balances',
    '/chart/v3/charts': 'charts',
    '/streamingws/authorize': 'streaming and subscriptions',
    '/streaming/negotiate': 'streaming and subscriptions',
    '/root/v1/sessions/events/subscriptions/': 'streaming and subscriptions',
    '/cs/v1/reports': 'this service group',
  }
  for (const [path, what] of Object.entries(paths))
    for (const base of ['/sim/openapi', '/openapi', '/SIM/OpenAPI']) {
      const problem = notOfferedProblem(base + path)
      assert.equal(problem?.code, 'NotOffered', path)
      assert.match(problem.message, new RegExp(`^refdesk does not offer ${what}\\. .*docs/compatibility\\.md`), path)
    }
})

test('other paths are unknown', () => {
  const paths = [
    '/sim/openapi/port/v1/user/me',
    '/sim/openapi/ref/v1/chart',
    '/trade/v1/prices',
    '/sim/openapi/trader',
    '/',
  ]
  for (const path of paths) assert.equal(textOf(path), undefined, path)
})
