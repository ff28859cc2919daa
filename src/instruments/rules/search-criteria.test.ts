import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AssetType } from '../../core/asset-type.ts'
import { Problem } from '../../core/problem.ts'
import { displayHints } from '../api/fields/enums.ts'
import { assetTypeNamed, typesAndHint, valueChangeBounds } from './search-criteria.ts'

const searched = (Tags?: string[], AssetTypes?: AssetType[]) => {
  const { assetTypes, hint } = typesAndHint({ Tags, AssetTypes }, displayHints)
  return { assetTypes: assetTypes && [...assetTypes], hint }
}
const refusal = { code: 'InvalidSearchCriteriaProvided', status: 400 }

test('an asset type of a path is known in any case, and an unknown one refused', () => {
  assert.equal(assetTypeNamed('fxspot'), 'FxSpot')
  assert.throws(() => assetTypeNamed('Stonk'), { code: 'InvalidAssetType', status: 400 })
})

test('without a tag the asset types are those asked for, or all', () => {
  assert.deepEqual(searched(), { assetTypes: undefined, hint: undefined })
  assert.deepEqual(searched(undefined, ['Bond', 'Stock']), { assetTypes: ['Bond', 'Stock'], hint: undefined })
})

test('a tag alone searches stocks, ETFs and ETCs, by its hint in any case', () => {
  assert.deepEqual(searched(['preciousmetal']), { assetTypes: ['Stock', 'Etf', 'Etc'], hint: 'PreciousMetal' })
})

test('a tag may stand with the asset types that have tags, and with no other', () => {
  assert.deepEqual(searched(['Etf'], ['Etf']), { assetTypes: ['Etf'], hint: 'Etf' })
  assert.throws(() => searched(['Etf'], ['Etf', 'Bond']), refusal)
})

test('null is no tag', () => {
  assert.deepEqual(searched(['null'], ['Bond']), { assetTypes: ['Bond'], hint: undefined })
  assert.deepEqual(searched(['NULL', 'Etc']).hint, 'Etc')
})

test('two tags and an unknown tag are refused', () => {
  assert.throws(() => searched(['Etf', 'Etc']), refusal)
  assert.throws(() => searched(['Shiny']), { ...refusal, message: /PreciousMetal/ })
})

test('a bound is of one figure, week, month or year, and a missing side is open', () => {
  assert.deepEqual(valueChangeBounds({}), [])
  assert.deepEqual(
    valueChangeBounds({
      OneMonthTotalValueChangesFrom: 2.5,
      OneMonthTotalValueChangesTo: 2.5,
      OneYearTotalValueChangesFrom: -5,
      OneWeekTotalValueChangesTo: 3,
    }),
    [
      { figure: 0, from: -Infinity, to: 3 },
      { figure: 1, from: 2.5, to: 2.5 },
      { figure: 2, from: -5, to: Infinity },
    ],
  )
})

test('bounds the wrong way round are refused, all at once and by both names', () => {
  const query = {
    OneWeekTotalValueChangesFrom: 2,
    OneWeekTotalValueChangesTo: 1,
    OneMonthTotalValueChangesFrom: 1,
    OneMonthTotalValueChangesTo: 1,
    OneYearTotalValueChangesFrom: 0,
    OneYearTotalValueChangesTo: -1,
  }
  assert.throws(
    () => valueChangeBounds(query),
    (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.equal(error.code, 'InvalidModelState')
      const names = ['OneWeek', 'OneYear'].flatMap((period) => [
        `${period}TotalValueChangesFrom`,
        `${period}TotalValueChangesTo`,
      ])
      assert.deepEqual(Object.keys(error.modelState ?? {}), names)
      return true
    },
  )
})
