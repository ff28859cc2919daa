import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Html, html, raw } from './html.ts'

test('escapes values in text and in quoted attributes', () => {
  const hostile = `"><script>alert('&amp;')</script>`
  assert.equal(
    String(html`<p title="${hostile}">${hostile}</p>`),
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;amp;&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;&amp;amp;&#39;)&lt;/script&gt;</p>',
  )
})

test('escapes every special character of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\';#39ltgamp ä') }), (text) => {
      const made = String(html`${text}`)
      assert.doesNotMatch(made, /[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      const back = made
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
      assert.equal(back, text)
    }),
  )
})

test('leaves Html unchanged, and joins lists without commas', () => {
  const items = ['<a>', '<b>'].map((name) => html`<li>${name}</li>`)
  assert.equal(String(html`<ul>${items}${raw('<hr>')}</ul>`), '<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li><hr></ul>')
  assert.equal(String(html`${['<', html`<i></i>`]}`), '&lt;<i></i>')
})

test('writes nothing for null, undefined and false, but writes zero', () => {
  assert.equal(String(html`[${null}${undefined}${false}${''}${0}]`), '[0]')
})

test('escapes an object that only looks like Html', () => {
  const forged = { toString: () => '<script>' } as unknown as Html
  assert.equal(String(html`${forged}`), '&lt;script&gt;')
  assert.ok(html`` instanceof Html)
})
