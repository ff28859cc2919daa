import assert from 'node:assert/strict'
import { test } from 'node:test'
import { narrative } from './narrative.ts'

const shown = (text: string): string => narrative(text).toString()
const lines = (inner: string): string => `<div class="narrative lines">${inner}</div>`

test('plain text is escaped and keeps its line breaks', () => {
  assert.equal(shown('1 < 2 & "3"\nnext'), lines('1 &lt; 2 &amp; "3"\nnext'))
})

test('keeps simple HTML and adds rel to links', () => {
  const link = '<a href="https://a.example/?b&amp;c" rel="noopener noreferrer nofollow">terms</a>'
  assert.equal(shown('<b>See</b> <a href="https://a.example/?b&c" target="x">terms</a>'), lines(`<b>See</b> ${link}`))
  const table = '<table><tr><th>A</th><td colspan="2">1</td></tr></table>'
  assert.equal(
    shown(`<p class="x" style="color:red" id="y">One</p>${table}`),
    `<div class="narrative"><p>One</p>${table}</div>`,
  )
})

test('a removed href does not break the next link', () => {
  assert.equal(
    shown('<p><a href="mailto:x@y.example">x</a></p><p><a href="https://a.example/">a</a> rest</p>'),
    '<div class="narrative"><p><a>x</a></p><p>' +
      '<a href="https://a.example/" rel="noopener noreferrer nofollow">a</a> rest</p></div>',
  )
})

test('removes scripts, images, styles and forms', () => {
  for (const [hostile, rest] of [
    ['<script>alert(1)</script>x', 'x'],
    ['<img src=x onerror=alert(1)>x', 'x'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="//other.example">x</a>', '<a>x</a>'],
    ['<a href="/logout">x</a>', '<a>x</a>'],
    ['<b onclick="alert(1)">x</b>', '<b>x</b>'],
    ['<style>*{display:none}</style>x', 'x'],
    ['<iframe srcdoc="<script>alert(1)</script>"></iframe>x', 'x'],
    ['<form action="https://other.example"><input name="password">x</form>', 'x'],
    ['<svg><a href="https://a.example"><animate onbegin=alert(1)></a></svg>x', 'x'],
    ['</div></main><h1>x</h1>', 'x'],
    ['<b>x', '<b>x</b>'],
  ] as const) {
    const inner = shown(hostile).slice('<div class="narrative lines">'.length, -'</div>'.length)
    assert.equal(inner.replaceAll(/<a href="https:\/\/a\.example" rel="[a-z ]+"><\/a>/g, ''), rest, hostile)
  }
})

test('excessive markup is shown as text, without being parsed', () => {
  for (const hostile of [
    '<b>'.repeat(20_000),
    '<p>'.repeat(20_000),
    '<ul><li>'.repeat(7_500),
    '<table><tr><td>'.repeat(4_000),
    `${'<b>'.repeat(8_500)}${'</b>'.repeat(8_500)}`,
    '<b><x>'.repeat(10_000),
    '<'.repeat(60_000),
    `<b>${'x'.repeat(200_000)}</b>`,
  ])
    assert.doesNotMatch(shown(hostile).slice('<div '.length, -'</div>'.length), /</, hostile.slice(0, 30))
  const rows = '<tr><td>a &lt; b</td><td><script>1</script></td></tr>'.repeat(400)
  assert.match(shown(`<table>${rows}</table>`), /^<div class="narrative lines"> +a &amp;lt; b +1 +\n +a &amp;lt; b +1 /)
})

test('a table of 300 cells keeps its markup', () => {
  const rows = '<tr><td>a</td><td>b</td><td>c</td></tr>'.repeat(100)
  assert.equal(shown(`<table>${rows}</table>`), `<div class="narrative"><table>${rows}</table></div>`)
})
