import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickLanguage } from './texts.ts'

test('lang overrides the browser, with or without a region, in any case', () => {
  assert.equal(pickLanguage('de', 'da'), 'de')
  assert.equal(pickLanguage('de-CH', 'en'), 'de')
  assert.equal(pickLanguage('DA_dk'), 'da')
})

test('an unknown lang falls back to Accept-Language, then to English', () => {
  assert.equal(pickLanguage('fr', 'da, en;q=0.5'), 'da')
  assert.equal(pickLanguage('fr', 'it'), 'en')
  assert.equal(pickLanguage(undefined, undefined), 'en')
  assert.equal(pickLanguage('', ''), 'en')
})

test('respects the weights of Accept-Language; q=0 means never', () => {
  assert.equal(pickLanguage(undefined, 'fr;q=0.9, de-AT;q=0.3, da;q=0.8'), 'da')
  assert.equal(pickLanguage(undefined, 'de;q=0, da;q=0.1'), 'da')
  assert.equal(pickLanguage(undefined, 'de;q=banana, *'), 'en')
})

test('a property name of objects is not a language', () => {
  assert.equal(pickLanguage('constructor', '__proto__'), 'en')
})
