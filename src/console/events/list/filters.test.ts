import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chipsOf, hrefWith, parametersOf, parseFilters, scopeOnly } from './filters.ts'
import { calendarFilters } from './subscribe.ts'

const filters = (query: string) => {
  const values = new URLSearchParams(query)
  return parseFilters((name) => values.getAll(name))
}

test('reads and writes filters in the format of the API', () => {
  const all = filters(
    'Keywords=a,b&EventTypes=DVCA,RHTS&EventTypes=DVCA&IncludeSubAccounts=false&IncludeLapsedEvents=TRUE&x=1',
  )
  assert.deepEqual(parametersOf(all), { Keywords: 'a,b', EventTypes: 'DVCA,RHTS', IncludeLapsedEvents: 'true' })
  assert.equal(
    hrefWith('/p', all, { $top: '5', Keywords: undefined }),
    '/p?EventTypes=DVCA,RHTS&IncludeLapsedEvents=true&$top=5',
  )
  assert.equal(hrefWith('/p', filters('')), '/p')
  const scope = filters('AccountKey=k&ToExDate=2026-11-01&IncludeSubAccounts=true&SortType=Asc')
  assert.deepEqual(parametersOf(scopeOnly(scope)), { AccountKey: 'k', IncludeSubAccounts: 'true' })
  assert.deepEqual(calendarFilters(filters('EventTypes=DVCA&IncludeSubAccounts=true&Keywords=a&SortType=Asc')), {
    Keywords: 'a',
    EventTypes: ['DVCA'],
    IncludeSubAccounts: true,
  })
})

test('each filter value is a chip that removes it; the sort order is not', () => {
  const choices = { EventTypes: [['DVCA', 'Cash Dividend']] as const }
  const chips = chipsOf(
    filters(
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
      'Including sub-clients',
    ],
  )
  assert.deepEqual(parametersOf(chips[0]?.without ?? new Map()).EventTypes, 'RHTS')
  assert.equal(parametersOf(chips[3]?.without ?? new Map()).ToExDate, undefined)
  assert.equal(parametersOf(chips[3]?.without ?? new Map()).SortType, 'Asc')
})
