import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { areTooMany, attemptAddress, attemptWindowSeconds } from './attempts.ts'

test('wrong attempts are counted over five minutes', () => {
  assert.equal(attemptWindowSeconds, 5 * 60)
})

const cases: [kind: 'password' | 'secret', fromAddress: number, fromEverywhere: number, tooMany: boolean][] = [
  ['password', 0, 0, false],
  ['password', 9, 9, false],
  ['password', 10, 10, true],
  ['password', 1, 99, false],
  ['password', 1, 100, true],
  ['password', 0, 100, true],
  ['secret', 9, 9, false],
  ['secret', 10, 10, true],
]

for (const [kind, fromAddress, fromEverywhere, tooMany] of cases)
  test(`${fromAddress} wrong ${kind}s from here and ${fromEverywhere} from everywhere are ${tooMany ? '' : 'not '}too many`, () => {
    assert.equal(areTooMany(kind, { fromAddress, fromEverywhere }), tooMany)
  })

test('wrong secrets from elsewhere never lock out an app, however many', () => {
  assert.equal(areTooMany('secret', { fromAddress: 0, fromEverywhere: 1_000_000 }), false)
  assert.equal(areTooMany('secret', { fromAddress: 9, fromEverywhere: 1_000_000 }), false)
})

const addresses: [address: string, counted: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:51004', '192.0.2.7'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2'],
  ['2001:0db8:1:2::9', '2001:db8:1:2'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:db8:1::5:6:7:8', '2001:db8:1:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
]

test('an IPv4 address counts for itself, also mapped into IPv6; an IPv6 address for its /64', () => {
  for (const [address, counted] of addresses) assert.equal(attemptAddress(address), counted, address)
})

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count })

test('every IPv4 address is its own, however often it is read', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(attemptAddress(address), address)
      assert.equal(attemptAddress(attemptAddress(`::ffff:${address}`)), address)
    }),
  )
})

test('all addresses of one /64 count as one, those of another do not', () => {
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), groups(4), (network, host, otherHost, otherNetwork) => {
      const counted = attemptAddress([...network, ...host].join(':'))
      assert.equal(attemptAddress([...network, ...otherHost].join(':')), counted)
      assert.equal(attemptAddress(`${network.join(':')}::`), counted)
      const elsewhere = attemptAddress([...otherNetwork, ...host].join(':'))
      assert.equal(elsewhere === counted, otherNetwork.join(':') === network.join(':'))
    }),
  )
})

test('an address written short counts as the same address written out', () => {
  const shortened = fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 7 }), groups(8))
  fc.assert(
    fc.property(shortened, ([zeros, position, all]) => {
      const from = Math.min(position, 8 - zeros)
      const [before, after] = [all.slice(0, from), all.slice(from + zeros)]
      const full = [...before, ...Array<string>(zeros).fill('0'), ...after].join(':')
      assert.equal(attemptAddress(`${before.join(':')}::${after.join(':')}`), attemptAddress(full))
    }),
  )
})
