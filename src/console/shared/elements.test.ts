import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html/html.ts'
import {
  codeBlock,
  confirmed,
  copyable,
  emptyState,
  facts,
  inputField,
  refusals,
  selectField,
  table,
  tabs,
} from './elements.ts'

const hostile = '"><script>alert(1)</script>'

test('what people wrote is text in every part', () => {
  const parts = [
    copyable(hostile, hostile),
    codeBlock(hostile, hostile),
    facts([[hostile, hostile]]),
    table(hostile, [{ head: hostile, cell: () => hostile, isRowHead: true }], [1], { rowClass: () => hostile }),
    tabs(hostile, [{ href: hostile, name: hostile, note: hostile, current: true }]),
    emptyState(hostile, hostile, { href: hostile, name: hostile }),
    refusals([hostile, hostile]),
    selectField(hostile, hostile, [{ value: hostile, name: hostile }], hostile),
    inputField(hostile, hostile, hostile, { hint: hostile }),
    confirmed(hostile, hostile, html``),
  ]
  for (const part of parts) assert.doesNotMatch(String(part), /<script|""/)
})

test('a fact without a value is left out; nothing is one, zero is not', () => {
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

test('a table names itself, its columns and its rows, and figures stand right', () => {
  const made = String(
    table(
      'Prices',
      [
        { head: 'Name', cell: (row: { name: string; price: number }) => row.name, isRowHead: true },
        { head: 'Price', cell: ({ price }) => price, isFigure: true },
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
    assert.ok(made.includes(part), `${part}\n${made}`)
})

test('the current tab is told, the chosen choice is chosen, a hint belongs to its field', () => {
  assert.match(
    String(tabs('x', [{ href: '/a', name: 'A', current: true }])),
    /<a href="\/a" aria-current="page">A<\/a>/,
  )
  assert.match(String(selectField('n', 'N', [{ value: 'a', name: 'A' }], 'a')), /value="a" selected/)
  assert.match(String(selectField('n', 'N', [{ value: '', name: 'Any' }], undefined)), /value="" selected/)
  assert.match(String(inputField('n', 'N', undefined, { hint: 'h' })), /value="" aria-describedby="h-n".*id="h-n">h</)
})

test('one refusal is a sentence, several are a list, none is nothing', () => {
  assert.equal(refusals([]), undefined)
  assert.equal(String(refusals(['a'])), '<div class="notice bad" role="alert">a</div>')
  assert.match(String(refusals(['a', 'b'])), /<ul><li>a<\/li><li>b<\/li><\/ul>/)
})
