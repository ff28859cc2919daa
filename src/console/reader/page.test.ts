import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationList, readerBody } from './page.ts'

test('no data can end the element that holds it', () => {
  const body = readerBody({ token: '</script><!--<script>' }).toString()
  const held = /id="reader">(.*)<\/script>$/.exec(body)?.[1] ?? ''
  assert.doesNotMatch(held, /</)
  assert.deepEqual(JSON.parse(held), { token: '</script><!--<script>' })
})

test('every operation is listed once, the named groups first and in their order', () => {
  const list = operationList({
    servers: [{ url: 'https://api.example/base' }],
    tags: [
      { name: 'b', 'x-displayName': 'Second letter', description: 'What b has.' },
      { name: 'empty', 'x-displayName': 'Nothing' },
    ],
    paths: {
      '/a': { get: { summary: 'Reads <a>', tags: ['a'] } },
      '/b': { get: { summary: 'Reads b', tags: ['b'] }, post: { tags: ['b'], description: 'More.' } },
      '/c': { servers: [{ url: 'https://api.example' }], delete: {} },
    },
  }).toString()
  const headings = [...list.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, name]) => name)
  assert.deepEqual(headings, ['Second letter', 'a', 'Others'])
  assert.equal(list.match(/<li>/g)?.length, 4)
  assert.match(list, /Reads &lt;a&gt;/)
  const paths = [...list.matchAll(/<code>(.*?)<\/code>/g)].map(([, path]) => path)
  assert.deepEqual(paths.slice(-4), ['/base/b', '/base/b', '/base/a', '/c'])
})
