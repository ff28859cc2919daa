import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rateLimitAddress, rateLimitNetwork } from './address.ts'

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
  for (const [address, counted] of addresses) assert.equal(rateLimitAddress(address), counted, address)
})

test('the network of an address is written as people do', () => {
  const networks = [
    ['192.0.2.7:51004', '192.0.2.7'],
    ['2001:0db8:0:0:3:4:5:6', '2001:db8::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['::1', '::1'],
    ['unknown', 'unknown'],
    ['not:an:address', 'not:an:address'],
  ] as const
  for (const [address, network] of networks) assert.equal(rateLimitNetwork(address), network, address)
})

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count })

test('every IPv4 address counts separately', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(rateLimitAddress(address), address)
      assert.equal(rateLimitAddress(rateLimitAddress(`::ffff:${address}`)), address)
    }),
  )
})

test('all addresses of one /64 count as one, those of another do not', () => {
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), groups(4), (network, host, otherHost, otherNetwork) => {
      const counted = rateLimitAddress([...network, ...host].join(':'))
      assert.equal(rateLimitAddress([...network, ...otherHost].join(':')), counted)
      assert.equal(rateLimitAddress(`${network.join(':')}::`), counted)
      const elsewhere = rateLimitAddress([...otherNetwork, ...host].join(':'))
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
      assert.equal(rateLimitAddress(`${before.join(':')}::${after.join(':')}`), rateLimitAddress(full))
    }),
  )
})
