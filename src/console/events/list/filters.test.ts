import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedFilters, chipsOf, hrefWith, parametersOf, scopeOnly } from './filters.ts'
import { filtersBody } from './subscribe.ts'

const asked = (query: string) => {
  const values = new URLSearchParams(query)
  return askedFilters((name) => values.getAll(name))
}

test('filters are read as the API reads them, and written as it takes them', () => {
  const all = asked(
    'Keywords=a,b&EventTypes=DVCA,RHTS&EventTypes=DVCA&IncludeSubAccounts=false&IncludeLapsedEvents=TRUE&x=1',
  )
  assert.deepEqual(parametersOf(all), { Keywords: 'a,b', EventTypes: 'DVCA,RHTS', IncludeLapsedEvents: 'true' })
  assert.equal(
    hrefWith('/p', all, { $top: '5', Keywords: undefined }),
    '/p?EventTypes=DVCA,RHTS&IncludeLapsedEvents=true&$top=5',
  )
  assert.equal(hrefWith('/p', asked('')), '/p')
  const scope = asked('AccountKey=k&ToExDate=2026-11-01&IncludeSubAccounts=true&SortType=Asc')
  assert.deepEqual(parametersOf(scopeOnly(scope)), { AccountKey: 'k', IncludeSubAccounts: 'true' })
  assert.deepEqual(filtersBody(asked('EventTypes=DVCA&IncludeSubAccounts=true&Keywords=a&SortType=Asc')), {
    Keywords: 'a',
    EventTypes: ['DVCA'],
    IncludeSubAccounts: true,
  })
})

test('each thing that narrows the list is a chip, which leads to the list without it; the order is none', () => {
  const choices = { EventTypes: [{ value: 'DVCA', name: 'Cash Dividend' }] }
  const chips = chipsOf(
    asked(
      'EventTypes=dvca,RHTS&ToExDate=2026-11-18&FromPayDate=soon&AssetTypes=CfdOnStock&IncludeSubAccounts=true&SortType=Asc',
    ),
    choices,
  )
  assert.deepEqual(
    chips.map(({ text }) => text),
    [
      'Event type: Cash Dividend',
      'Event type: RHTS',
      'Asset type: CFD on stock',
      'Ex date to 18 Nov 2026',
      'Payment from soon',
      'With clients below',
    ],
  )
  assert.deepEqual(parametersOf(chips[0]?.without ?? new Map()).EventTypes, 'RHTS')
  assert.equal(parametersOf(chips[3]?.without ?? new Map()).ToExDate, undefined)
  assert.equal(parametersOf(chips[3]?.without ?? new Map()).SortType, 'Asc')
})
