import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, find, instrument, snapshotOf } from '../../../../test/support/reference/small-universe.ts'
import type { InstrumentRecord } from '../../import/schema.ts'

const listed = (Uic: number, Symbol: string, Description: string, more: Partial<InstrumentRecord> = {}) =>
  instrument(Uic, { Symbol, Description, Rank: Uic, ...more })

/** One instrument of every class for the word `gold`, ranked against the order of the classes. */
const classes = [
  listed(1, 'A1:x', 'Pure Goldman Trust'),
  listed(2, 'A2:x', 'Physical Gold Trust'),
  listed(3, 'GOLDX:x', 'Miners'),
  listed(4, 'A4:x', 'Gold Fields Ltd.'),
  listed(5, 'A5:x', 'Barrick Mining Corp.', { Aliases: ['Gold'] }),
  listed(6, 'GOLD:x', 'Bullion'),
  listed(7, 'GOLD.I', 'Index of bullion'),
  listed(8, 'A8:x', 'Xau fund', { Aliases: ['GOLD'] }),
]

test('orders symbol, name, symbol prefix, whole word and word prefix; then by rank', () => {
  const expected = ['+6', '+7', '+8', '+4', '+5', '+3', '+2', '+1']
  for (const snapshot of [snapshotOf(...classes), changed(classes.slice(0, 4), classes.slice(4))])
    assert.deepEqual(find(snapshot, 'gold'), expected)
})

test('an ISIN ranks after a symbol and before a name', () => {
  const isin = 'US0378331005'
  const snapshot = snapshotOf(
    listed(1, 'A1:x', `${isin} note`),
    listed(2, 'A2:x', 'Apple', { Isin: isin }),
    listed(3, `${isin}:x`, 'Fund'),
  )
  assert.deepEqual(find(snapshot, isin), ['+3', '+2', '+1'])
})

test('with several words: name, symbol prefix, whole words, word prefixes', () => {
  const snapshot = snapshotOf(
    listed(1, 'A1:x', 'Trust of Goldman Fieldstone'),
    listed(2, 'A2:x', 'Trust of Fields and Gold'),
    listed(3, 'GOLDX:x', 'Fieldsman'),
    listed(4, 'GOLD:x', 'Fields of corn'),
    listed(5, 'A5:x', 'The Gold Fields Company'),
  )
  assert.deepEqual(find(snapshot, 'gold fields'), ['+5', '+3', '+4', '+2', '+1'])
})

test('whole words come before word prefixes, however many of these come first and however short the page is', () => {
  for (let prefixes = 1; prefixes <= 40; prefixes++) {
    const many = Array.from({ length: prefixes }, (_, at) => listed(at + 1, `A${at}:x`, 'Trust of Goldman Fieldstone'))
    const snapshot = snapshotOf(...many, listed(prefixes + 1, 'B:x', 'Trust of Fields and Gold'))
    for (const top of [1, prefixes - 1, prefixes, prefixes + 1])
      assert.deepEqual(find(snapshot, 'gold fields', {}, top)[0], top > 0 ? `+${prefixes + 1}` : undefined)
  }
})

/** The queries that people expected otherwise: the first instrument is what they looked for. */
const expectations: readonly (readonly [keywords: string, ...InstrumentRecord[]])[] = [
  ['nestlé', listed(5, 'NESN:xswx', 'Nestle SA'), listed(6, 'NESTLEIND:xbom', 'Nestle India Ltd.')],
  ['3m', listed(5, 'MMM:xnys', '3M Company'), listed(1, '3MI:xdus', 'PageGroup plc')],
  [
    'coca cola',
    listed(5, 'KO:xnys', 'The Coca-Cola Company'),
    listed(1, 'COCA34:bvmf', 'Brazilian receipt of Coca-Cola'),
  ],
  ['bitcoin', listed(5, 'BTCUSD', 'Bitcoin/US Dollar'), listed(1, 'BITCOIN-XBTE:xsto', 'Bitcoins tracker')],
  [
    'alphabet class a',
    listed(5, 'GOOGL:xnas', 'Alphabet Inc. - A Share', { Aliases: ['Alphabet Class A'] }),
    listed(1, 'ABEC:xetr', 'Alphabet Inc. Class C'),
  ],
  ['google', listed(5, 'GOOGL:xnas', 'Alphabet Inc.', { Aliases: ['Google'] }), listed(1, 'X:x', 'Fund of Google')],
  ['s&p 500', listed(5, 'US500.I', 'US 500', { Aliases: ['S&P 500'] }), listed(1, '500:xpar', 'Amundi S&P 500 ETF')],
  ['sp500', listed(5, 'US500.I', 'US 500', { Aliases: ['SP500'] }), listed(1, 'SSO:arcx', 'Ultra S&P500')],
  ['dax', listed(5, 'DAX.I', 'Germany 40'), listed(1, 'DAXX:xpar', 'ETF')],
  ['johnson and johnson', listed(5, 'JNJ:xnys', 'Johnson & Johnson'), listed(1, 'AND:x', 'Andover of Johnson')],
]

test('finds first what people look for', () => {
  for (const [keywords, wanted, ...others] of expectations) {
    const [first, ...rest] = find(snapshotOf(...others, wanted as InstrumentRecord), keywords)
    assert.equal(first, `+${wanted?.Uic}`, keywords)
    assert.ok(rest.length <= others.length)
  }
})

/** What people type for instruments whose symbol or name is written otherwise. */
const written: readonly (readonly [typed: string, ...InstrumentRecord[]])[] = [
  ['eur usd', listed(5, 'EURUSD', 'Euro/US Dollar')],
  ['chf', listed(5, 'USDCHF', 'US Dollar/Swiss Franc'), listed(6, 'CHFJPY', 'Swiss Franc/Japanese Yen')],
  ['swiss franc', listed(5, 'USDCHF', 'US Dollar/Swiss Franc'), listed(6, 'CHFJPY', 'Swiss Franc/Japanese Yen')],
  ['total energies', listed(5, 'TTE:xpar', 'TotalEnergies SE'), listed(6, 'X:x', 'Total return of energies')],
  ['total energies se', listed(5, 'TTE:xpar', 'TotalEnergies SE')],
  ['airliquide', listed(5, 'AI:xpar', 'Air Liquide SA')],
  ['eurostoxx 50', listed(5, 'EU50.I', 'EU Stocks 50', { Aliases: ['Euro Stoxx 50'] })],
  ['nvda us', listed(5, 'NVDA:xnas', 'NVIDIA Corp.'), listed(1, 'NVDA:xetr', 'Nvidia Corp. USD line')],
  ['sap.de', listed(5, 'SAP:xetr', 'SAP SE'), listed(1, 'SAP:xnys', 'SAP SE')],
  ['nasdaq: meta', listed(5, 'META:xnas', 'Meta Platforms Inc.')],
  ['700', listed(5, '00700:xhkg', 'Tencent'), listed(1, '7000:x', 'Fund')],
  ['0700', listed(5, '00700:xhkg', 'Tencent')],
  ['inveb', listed(5, 'INVE-B:xsto', 'Investor AB'), listed(1, 'INVEBX:x', 'Fund')],
  ['brk/b', listed(5, 'BRK.B:xnys', 'Berkshire Hathaway'), listed(1, 'BRK.A:xnys', 'Berkshire Hathaway')],
  ['microsoft corporation', listed(5, 'MSFT:xnas', 'Microsoft Corp.')],
  ['the coca-cola company', listed(5, 'KO:xnys', 'Coca-Cola Co.')],
]

test('finds symbols and names that are typed with other blanks, punctuation, zeros, or an exchange', () => {
  for (const [typed, wanted, ...others] of written) {
    const records = [...others, wanted as InstrumentRecord]
    for (const snapshot of [snapshotOf(...records), changed(others, [wanted as InstrumentRecord])])
      assert.equal(find(snapshot, typed)[0], `+${wanted?.Uic}`, typed)
  }
})

test('a symbol typed with its exchange is found before words that match, and only on that exchange', () => {
  const snapshot = snapshotOf(
    listed(1, 'TUS:x', 'T-Mobile US'),
    listed(2, 'T:xnys', 'AT&T'),
    listed(3, 'T:xtse', 'TELUS'),
  )
  assert.deepEqual(find(snapshot, 't us'), ['+2', '+1'])
  assert.deepEqual(find(snapshot, 't cn'), ['+3'])
})

test('a number is not corrected to another number', () => {
  assert.deepEqual(find(snapshotOf(listed(1, '7203:xtks', 'Toyota')), '7204'), [])
})

test('words that only together spell a name are not corrected, whatever is asked for', () => {
  const snapshot = snapshotOf(listed(1, 'TTE:xpar', 'TotalEnergies SE'), listed(2, 'X:x', 'Total Energie'))
  assert.deepEqual(find(snapshot, 'total energies'), ['+1'])
  assert.deepEqual(find(snapshot, 'total energies', { assetTypes: ['Bond'] }), [])
  assert.deepEqual(find(snapshot, 'total energies', { uics: [2] }), [])
  assert.deepEqual(find(snapshot, 'totals energie'), ['+2'], 'a typo that spells no name is')
})

test('an alias is found like a name, in every asset type, also if these have other names', () => {
  const As: InstrumentRecord['As'] = [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock', Description: 'Contract' }]
  const snapshot = snapshotOf(listed(1, 'META:x', 'Meta', { As, Aliases: ['Facebook', 'FB'] }))
  for (const assetTypes of [['Stock'], ['CfdOnStock']])
    for (const keywords of ['facebook', 'face', 'fb', 'facebok'])
      assert.deepEqual(find(snapshot, keywords, { assetTypes }), ['+1'], keywords)
})
