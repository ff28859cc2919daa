import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { testServer } from '../../../test/support/http-server.ts'
import { assetRoutes, assetUrl, fonts, styles } from './assets.ts'

const { server } = testServer()
server.register(assetRoutes)
after(() => server.close())

test('serves each asset under the hash of its content, cached forever, with its type', async () => {
  for (const [file, type] of [
    ['copy.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const) {
    const answer = await server.inject(assetUrl(file))
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], type)
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.body, readFileSync(new URL(`../../../public/${file}`, import.meta.url), 'utf8'))
  }
})

test('returns 404 for another hash, a name without one, or a path outside the folder', async () => {
  for (const path of ['/assets/refdesk-00000000.css', '/assets/refdesk.css', '/assets/..%2fpackage.json', '/assets/'])
    assert.match((await server.inject(path)).body, /^\{"ErrorCode":"NoResultFound"/, path)
})

test('/favicon.ico redirects to the icon', async () => {
  const answer = await server.inject('/favicon.ico')
  assert.equal(answer.statusCode, 302)
  assert.equal(answer.headers.location, assetUrl('icon.svg'))
})

test('throws for a missing asset', () => {
  assert.throws(() => assetUrl('none.css'), /public\/none\.css is missing/)
})

test('serves the fonts, which have at most 90 KB, and the stylesheet loads nothing else', async () => {
  let bytes = 0
  for (const font of fonts) {
    const answer = await server.inject(assetUrl(font))
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'font/woff2'])
    assert.equal(answer.rawPayload.toString('latin1', 0, 4), 'wOF2')
    bytes += answer.rawPayload.length
  }
  assert.ok(bytes <= 90 * 1024, `${bytes} bytes`)
  const { body } = await server.inject(assetUrl('refdesk.css'))
  const loaded = [...body.matchAll(/url\("([^"]*)"\)/g)].map(([, url]) => url)
  assert.deepEqual(loaded, fonts.map(assetUrl))
  assert.doesNotMatch(body.replaceAll(/url\("[^"]*"\)/g, ''), /url\(|@import/)
})

test('the stylesheet is one file, made of the rules of every part', async () => {
  const folder = new URL('../../../public/styles/', import.meta.url)
  assert.deepEqual(readdirSync(folder), styles.map((name) => `${name}.css`).toSorted())
  const { body } = await server.inject(assetUrl('refdesk.css'))
  assert.doesNotMatch(body, /\/\*|\n\s/, 'no comments, no indentation')
  const rules = (css: string) => css.replaceAll(/\/\*.*?\*\/|\s/gs, '')
  for (const name of styles.slice(1))
    assert.ok(rules(body).includes(rules(readFileSync(new URL(`${name}.css`, folder), 'utf8'))), name)
})
