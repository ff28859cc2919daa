import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { testServer } from '../../../test/support/http-server.ts'
import { FeedOf, feed, nextLink, pageQuery } from './feed.ts'

const publicUrl = 'https://api.example'

function pagedServer() {
  const { server } = testServer()
  const querystring = Type.Object({
    ...pageQuery({ defaultTop: 20, maxTop: 1000 }),
    Name: Type.Optional(Type.String()),
  })
  server.get('/page', { schema: { querystring } }, async ({ query }) => query)
  server.get('/next', { schema: { querystring } }, async (request) => ({
    next: nextLink(`${publicUrl}/next`, request, { $skip: request.query.$skip + request.query.$top }),
  }))
  return server
}

test('paging parameters have defaults, and match in any case', async () => {
  const server = pagedServer()
  assert.deepEqual((await server.inject('/page')).json(), { $top: 20, $skip: 0, $inlinecount: 'None' })
  assert.deepEqual((await server.inject('/page?$TOP=0&$Skip=5&$skipToken=abc&%24inlineCount=allpages')).json(), {
    $top: 0,
    $skip: 5,
    $skiptoken: 'abc',
    $inlinecount: 'AllPages',
  })
  assert.equal((await server.inject('/page?$top=1000')).statusCode, 200)
})

test('a paging parameter out of range is a 400 that names it', async () => {
  const server = pagedServer()
  const bad = [
    '$top=1001',
    '$top=-1',
    '$top=1.5',
    '$top=all',
    '$skip=-1',
    '$skip=x',
    '$inlinecount=1',
    `$skiptoken=${'a'.repeat(513)}`,
  ]
  for (const query of bad) {
    const answer = await server.inject(`/page?${query}`)
    assert.equal(answer.statusCode, 400, query)
    assert.deepEqual(Object.keys(answer.json().ModelState), [query.split('=')[0]])
  }
})

test('a feed omits fields without a value, but never its rows', () => {
  assert.deepEqual(feed({ data: [] }), { Data: [] })
  assert.deepEqual(feed({ data: [], count: undefined, maxRows: undefined, next: undefined }), { Data: [] })
  assert.deepEqual(feed({ data: [1], count: 0, maxRows: 1000, next: 'x' }), {
    __count: 0,
    __next: 'x',
    Data: [1],
    MaxRows: 1000,
  })
})

test('the next link is absolute, keeps the caller’s query, has one cursor, and does not encode $', async () => {
  const server = pagedServer()
  const { next } = (
    await server.inject('/next?name=a%26b%20c%2Bd&$Top=5&%24skip=10&$SKIPTOKEN=&Other=x,y&Other=z')
  ).json()
  assert.equal(next, `${publicUrl}/next?name=a%26b%20c%2Bd&$Top=5&Other=x,y&Other=z&$skip=15`)
  assert.equal(
    (await server.inject(new URL(next).pathname + new URL(next).search)).json().next,
    next.replace('=15', '=20'),
  )
  for (const [query, kept] of [
    ['', ''],
    ['?', ''],
    ['?a=1', 'a=1&'],
    ['?a=b+c%20d&$top=5,6', 'a=b+c%20d&$top=5,6&'],
    ['?a=%C3%BC&a=x-y.z_', 'a=%C3%BC&a=x-y.z_&'],
    ['?skip=1&sinceWhen=2', 'skip=1&sinceWhen=2&'],
    ['?$SKIP=1&a=1', 'a=1&'],
    ['?a=1&$skipToken=b', 'a=1&'],
    ['?a[]=1&$skip[]=2', 'a%5B%5D=1&'],
    ['?a=1&%24skip=2&$skip%74oken=4&b=1', 'a=1&b=1&'],
    ['?a=1&Since=2', 'a=1&Since=2&'],
    ['?&a=1&&b=2&', 'a=1&b=2&'],
    ['?a=1&b', 'a=1&b=&'],
    ['?a="', 'a=%22&'],
    ['?a=b=c', 'a=b%3Dc&'],
  ])
    assert.equal(
      nextLink('https://a/b', { url: `/b${query}` }, { $skiptoken: 'a/b=' }),
      `https://a/b?${kept}$skiptoken=a%2Fb%3D`,
    )
})

test('a cursor replaces the one before, in any spelling', () => {
  for (const query of ['?Since=1&a=1', '?a=1&since=2', '?a=1&s%69nce=3'])
    assert.equal(nextLink('https://a/b', { url: `/b${query}` }, { Since: '4' }), 'https://a/b?a=1&Since=4')
})

test('a feed has exactly the fields of its schema', async () => {
  const { server } = testServer()
  const schema = { response: { 200: FeedOf(Type.Object({ Id: Type.Integer() })) } }
  server.get('/feed', { schema }, async () => feed({ data: [{ Id: 1, hidden: 2 }], count: 1 }))
  assert.deepEqual((await server.inject('/feed')).json(), { __count: 1, Data: [{ Id: 1 }] })
})
