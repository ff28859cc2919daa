import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyWeakness } from './key-weakness.ts'

const from = (byteAt: (index: number) => number) => Uint8Array.from({ length: 32 }, (_, index) => byteAt(index))

test('accepts random keys', () => {
  for (let tries = 0; tries < 200; tries++) assert.equal(keyWeakness(randomBytes(32)), undefined)
})

test('accepts 32 random letters, digits or hex digits, which some tools generate', () => {
  for (let tries = 0; tries < 200; tries++)
    for (const text of [randomBytes(24).toString('base64'), randomBytes(16).toString('hex')])
      assert.equal(keyWeakness(Buffer.from(text, 'latin1')), undefined, text)
})

test('rejects a key without entropy and says why', () => {
  const weak: [Uint8Array, RegExp][] = [
    [from(() => 0), /the same/],
    [from(() => 255), /the same/],
    [from((index) => index), /count up or down/],
    [from((index) => 255 - index), /count up or down/],
    [from((index) => 240 + index), /count up or down/],
    [from((index) => index * 7), /count up or down/],
    [from((index) => index % 2), /repeats/],
    [Buffer.concat([randomBytes(16), randomBytes(16)].fill(randomBytes(16))), /repeats/],
    [Buffer.from('0123456789abcdef0123456789abcdef', 'latin1'), /repeats/],
    [from((index) => (index < 26 ? 0 : index)), /fewer than 8/],
  ]
  for (const [key, why] of weak) assert.match(keyWeakness(key) ?? '', why, Buffer.from(key).toString('hex'))
})
