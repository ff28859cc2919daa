import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayTrade } from './may-trade.ts'
import type { AccessRight } from './visibility.ts'

const accounts = [{ accountKey: 'a', accountId: '1' }]
const right = (members: Partial<AccessRight> = {}): AccessRight => ({
  ...{ userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' },
  ...members,
})

test('a user with a Trade right on an account may trade', () => {
  assert.ok(mayTrade([right()], accounts))
  assert.ok(mayTrade([right({ level: 'View' }), right({ accountKey: 'a', assetTypes: ['Stock'] })], accounts))
})

test('View rights, empty rights and rights on other accounts do not allow trading', () => {
  for (const members of [{ level: 'View' }, { assetTypes: [] }, { exchangeIds: [] }, { accountKey: 'b' }] as const)
    assert.ok(!mayTrade([right(members)], accounts), JSON.stringify(members))
  assert.ok(!mayTrade([right()], []))
  assert.ok(!mayTrade([], accounts))
})
