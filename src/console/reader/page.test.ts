import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationList, readerBody } from './page.ts'

test('data cannot end the script element', () => {
  const body = readerBody({ token: '</script><!--<script>' }).toString()
  const content = /id="reader">(.*)<\/script>$/.exec(body)?.[1] ?? ''
  assert.doesNotMatch(content, /</)
  assert.deepEqual(JSON.parse(content), { token: '</script><!--<script>' })
})

test('lists every operation once, groups in document order first', () => {
  const list = operationList({
    servers: [{ url: 'https://api.example/base' }],
    tags: [
      { name: 'b', 'x-displayName': 'Second letter', description: 'Operations on b.' },
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
