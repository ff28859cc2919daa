import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Html, html, raw } from './html.ts'

test('text in a hole cannot become markup, in text or in a quoted attribute', () => {
  const hostile = `"><script>alert('&amp;')</script>`
  assert.equal(
    String(html`<p title="${hostile}">${hostile}</p>`),
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;amp;&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;&amp;amp;&#39;)&lt;/script&gt;</p>',
  )
})

test('whatever the text, nothing but entities of ours remains of what HTML knows', () => {
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

test('Html passes as it is, and lists of it join without commas', () => {
  const items = ['<a>', '<b>'].map((name) => html`<li>${name}</li>`)
  assert.equal(String(html`<ul>${items}${raw('<hr>')}</ul>`), '<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li><hr></ul>')
  assert.equal(String(html`${['<', html`<i></i>`]}`), '&lt;<i></i>')
})

test('nothing is written for null, undefined and false, but zero and the empty string are values', () => {
  assert.equal(String(html`[${null}${undefined}${false}${''}${0}]`), '[0]')
})

test('an object that only looks like Html is refused a free pass', () => {
  const forged = { toString: () => '<script>' } as unknown as Html
  assert.equal(String(html`${forged}`), '&lt;script&gt;')
  assert.ok(html`` instanceof Html)
})
