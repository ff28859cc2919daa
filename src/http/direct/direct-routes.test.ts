import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf } from '../../core/text.ts'
import type { RestRequest } from '../exchange.ts'
import { type DirectRoute, DirectRoutes, type Match, readParameters } from './direct-routes.ts'

const routes = new DirectRoutes()
for (const url of ['/a/list', '/a/list/:Id', '/a/pairs/:One/:Two']) routes.add({ url } as DirectRoute)

function find(url: string) {
  const found = routes.find(url)
  return found && [found.route.url, found.params, found.queryText]
}

test('finds a route, its parameters and its query', () => {
  assert.deepEqual(find('/a/list'), ['/a/list', {}, ''])
  assert.deepEqual(find('/a/list?x=1?2'), ['/a/list', {}, 'x=1?2'])
  assert.deepEqual(find('/a/list/7'), ['/a/list/:Id', { Id: '7' }, ''])
  assert.deepEqual(find('/a/list/aZ09?'), ['/a/list/:Id', { Id: 'aZ09' }, ''])
  assert.deepEqual(find('/a/pairs/1/Stock?x=/y'), ['/a/pairs/:One/:Two', { One: '1', Two: 'Stock' }, 'x=/y'])
})

test('distinguishes routes of the same length', () => {
  const others = new DirectRoutes()
  for (const url of ['/a/one', '/a/two']) others.add({ url } as DirectRoute)
  assert.equal(others.find('/a/two?x=1')?.route.url, '/a/two')
  assert.equal(others.find('/a/six'), undefined)
})

test('leaves every other spelling to the router', () => {
  const others = [
    ...['', '/', '*', '/b', '/A/list', '/a/list/', '/a//list', '/a/list/7/', '/a/list//', '/a/list/7/8'],
    ...['/a/pairs', '/a/pairs/', '/a/pairs/1', '/a/pairs/1/', '/a/pairs//2', '/a/pairs/1/2/', '/a/pairs/1/2/3'],
    ...['/a/list/%37', '/a/list/7;x', '/a/list/7#x', '/a/list#x', '/a/list/é', '/a/list/[', '/a/list/`', '/a/list/:'],
    'http://localhost/a/list',
  ]
  for (const url of others) assert.equal(find(url), undefined, url)
})

test('a parameter in the middle is a mistake', () => {
  assert.throws(() => routes.add({ url: '/a/:Id/b' } as DirectRoute), /in the middle/)
})

test('a query that is known is not read again, and no handler can change it', () => {
  const read: string[] = []
  const readQuery = (values: unknown) => {
    const [day = ''] = (values as Map<string, string[]>).get('day') ?? []
    read.push(day)
    return { value: { Days: [day] } }
  }
  const reading = new DirectRoutes()
  for (const url of ['/a/spaces/:Id', '/a/list']) reading.add({ url, readQuery } as unknown as DirectRoute)
  const queryOf = (url: string): unknown => {
    const request = {} as RestRequest
    assert.ok(readParameters(request, reading.find(url) as Match))
    return request.query
  }
  const first = queryOf('/a/spaces/1?Day=3') as { Days: string[] }
  assert.deepEqual(first, { Days: ['3'] })
  assert.deepEqual(queryOf('/a/spaces/2?Day=3'), { Days: ['3'] })
  assert.deepEqual(queryOf('/a/spaces/2?Day=4'), { Days: ['4'] })
  assert.deepEqual(read, ['3', '4'])
  assert.throws(() => first.Days.push('5'), TypeError)
  for (let times = 0; times < 2; times++) queryOf('/a/list?Day=3')
  assert.deepEqual(read, ['3', '4', '3', '3'], 'without parameters in the path, a query rarely repeats')
})

test('queries with one hash are not mixed up', () => {
  const readQuery = (values: unknown) => ({ value: { Key: (values as Map<string, string[]>).get('clientkey')?.[0] } })
  const reading = new DirectRoutes()
  reading.add({ url: '/a/spaces/:Id', readQuery } as unknown as DirectRoute)
  const keys = ['bd518378c084', '5fc7e5b8f525']
  const textOf = (key: string) => `FieldGroups=MarketData&ClientKey=${key}`
  assert.equal(new Set(keys.map((key) => hashOf(textOf(key)))).size, 1)
  for (const key of [...keys, ...keys]) {
    const request = {} as RestRequest
    assert.ok(readParameters(request, reading.find(`/a/spaces/1?${textOf(key)}`) as Match))
    assert.deepEqual(request.query, { Key: key })
  }
})

test('a query with too many parameters is left to the framework', () => {
  const match = routes.find(`/a/list/7?${'a=1&'.repeat(201)}`) as Match
  assert.equal(readParameters({} as RestRequest, match), false)
})
