import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decidingRights, ownerOf, reasonOnAccount } from './deciding-right.ts'
import { type TradingFacts, tradability } from './tradability.ts'
import { type AccessRight, accessView } from './visibility.ts'

const right = (members: Partial<AccessRight> = {}): AccessRight => ({
  userKey: null,
  accountKey: null,
  assetTypes: null,
  exchangeIds: null,
  level: 'Trade',
  ...members,
})
const deciding = (rights: AccessRight[]) => decidingRights(rights, 'Stock', 'NYSE')('k1')

test('Trade wins over View, then the account’s own right, then the first right', () => {
  const [trade, view] = [right(), right({ level: 'View' })]
  const [ownTrade, ownView] = [right({ accountKey: 'k1' }), right({ accountKey: 'k1', level: 'View' })]
  const narrow = right({ assetTypes: ['Stock'], exchangeIds: ['NYSE'] })
  assert.equal(deciding([view, ownView, trade, ownTrade]), ownTrade)
  assert.equal(deciding([view, ownView, trade]), trade)
  assert.equal(deciding([view, ownView]), ownView)
  assert.equal(deciding([narrow, trade]), narrow)
  assert.equal(deciding([trade, narrow]), trade)
})

test('rights of other accounts, asset types or exchanges are ignored', () => {
  const others = [{ accountKey: 'k2' }, { assetTypes: ['Bond'] }, { exchangeIds: ['nyse'] }, { assetTypes: [] }]
  assert.equal(deciding(others.map(right)), undefined)
})

test('a right belongs to the user, the account or the client', () => {
  assert.equal(ownerOf(right()), 'Client')
  assert.equal(ownerOf(right({ accountKey: 'k1' })), 'Account')
  assert.equal(ownerOf(right({ userKey: 'ada' })), 'User')
  assert.equal(ownerOf(right({ userKey: 'ada', accountKey: 'k1' })), 'User')
})

const some = (...values: string[]) => fc.option(fc.subarray(values))
const anyRight = fc.record({
  userKey: fc.constant(null),
  accountKey: fc.option(fc.constantFrom('k1', 'k2', 'k3')),
  assetTypes: some('Stock', 'Bond'),
  exchangeIds: some('NYSE', 'LSE'),
  level: fc.constantFrom<AccessRight['level']>('View', 'Trade'),
})
const accounts = ['k1', 'k2'].map((accountKey) => ({ accountKey, accountId: `id of ${accountKey}` }))
const hints = fc.constantFrom(undefined, 'Continuous')
const statuses = fc.constantFrom(undefined, 'NonTradable', 'NotDefined', 'ReduceOnly', 'Tradable')

test('right and reason of an account match the details for that account alone', () => {
  const seen = new Set<string>()
  const check = (
    rights: AccessRight[],
    AssetType: string,
    exchangeId: string,
    facts: Omit<TradingFacts, 'AssetType'>,
  ) => {
    const rightOn = decidingRights(rights, AssetType, exchangeId)
    const onAll = accessView(rights, accounts).tradingAccounts(AssetType, exchangeId)
    const reasonOnAll = tradability({ AssetType, ...facts }, onAll).NonTradableReason
    for (const account of accounts) {
      const view = accessView(rights, [account])
      const decides = rightOn(account.accountKey)
      const trading = view.tradingAccounts(AssetType, exchangeId)
      assert.equal(decides !== undefined, view.isVisible(AssetType, exchangeId))
      assert.equal(decides?.level === 'Trade', trading.length > 0)
      assert.equal(onAll.includes(account.accountId), trading.length > 0)
      const { NonTradableReason } = tradability({ AssetType, ...facts }, trading)
      assert.equal(reasonOnAccount(reasonOnAll, trading.length > 0), NonTradableReason)
      seen.add(`${reasonOnAll} ${NonTradableReason}`)
    }
  }
  const facts = fc.record({ TradingStatus: statuses, DisplayHint: hints, isExpired: fc.boolean() }) as fc.Arbitrary<
    Omit<TradingFacts, 'AssetType'>
  >
  const rights = fc.array(anyRight, { maxLength: 5 })
  fc.assert(
    fc.property(rights, fc.constantFrom('Stock', 'Bond', 'StockIndex'), fc.constantFrom('NYSE', 'LSE'), facts, check),
    { numRuns: 2_000 },
  )
  const [none, other, noRight] = ['None', 'OtherReason', 'NotOnlineClientTradable']
  const pairs = [none, other, noRight, 'ExpiredInstrument', 'ReduceOnlyInstrument'].map((each) => `${each} ${each}`)
  assert.deepEqual([...seen].sort(), [...pairs, `${none} ${noRight}`, `${other} ${noRight}`].sort())
})
