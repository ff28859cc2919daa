import assert from 'node:assert/strict'
import { test } from 'node:test'
import { epochDay } from '../../core/time/days.ts'
import { futuresElements, isExpired, requireContinuous } from './futures-space.ts'

const today = epochDay('2026-12-18')
const future = (Uic: number, day: string) => ({ Uic, expiry: epochDay(day), Symbol: `ES${Uic}`, extra: true })

test('an instrument expires after its last day', () => {
  assert.equal(isExpired(today - 1, today), true)
  assert.equal(isExpired(today, today), false)
})

test('lists unexpired futures by expiry, then Uic', () => {
  const space = [
    future(4, '2027-03-19'),
    future(1, '2027-06-18'),
    future(3, '2026-12-18'),
    future(2, '2027-03-19'),
    future(5, '2026-12-17'),
  ]
  assert.deepEqual(futuresElements(space, today), [
    { DaysToExpiry: 0, ExpiryDate: '2026-12-18', Symbol: 'ES3', Uic: 3 },
    { DaysToExpiry: 91, ExpiryDate: '2027-03-19', Symbol: 'ES2', Uic: 2 },
    { DaysToExpiry: 91, ExpiryDate: '2027-03-19', Symbol: 'ES4', Uic: 4 },
    { DaysToExpiry: 182, ExpiryDate: '2027-06-18', Symbol: 'ES1', Uic: 1 },
  ])
})

test('only a continuous future has a futures space', () => {
  const usual = 'InvalidContinuousFuturesUic'
  requireContinuous(5000, { AssetType: 'ContractFutures', DisplayHint: 'Continuous' }, usual)
  for (const facts of [{ AssetType: 'ContractFutures' }, { AssetType: 'CfdOnFutures', DisplayHint: 'Continuous' }])
    assert.throws(() => requireContinuous(7, facts, usual), { code: usual, status: 400 })
})

test('the wire profile decides the error for a dated future only', () => {
  const vendor = 'NoResultFound'
  assert.throws(() => requireContinuous(7, { AssetType: 'ContractFutures' }, vendor), { code: vendor, status: 404 })
  assert.throws(() => requireContinuous(7, { AssetType: 'Stock' }, vendor), { code: 'InvalidContinuousFuturesUic' })
})
