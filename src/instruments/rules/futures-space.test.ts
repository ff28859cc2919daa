import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysUntil, futuresElements, isExpired, requireContinuous } from './futures-space.ts'

const today = Temporal.PlainDate.from('2026-12-18')
const future = (Uic: number, ExpiryDate: string) => ({ Uic, ExpiryDate, Symbol: `ES${Uic}`, extra: true })

test('a thing is expired from the day after its last day; without a last day never', () => {
  assert.equal(isExpired('2026-12-17', today), true)
  assert.equal(isExpired('2026-12-18', today), false)
  assert.equal(isExpired(undefined, today), false)
})

test('days are calendar days, over months and leap days too', () => {
  assert.equal(daysUntil('2026-12-18', today), 0)
  assert.equal(daysUntil('2027-03-19', today), 91)
  assert.equal(daysUntil('2028-03-01', today), 439)
  assert.equal(daysUntil(Temporal.PlainDate.from('2026-12-16'), today), -2)
})

test('futures come by expiry, then Uic, without the expired ones', () => {
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

test('whatever is not a continuous future has no space', () => {
  requireContinuous(5000, { AssetType: 'ContractFutures', DisplayHint: 'Continuous' })
  for (const facts of [{ AssetType: 'ContractFutures' }, { AssetType: 'CfdOnFutures', DisplayHint: 'Continuous' }])
    assert.throws(() => requireContinuous(7, facts), { code: 'InvalidContinuousFuturesUic', status: 400 })
})
