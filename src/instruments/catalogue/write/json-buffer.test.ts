import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonBuffer } from './json-buffer.ts'

const written = (value: number): string => String(new JsonBuffer().number(value).finish())

test('a number is written as JSON has it', () => {
  const decimal = fc.tuple(fc.nat(), fc.nat({ max: 99_999 }), fc.integer({ min: 0, max: 5 }))
  const anyNumber = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    decimal.map(([whole, decimals, digits]) =>
      Number(`${whole}.${String(decimals).padStart(5, '0').slice(0, digits)}`),
    ),
    decimal.map(([whole, decimals]) => Number(`${whole}.${decimals}`)),
  )
  fc.assert(
    fc.property(anyNumber, (value) => assert.equal(written(value), JSON.stringify(value))),
    { numRuns: 5_000 },
  )
})

test('numbers at the limits of the short ways are written too', () => {
  const limits = [
    2 ** 31,
    2 ** 31 - 1,
    2 ** 31 - 0.5,
    2 ** 31 + 0.5,
    2 ** 53,
    0.1 + 0.2,
    1.005,
    0.0001,
    0.00001,
    1e21,
    5e-324,
  ]
  for (const value of [0, ...limits])
    for (const each of [value, -value]) assert.equal(written(each), JSON.stringify(each))
})
