import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsOf, kindOf, matching, matchingActions, ordered, pagesOf, travelOf } from './commands.ts'

const demo = { appKey: '', secret: '', redirectUri: '', password: '', users: ['ada', 'bo'] }
const sim = { environment: 'sim', hasRequestLog: true, demo, travel: () => undefined } as const
const live = { environment: 'live', hasRequestLog: false, demo: undefined, travel: () => undefined } as const
const names = (items: readonly { name: string }[]) => items.map(({ name }) => name)

test('live offers no page and no action of the simulation', () => {
  const all = [...pagesOf(live, false), ...actionsOf(live, 'eve')]
  assert.deepEqual(names(actionsOf(live, 'eve')), ['Create an app', 'Sign out'])
  assert.doesNotMatch(JSON.stringify(all), /sim|switch|token|requests/)
})

test('the simulation offers a token, time travel and the other demo users', () => {
  const offered = names(actionsOf(sim, 'ada'))
  for (const name of ['Get a token', 'Travel to the next deadline', 'Switch to bo']) assert.ok(offered.includes(name))
  assert.ok(!offered.includes('Switch to ada'))
  assert.ok(!offered.includes('Back to real time'))
  const travelled = { ...sim, travel: () => ({ frozen: false, offsetSeconds: 1 }) }
  assert.ok(names(actionsOf(travelled, 'ada')).includes('Back to real time'))
})

test('finds by the beginnings of words, in any order, and prefers names that begin with the first one', () => {
  const items = [...pagesOf(sim, false), ...actionsOf(sim, 'ada')]
  assert.deepEqual(names(matching(items, 'dead tra')), ['Travel to the next deadline'])
  assert.deepEqual(names(matching(items, 'app')).slice(0, 2), ['Apps', 'Create an app'])
  assert.deepEqual(matching(items, 'zzz'), [])
  assert.equal(matching(items, ' ').length, items.length)
})

test('a short query has no action first that changes something, or nothing is selected', () => {
  const none = { instruments: [], hasExact: false, others: [] }
  const listed = (query: string) =>
    ordered(query, {
      actions: matchingActions(actionsOf(sim, 'ada'), query),
      pages: matching(pagesOf(sim, false), query),
      ...none,
    })
  const letters = [...'abcdefghijklmnopqrstuvwxyz1']
  for (const query of [
    '',
    ...letters,
    ...letters.map((letter) => `${letter} t`),
    'tra',
    'swi',
    'get',
    's o',
    't o b',
  ]) {
    const { groups, selectsFirst } = listed(query)
    const first = groups[0]?.items[0]
    assert.ok(!first || 'href' in first || !selectsFirst, query)
  }
  assert.deepEqual(names(listed('mo').groups[0]?.items ?? []), ['Month'], 'pages come before actions')
  const travel = listed('trav')
  assert.deepEqual([travel.groups[0]?.title, travel.selectsFirst], ['Actions', true])
})

test('lists nothing twice in a group: no address, and no text', () => {
  const item = (name: string, href: string) => ({ name, href })
  const instruments = [item('Apple', '/a'), item('Apple Inc.', '/a'), item('Apple', '/b'), item('Pear', '/c')]
  const found = { actions: [], pages: pagesOf(sim, false), instruments, hasExact: false, others: [] }
  const [pages, listed] = ordered('', found).groups
  assert.deepEqual(names(listed?.items ?? []), ['Apple', 'Pear'])
  const listedPages = names(pages?.items ?? [])
  assert.ok(listedPages.includes('Corporate actions') && !listedPages.includes('Decisions'), String(listedPages))
  const decisions = ordered('decis', { ...found, pages: matching(found.pages, 'decis') })
  assert.deepEqual(names(decisions.groups[0]?.items ?? []), ['Decisions'])
})

test('sections of a document with the same heading are all listed', () => {
  const section = (href: string) => ({ name: 'Errors', note: 'Imports', href })
  const docs = {
    title: 'Docs',
    items: [section('/docs/a#errors'), section('/docs/a#errors-1'), section('/docs/a#errors')],
  }
  const { groups } = ordered('errors', { actions: [], pages: [], instruments: [], hasExact: false, others: [docs] })
  assert.deepEqual(groups, [{ title: 'Docs', items: docs.items.slice(0, 2) }])
})

test('an exact instrument comes before actions and pages, others after them', () => {
  const instruments = [{ name: 'Travel Corp.', href: '/' }]
  const found = { actions: matchingActions(actionsOf(sim, 'ada'), 'travel'), pages: [], instruments, others: [] }
  const titles = (hasExact: boolean) => ordered('travel', { ...found, hasExact }).groups.map(({ title }) => title)
  assert.deepEqual(titles(true), ['Instruments', 'Actions'])
  assert.deepEqual(titles(false), ['Actions', 'Instruments'])
})

test('finds with a typo what has no exact match', () => {
  const items = [...pagesOf(sim, false), ...actionsOf(sim, 'ada')]
  assert.deepEqual(names(matching(items, 'opton chain')), ['Option chains'])
  assert.deepEqual(names(matching(items, 'snapshts')), ['Snapshots'])
  assert.deepEqual(names(matching(items, 'exch')), ['Exchanges'])
})

test('a number after travel is the days to travel', () => {
  const fields = { step: 'days', days: '45' }
  assert.deepEqual(travelOf('travel 45'), { name: 'Travel 45 days ahead', post: '/console/sim/clock', fields })
  assert.equal(travelOf('trav 1')?.name, 'Travel 1 day ahead')
  assert.equal(travelOf('30 days')?.name, 'Travel 30 days ahead')
  for (const query of ['', '45', 't 45', 'travel', 'travel 0', 'travel 3651', 'travel x', 'travel days', 'apple 45'])
    assert.equal(travelOf(query), undefined, query)
})

test('a kind after a name narrows the search to it', () => {
  const option = 'StockOption,StockIndexOption,FuturesOption'
  assert.deepEqual(kindOf('aapl opt'), { keywords: 'aapl', assetTypes: option })
  assert.deepEqual(kindOf('aapl put'), { keywords: 'aapl', assetTypes: option })
  assert.deepEqual(kindOf('apple opton chain'), { keywords: 'apple', assetTypes: option })
  assert.deepEqual(kindOf('gold futures'), { keywords: 'gold', assetTypes: 'ContractFutures' })
  for (const query of ['apple', 'options', 'option chain', 'op aa', 'put', 'pu aa'])
    assert.equal(kindOf(query), undefined, query)
})
