import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AssetType } from '../../core/asset-type.ts'
import { Problem } from '../../core/problem.ts'
import { displayHints } from '../api/fields/enums.ts'
import { assetTypeNamed, complexity, typesAndHint, valueChangeBounds } from './search-criteria.ts'

const searched = (Tags?: string[], AssetTypes?: AssetType[]) => {
  const { assetTypes, hint } = typesAndHint({ Tags, AssetTypes }, displayHints)
  return { assetTypes: assetTypes && [...assetTypes], hint }
}
const rejection = { code: 'InvalidSearchCriteriaProvided', status: 400 }

test('accepts an asset type in any case and rejects an unknown one', () => {
  assert.equal(assetTypeNamed('fxspot'), 'FxSpot')
  const rejected = { code: 'InvalidAssetType', status: 400 }
  assert.throws(() => assetTypeNamed('Stonk'), {
    ...rejected,
    message: 'There is no such asset type. Did you mean Stock?',
  })
  const message = 'There is no such asset type. Use one from the AssetType of a search result, such as Stock.'
  assert.throws(() => assetTypeNamed('Wine'), { ...rejected, message })
})

test('without a tag, searches the requested asset types or all', () => {
  assert.deepEqual(searched(), { assetTypes: undefined, hint: undefined })
  assert.deepEqual(searched(undefined, ['Bond', 'Stock']), { assetTypes: ['Bond', 'Stock'], hint: undefined })
})

test('a tag alone searches stocks, ETFs and ETCs, in any case', () => {
  assert.deepEqual(searched(['preciousmetal']), { assetTypes: ['Stock', 'Etf', 'Etc'], hint: 'PreciousMetal' })
})

test('rejects a tag with asset types other than stocks, ETFs and ETCs', () => {
  assert.deepEqual(searched(['Etf'], ['Etf']), { assetTypes: ['Etf'], hint: 'Etf' })
  assert.throws(() => searched(['Etf'], ['Etf', 'Bond']), rejection)
})

test('null means no tag', () => {
  assert.deepEqual(searched(['null'], ['Bond']), { assetTypes: ['Bond'], hint: undefined })
  assert.deepEqual(searched(['NULL', 'Etc']).hint, 'Etc')
})

test('rejects two tags and an unknown tag', () => {
  assert.throws(() => searched(['Etf', 'Etc']), rejection)
  assert.throws(() => searched(['Shiny']), { ...rejection, message: /PreciousMetal/ })
})

test('one class is a criterion; both classes and none are not', () => {
  assert.deepEqual([complexity(['Complex']), complexity(['NonComplex'])], [true, false])
  assert.deepEqual(
    [complexity(['NonComplex', 'Complex']), complexity([]), complexity()],
    [undefined, undefined, undefined],
  )
})

test('bounds apply to the week, month or year, and a missing side is unbounded', () => {
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

test('rejects reversed bounds, naming both parameters of each', () => {
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
