import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickLanguage } from './texts.ts'

test('the lang parameter wins over the browser, with or without a region, in any case', () => {
  assert.equal(pickLanguage('de', 'da'), 'de')
  assert.equal(pickLanguage('de-CH', 'en'), 'de')
  assert.equal(pickLanguage('DA_dk'), 'da')
})

test('an unknown lang falls to Accept-Language, and that to English', () => {
  assert.equal(pickLanguage('fr', 'da, en;q=0.5'), 'da')
  assert.equal(pickLanguage('fr', 'it'), 'en')
  assert.equal(pickLanguage(undefined, undefined), 'en')
  assert.equal(pickLanguage('', ''), 'en')
})

test('Accept-Language is read by weight, and q=0 means never', () => {
  assert.equal(pickLanguage(undefined, 'fr;q=0.9, de-AT;q=0.3, da;q=0.8'), 'da')
  assert.equal(pickLanguage(undefined, 'de;q=0, da;q=0.1'), 'da')
  assert.equal(pickLanguage(undefined, 'de;q=banana, *'), 'en')
})

test('a name that an object happens to have is not a language', () => {
  assert.equal(pickLanguage('constructor', '__proto__'), 'en')
})
