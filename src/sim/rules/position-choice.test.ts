import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { choices, chooseAccount, chooseListing, type Listing } from './position-choice.ts'

const listing = (Uic: number, AssetType: string): Listing => ({
  Uic,
  AssetType,
  Symbol: 'A:x',
  Description: 'A',
  ExchangeId: 'X',
})
const stock = listing(1, 'Stock')
const cfd = listing(1, 'CfdOnStock')
const wanted = { Symbol: 'A:x' }

function errorOf(choose: () => unknown): Record<string, string[]> | undefined {
  try {
    choose()
  } catch (error) {
    if (error instanceof Problem) return error.modelState
    throw error
  }
  return assert.fail('no error')
}

test('a symbol with one asset type needs no more; otherwise the asset type decides', () => {
  assert.equal(chooseListing([stock], [], wanted), stock)
  assert.equal(chooseListing([stock, cfd], [], { ...wanted, AssetType: 'CfdOnStock' }), cfd)
  assert.deepEqual(
    errorOf(() => chooseListing([stock, cfd], [], wanted)),
    { AssetType: ['A:x has several asset types. Choose one of: Stock, CfdOnStock.'] },
  )
  assert.deepEqual(
    errorOf(() => chooseListing([stock, cfd], [], { ...wanted, AssetType: 'Bond' })),
    { AssetType: ['A:x is not offered as Bond. Choose one of: Stock, CfdOnStock.'] },
  )
})

test('an unknown symbol lists similar ones; one that several instruments share lists their Uics', () => {
  assert.deepEqual(
    errorOf(() => chooseListing([], ['A:y', 'A:z'], wanted)),
    { Symbol: ['No instrument that the user may see has the symbol A:x. Choose one of: A:y, A:z.'] },
  )
  assert.deepEqual(
    errorOf(() => chooseListing([], [], wanted)),
    { Symbol: ['No instrument that the user may see has the symbol A:x.'] },
  )
  assert.deepEqual(
    errorOf(() => chooseListing([stock, listing(2, 'Stock')], [], wanted)),
    { Symbol: ['Several instruments have this symbol. Import a position with one of these Uics: 1, 2.'] },
  )
})

test('takes the first account that may trade, or the named one by id or key', () => {
  const [a, b] = [
    { accountKey: 'ka', accountId: '1' },
    { accountKey: 'kb', accountId: '2' },
  ]
  const accounts = [b, a]
  assert.equal(chooseAccount(accounts, ['2'], undefined), b)
  assert.equal(chooseAccount(accounts, ['2'], '1'), a)
  assert.equal(chooseAccount(accounts, [], 'kb'), b)
  assert.deepEqual(
    errorOf(() => chooseAccount(accounts, ['2'], '3')),
    { Account: ['The user has no account 3. Choose one of: 1, 2.'] },
  )
  assert.deepEqual(
    errorOf(() => chooseAccount(accounts, [], undefined)),
    { Account: ['No account of the user may trade this instrument. Choose one of: 1, 2.'] },
  )
})

test('lists at most ten choices', () => {
  const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
  assert.match(choices(names), /^ Choose one of: n0, .*n9 and 2 more\.$/)
})
