import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html/html.ts'
import { type ErrorCause, errorPage, signedOutPage, signOutPage } from './messages.ts'
import { type Language, texts } from './texts.ts'

const languages = Object.keys(texts) as Language[]

test('an error page explains what happened, what to do and what a developer checks, without links', () => {
  for (const lang of languages)
    for (const [cause, text] of Object.entries(texts[lang].errors)) {
      const page = String(errorPage({ environment: 'sim', lang }, cause as ErrorCause, 'abc-123'))
      for (const part of [text.title, text.sentence, text.advice, text.developers, 'abc-123'])
        assert.ok(page.includes(String(html`${part}`)), `${lang}: ${part}`)
      assert.doesNotMatch(page, /<a |<form|<button|<script| style=/)
    }
})

test('signing out needs a confirmation, posted with the form token', () => {
  const page = String(signOutPage({ environment: 'sim', lang: 'en' }, '<ada>', 't"1'))
  assert.match(page, /<form method="post" action="\/logout"/)
  assert.match(page, /name="form_token" value="t&quot;1"/)
  assert.match(page, /signed in as <strong><bdi>&lt;ada&gt;<\/bdi><\/strong>/)
})

test('confirms the sign-out', () => {
  assert.match(String(signedOutPage({ environment: 'live', lang: 'de' })), /<h1>Sie sind abgemeldet<\/h1>/)
})
