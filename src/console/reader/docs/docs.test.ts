import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chapterAddress, docsPath } from './address.ts'
import { Library, readLibrary } from './library.ts'
import { type Chapter, plainText, readDocument, renderChapter } from './markdown.ts'
import { searchDocuments } from './search.ts'

const rendered = async (
  markdown: string,
  resolve: (href: string) => string | undefined = () => undefined,
): Promise<string> => {
  const [chapter] = (await readDocument('x', markdown)).chapters
  return renderChapter(chapter as Chapter, resolve).toString()
}

test('the title of a document is the heading of its page, and other headings are links to themselves', async () => {
  const { title, chapters } = await readDocument('x', '# The title\n\nText.\n\n## A `part`\n\n## A part\n')
  assert.equal(title, 'The title')
  assert.deepEqual(
    chapters[0]?.sections.map(({ anchor }) => anchor),
    ['the-title', 'a-part', 'a-part-1'],
  )
  const page = await rendered('# The title\n\nText.\n\n## A `part`\n')
  assert.doesNotMatch(page, /The title/)
  assert.match(page, /<h2 id="a-part">A <code>part<\/code> <a class="anchor" href="#a-part"/)
})

test('what a document quotes stays text, and raw HTML is left out', async () => {
  const page = await rendered(
    'Type `<script>` & <b onclick="x">bold</b>.\n\n<!-- a comment -->\n\n    <img src=x onerror=y>\n',
  )
  assert.doesNotMatch(page, /<script|<b |<img|comment/)
  assert.match(page, /&lt;script&gt;/)
  assert.match(page, /&lt;img src=x/)
})

test('a link to a document leads to its page, one to another file is plain text', async () => {
  const page = await rendered('[one](a.md) and [two](../src/x.ts)', (href) =>
    href === 'a.md' ? '/console/docs/a' : undefined,
  )
  assert.match(page, /<a href="\/console\/docs\/a">one<\/a> and two/)
})

test('tables can be scrolled, and code keeps its language', async () => {
  const page = await rendered('| a | b |\n|---|--:|\n| 1 | `2` |\n\n```ts\nconst a = 1 < 2\n```\n')
  assert.match(page, /<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>/)
  assert.match(page, /<td class="right"><code>2<\/code><\/td>/)
  assert.match(page, /<pre tabindex="0"><code data-language="ts">const a = 1 &lt; 2<\/code><\/pre>/)
})

test('a long document has a page per chapter, and links find the chapter of an anchor', async () => {
  const filler = 'Words. '.repeat(4_000)
  const long = await readDocument(
    'long',
    `# Long\n\n${filler}\n\n## First\n\n${filler}\n\n### Inner part\n\n\`\`\`\n## Not a chapter\n\`\`\`\n\n## Second\n\nEnd.\n`,
  )
  const short = await readDocument(
    'guides/short',
    '# Short\n\n[there](../long.md#inner-part), [all](../long.md), [here](#short)\n',
  )
  const library = new Library([{ title: 'All', documents: [long, short] }])
  assert.deepEqual(
    long.chapters.map(({ slug, title }) => [slug, title]),
    [
      ['', 'Long'],
      ['first', 'First'],
      ['second', 'Second'],
    ],
  )
  assert.equal(library.find('long/first')?.chapter.title, 'First')
  assert.equal(library.find('long')?.chapter.slug, '')
  for (const path of ['', 'long/', 'long/nothing', 'nothing/first', 'guides', '../package', 'guides/short/x'])
    assert.equal(library.find(path), undefined, path)
  const page = library.render(short, short.chapters[0] as Chapter).toString()
  assert.match(page, /href="\/console\/docs\/long\/first#inner-part">there/)
  assert.match(page, /href="\/console\/docs\/long">all/)
  assert.match(page, /href="\/console\/docs\/guides\/short#short">here/)
})

test('search finds sections with all words, titles first, and marks the words', async () => {
  const documents = [
    await readDocument(
      'a',
      '# About tokens\n\nA refresh of them.\n\n## Other\n\nRefresh tokens end after an hour. A token is a key.\n',
    ),
    await readDocument('b', '# Refresh tokens\n\nNothing more.\n'),
  ]
  const found = searchDocuments(documents, ' Refresh  TOKEN ')
  assert.deepEqual(
    found.map(({ section }) => section.title),
    ['Refresh tokens', 'About tokens', 'Other'],
  )
  assert.deepEqual(found[2]?.excerpt, ['', 'Refresh', ' ', 'token', 's end after an hour. A ', 'token', ' is a key.'])
  assert.deepEqual(searchDocuments(documents, 'refresh pony'), [])
  assert.deepEqual(searchDocuments(documents, '  '), [])
  assert.equal(searchDocuments(documents, '.*').length, 0)
})

test('a long text is cut around the first word', async () => {
  const text = `${'before '.repeat(60)}needle ${'after '.repeat(60)}`
  const [found] = searchDocuments([await readDocument('a', `# T\n\n${text}\n`)], 'needle')
  const excerpt = found?.excerpt.join('') ?? ''
  assert.match(excerpt, /^… before.* needle after.* …$/)
  assert.ok(excerpt.length < 220)
})

test('plain text has no marks of Markdown', async () => {
  assert.equal(
    plainText('See **[the spec](spec.md)**: `a|b` <!-- x -->\n| a | b |\n|---|---|'),
    'See the spec : a b a b',
  )
})

test('every link between the documents leads to a page and a heading that exist', async () => {
  const library = await readLibrary()
  assert.ok(library.documents.length > 25)
  const pages = new Map<string, Set<string>>()
  const bodies = library.documents.flatMap((document) =>
    document.chapters.map((chapter) => {
      const body = library.render(document, chapter).toString()
      const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
      assert.equal(new Set(ids).size, ids.length, `${document.name} repeats an id`)
      pages.set(chapterAddress(document, chapter), new Set([...ids, chapter.sections[0]?.anchor ?? '']))
      return body
    }),
  )
  const links = bodies.flatMap((body) => [...body.matchAll(/href="(\/console\/[^"]+)"/g)].map(([, href = '']) => href))
  assert.ok(links.length > 20)
  const broken = links.filter((href) => {
    const [path = '', anchor] = href.split('#')
    return !path.startsWith(docsPath) || !pages.has(path) || (anchor !== undefined && !pages.get(path)?.has(anchor))
  })
  assert.deepEqual(broken, [])
})
