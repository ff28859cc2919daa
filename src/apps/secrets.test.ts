import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displaySecret, sealSecret, secretSealKey } from './secrets.ts'

const key = secretSealKey(Buffer.alloc(32, 1))
const times = {
  validFrom: Temporal.Instant.from('2026-11-16T12:00Z'),
  validUntil: Temporal.Instant.from('2027-11-16T12:00Z'),
}
const stored = (plain: string, mode: 'listed' | 'once') => ({
  id: 1,
  sha256: Buffer.alloc(0),
  sealed: sealSecret(key, 'app', plain, mode),
  ...times,
  lastUsedAt: null,
})

test('a shortened secret is recognized by its form alone', () => {
  for (const plain of [
    '0123456789abcdef',
    'with…a mark inside',
    'a\n\u{1F600}d-and-some-more-wx\ryz',
    'abcd…wxyz…abcd…wxyz',
  ]) {
    const letters = [...plain]
    const short = `${letters.slice(0, 4).join('')}…${letters.slice(-4).join('')}`
    assert.deepEqual(displaySecret(key, 'app', stored(plain, 'listed'), 'listed'), { text: plain, isComplete: true })
    for (const [sealedAs, shownAs] of [
      ['listed', 'once'],
      ['once', 'once'],
      ['once', 'listed'],
    ] as const)
      assert.deepEqual(displaySecret(key, 'app', stored(plain, sealedAs), shownAs), { text: short, isComplete: false })
  }
})
