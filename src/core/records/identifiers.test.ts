import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifierText, identifierType, isinIn } from './identifiers.ts'

test('the codes of ISO 20022, the countries of MT564 and common spellings are one type', () => {
  for (const [type, names] of Object.entries({
    CUSIP: ['CUSIP', 'cusip', 'CUSP', 'CINS', 'US', 'CA', 'USDC'],
    SEDOL: ['Sedol', 'SEDL', 'GB'],
    WKN: ['WKN', 'WKNR', 'DE'],
    Valoren: ['VALO', 'Valor', 'CH'],
    CommonCode: ['Common code', 'common-code', 'COMM', 'XS'],
    RIC: ['RICC', 'Ric'],
    Ticker: ['TIKR', 'TS'],
    CCDC: ['CCDC', 'CN'],
  }))
    for (const name of names) assert.equal(identifierType(name), type, name)
})

test('a type that is not listed keeps its name; the code for a country becomes the country', () => {
  assert.deepEqual(['EG', 'EGDC', 'Our own', 'OUR-OWN', 'FIGI', 'XX', ' - '].map(identifierType), [
    'EG',
    'EG',
    'OUROWN',
    'OUROWN',
    'FIGI',
    'XX',
    '',
  ])
})

test('an identifier has its type before it', () => {
  assert.equal(identifierText({ Type: 'CUSP', Value: ' 037833100 ' }), 'CUSIP 037833100')
  assert.deepEqual([isinIn('ISIN US0378331005'), isinIn('CUSIP 037833100')], ['US0378331005', undefined])
})
