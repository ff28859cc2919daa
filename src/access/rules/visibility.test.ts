import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetTypes } from '../../core/asset-type.ts'
import { type AccessRight, accessView, grantsWithin } from './visibility.ts'

const a1 = { accountKey: 'k1', accountId: '100' }
const a2 = { accountKey: 'k2', accountId: '20' }
const a3 = { accountKey: 'k3', accountId: '3' }

const right = (members: Partial<AccessRight> = {}): AccessRight => ({
  userKey: null,
  accountKey: null,
  assetTypes: null,
  exchangeIds: null,
  level: 'Trade',
  ...members,
})
const stocks = { assetTypes: ['Stock'] }
const signature = (rights: AccessRight[], accounts = [a1, a2]): string => accessView(rights, accounts).signature

test('without a right everything is invisible', () => {
  const view = accessView([], [a1])
  assert.equal(view.isVisible('Stock', 'NYSE'), false)
  assert.deepEqual(view.tradingAccounts('Stock', 'NYSE'), [])
})

test('a right covers only its asset types on its exchanges; exchange ids are case-sensitive', () => {
  const view = accessView([right({ assetTypes: ['Stock', 'Etf'], exchangeIds: ['NYSE'] })], [a1])
  assert.equal(view.isVisible('Stock', 'NYSE'), true)
  assert.equal(view.isVisible('Etf', 'NYSE'), true)
  assert.equal(view.isVisible('Bond', 'NYSE'), false)
  assert.equal(view.isVisible('Stock', 'NASDAQ'), false)
  assert.equal(view.isVisible('Stock', 'nyse'), false)
})

test('a right without asset types or exchanges covers all of them, one with an empty list none', () => {
  const all = accessView([right()], [a1])
  for (const assetType of assetTypes) assert.equal(all.isVisible(assetType, 'anywhere'), true)
  assert.equal(accessView([right({ exchangeIds: [] })], [a1]).isVisible('Stock', 'NYSE'), false)
  assert.equal(accessView([right({ assetTypes: [] })], [a1]).isVisible('Stock', 'NYSE'), false)
})

test('rights add up, in any order: some exchanges and all exchanges are all', () => {
  const some = [right({ ...stocks, exchangeIds: ['NYSE'] }), right({ ...stocks, exchangeIds: ['LSE'] })]
  const two = accessView(some, [a1])
  assert.deepEqual(
    ['NYSE', 'LSE', 'PAR'].map((exchangeId) => two.isVisible('Stock', exchangeId)),
    [true, true, false],
  )
  for (const rights of [
    [...some, right(stocks)],
    [right(stocks), ...some],
  ])
    assert.equal(accessView(rights, [a1]).isVisible('Stock', 'PAR'), true)
})

test('with a View right an instrument is visible, and tradable on no account', () => {
  const view = accessView([right({ level: 'View' })], [a1])
  assert.equal(view.isVisible('Stock', 'NYSE'), true)
  assert.deepEqual(view.tradingAccounts('Stock', 'NYSE'), [])
})

test('lists trading accounts by id, each once', () => {
  const view = accessView([right(stocks), right({ ...stocks, accountKey: 'k3' })], [a3, a2, a1])
  assert.deepEqual(view.tradingAccounts('Stock', 'NYSE'), ['100', '20', '3'])
})

test('a right on one account allows trading on that account only, and makes instruments visible on all selected accounts', () => {
  const view = accessView([right({ ...stocks, accountKey: 'k2' }), right({ assetTypes: ['Etf'] })], [a1, a2])
  assert.equal(view.isVisible('Stock', 'NYSE'), true)
  assert.deepEqual(view.tradingAccounts('Stock', 'NYSE'), ['20'])
  assert.deepEqual(view.tradingAccounts('Etf', 'NYSE'), ['100', '20'])
})

test('a right on an account that is not selected is ignored', () => {
  const view = accessView([right({ ...stocks, accountKey: 'k2' })], [a1])
  assert.equal(view.isVisible('Stock', 'NYSE'), false)
  assert.deepEqual(view.tradingAccounts('Stock', 'NYSE'), [])
})

test('a client without accounts sees what its rights say, and trades nothing', () => {
  const view = accessView([right(stocks)], [])
  assert.equal(view.isVisible('Stock', 'NYSE'), true)
  assert.deepEqual(view.tradingAccounts('Stock', 'NYSE'), [])
})

test('returns the same list for the same question', () => {
  const view = accessView([right()], [a1, a2])
  assert.equal(view.tradingAccounts('Stock', 'NYSE'), view.tradingAccounts('Stock', 'NYSE'))
  assert.notEqual(view.tradingAccounts('Stock', 'NYSE'), view.tradingAccounts('Stock', 'LSE'))
})

test('equivalent views have the same signature, however their rights are split and ordered', () => {
  const nyse = { exchangeIds: ['NYSE'] }
  const lse = { exchangeIds: ['LSE'] }
  const whole = right({ assetTypes: ['Stock', 'Etf'], exchangeIds: ['NYSE', 'LSE'] })
  const pieces = ['Etf', 'Stock'].flatMap((name) => [lse, nyse].map((at) => right({ assetTypes: [name], ...at })))
  assert.equal(signature([whole]), signature(pieces))
  assert.equal(signature([whole]), signature([...pieces].reverse(), [a2, a1]))
  assert.equal(signature([right()]), signature([right({ accountKey: 'k1' }), right({ accountKey: 'k2' })]))
  assert.equal(signature([right()]), signature([right({ assetTypes: [...assetTypes] }), right({ level: 'View' })]))
  assert.equal(signature([right()], [a1]), signature([right({ accountKey: 'k1' })]))
  const crossed = [
    ['Etf', 'Stock'],
    ['Stock', 'Etf'],
  ].map((assetTypes, at) => right({ assetTypes, accountKey: `k${at + 1}` }))
  assert.equal(signature(crossed), signature([right({ assetTypes: ['Stock', 'Etf'] })]))
  assert.equal(signature([right({ accountKey: 'k9' })]), signature([right({ exchangeIds: [] })]))
  assert.equal(signature([right({ level: 'View' })], [a1]), signature([right({ level: 'View' })], [a2]))
})

test('different views have different signatures', () => {
  const views = [
    signature([]),
    signature([right()]),
    signature([right({ level: 'View' })]),
    signature([right()], [a1, a2, a3]),
    signature([right({ accountKey: 'k1' })]),
    signature([right({ accountKey: 'k2' })]),
    signature([right({ accountKey: 'k1', ...stocks }), right({ accountKey: 'k2' })]),
    signature([right(stocks)]),
    signature([right({ ...stocks, exchangeIds: ['NYSE'] })]),
    signature([right({ ...stocks, exchangeIds: ['nyse'] })]),
    signature([right({ ...stocks, exchangeIds: ['NYSE,LSE'] })]),
    signature([right({ ...stocks, exchangeIds: ['NYSE', 'LSE'] })]),
  ]
  assert.equal(new Set(views).size, views.length)
})

test('says at which exchanges an asset type is visible', () => {
  const { exchangesOf } = accessView(
    [right({ ...stocks, exchangeIds: ['NYSE', 'LSE'] }), right({ assetTypes: ['Bond'] })],
    [a1],
  )
  assert.deepEqual(exchangesOf('Stock'), ['LSE', 'NYSE'])
  assert.equal(exchangesOf('Bond'), 'all')
  assert.deepEqual(exchangesOf('Etf'), [])
})

test('a right is within others if they have its asset types and exchanges at its level, together', () => {
  const isWithin = grantsWithin([
    right({ ...stocks, exchangeIds: ['NYSE'] }),
    right({ ...stocks, exchangeIds: ['LSE'], accountKey: 'k1' }),
    right({ assetTypes: ['Bond'], level: 'View' }),
  ])
  for (const [grant, expected] of [
    [{ ...stocks, exchangeIds: ['NYSE', 'LSE'] }, true],
    [{ ...stocks, exchangeIds: ['NYSE', 'XPAR'] }, false],
    [stocks, false],
    [{ assetTypes: ['Bond'], level: 'View' }, true],
    [{ assetTypes: ['Bond'], exchangeIds: ['XPAR'], level: 'View' }, true],
    [{ assetTypes: ['Bond'] }, false],
    [{ assetTypes: ['Etf'], exchangeIds: [] }, true],
    [{ level: 'View' }, false],
  ] as const)
    assert.equal(isWithin(right(grant)), expected, JSON.stringify(grant))
  assert.equal(grantsWithin([right()])(right()), true)
})
