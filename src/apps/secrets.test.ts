import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sealSecret, secretSealKey, shownSecret } from './secrets.ts'

const key = secretSealKey(Buffer.alloc(32, 1))
const times = {
  validFrom: Temporal.Instant.from('2026-11-16T12:00Z'),
  validUntil: Temporal.Instant.from('2027-11-16T12:00Z'),
}
const kept = (plain: string, mode: 'listed' | 'once') => ({
  id: 1,
  sealed: sealSecret(key, 'app', plain, mode),
  ...times,
  lastUsedAt: null,
})

test('only what has the form of a shortened secret counts as one', () => {
  for (const plain of [
    '0123456789abcdef',
    'with…a mark inside',
    'a\n\u{1F600}d-and-some-more-wx\ryz',
    'abcd…wxyz…abcd…wxyz',
  ]) {
    const letters = [...plain]
    const short = `${letters.slice(0, 4).join('')}…${letters.slice(-4).join('')}`
    assert.deepEqual(shownSecret(key, 'app', kept(plain, 'listed'), 'listed'), { text: plain, isWhole: true })
    for (const [sealedAs, shownAs] of [
      ['listed', 'once'],
      ['once', 'once'],
      ['once', 'listed'],
    ] as const)
      assert.deepEqual(shownSecret(key, 'app', kept(plain, sealedAs), shownAs), { text: short, isWhole: false })
  }
})
