import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html/html.ts'
import { codeBlock, copyable, emptyState, errorNotice, facts, table, tabs } from './elements.ts'
import { confirmation, inputField, postLink, selectField } from './fields.ts'

const hostile = '"><script>alert(1)</script>'

test('escapes HTML in every element', () => {
  const elements = [
    copyable(hostile, hostile),
    codeBlock(hostile, hostile),
    facts([[hostile, hostile]]),
    table(hostile, [[hostile, () => hostile, 'name']], [1], { rowClass: () => hostile }),
    tabs(hostile, [{ href: hostile, name: hostile, note: hostile, current: true }]),
    emptyState(hostile, hostile, [hostile, hostile]),
    errorNotice([hostile, hostile]),
    selectField(hostile, hostile, [[hostile, hostile]], hostile),
    inputField(hostile, hostile, hostile, { hint: hostile }),
    confirmation(hostile, hostile, html``),
    postLink(hostile, html``, hostile, hostile, [hostile, hostile]),
  ]
  for (const element of elements) assert.doesNotMatch(String(element), /<script|""/)
})

test('omits facts without a value, but keeps zero', () => {
  assert.equal(
    String(
      facts([
        ['a', 0],
        ['b', ''],
        ['c', undefined],
        ['d', false],
      ]),
    ),
    '<dl class="facts"><dt>a</dt><dd>0</dd></dl>',
  )
})

test('a table has a caption, column and row headers, and right-aligned figures', () => {
  const markup = String(
    table(
      'Prices',
      [
        ['Name', (row: { name: string; price: number }) => row.name, 'name'],
        ['Price', ({ price }) => price, 'figure'],
        false,
      ],
      [{ name: 'Apple', price: 5 }],
      { sortable: true, rowClass: ({ price }) => (price > 3 ? 'high' : undefined) },
    ),
  )
  for (const part of [
    '<div class="scroll" role="region" aria-label="Prices" tabindex="0"><table data-sortable>',
    '<caption class="unseen">Prices</caption>',
    '<th scope="col">Name</th><th scope="col" class="n">Price</th>',
    '<tr class="high"><th scope="row">Apple</th><td class="n">5</td></tr>',
  ])
    assert.ok(markup.includes(part), `${part}\n${markup}`)
})

test('marks the current tab and the chosen option, and links a hint to its field', () => {
  assert.match(
    String(tabs('x', [{ href: '/a', name: 'A', current: true }])),
    /<a href="\/a" aria-current="page">A<\/a>/,
  )
  assert.match(String(selectField('n', 'N', [['a', 'A']], 'a')), /value="a" selected/)
  assert.match(String(selectField('n', 'N', [['', 'Any']], undefined)), /value="" selected/)
  assert.match(String(inputField('n', 'N', undefined, { hint: 'h' })), /value="" aria-describedby="h-n".*id="h-n">h</)
})

test('shows one error as text and several as a list', () => {
  assert.equal(errorNotice([]), undefined)
  assert.equal(String(errorNotice(['a'])), '<div class="notice bad" role="alert">a</div>')
  assert.match(String(errorNotice(['a', 'b'])), /<ul><li>a<\/li><li>b<\/li><\/ul>/)
})
