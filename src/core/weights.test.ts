import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWeights } from './weights.ts'

const headers: [string, Record<string, number>][] = [
  ['gzip', { gzip: 1 }],
  ['BR;Q=0.5 , gzip ; q=0', { br: 0.5, gzip: 0 }],
  ['text/csv; header=present; q=0.25, */*;q=1', { 'text/csv': 0.25, '*/*': 1 }],
  ['a;q=2, b;q=-1, c;q=much, d;q=', { a: 0, b: 0, c: 0, d: 0 }],
]

test('each name in a header has its weight: 1 by default, 0 if invalid', () => {
  for (const [header, weights] of headers) assert.deepEqual(Object.fromEntries(parseWeights(header)), weights, header)
})
