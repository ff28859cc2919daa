import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyWeakness } from './key-weakness.ts'

const from = (byteAt: (index: number) => number) => Uint8Array.from({ length: 32 }, (_, index) => byteAt(index))

test('accepts random keys', () => {
  for (let tries = 0; tries < 200; tries++) assert.equal(keyWeakness(randomBytes(32)), undefined)
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
    [from((index) => (index < 18 ? 0 : index)), /fewer than 16/],
    [Buffer.from('correct horse battery staple 123', 'latin1'), /text/],
  ]
  for (const [key, why] of weak) assert.match(keyWeakness(key) ?? '', why, Buffer.from(key).toString('hex'))
})
