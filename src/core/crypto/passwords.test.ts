import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, Passwords } from './passwords.ts'

test('a flood of sign-ins from one address, or one IPv6 /64, delays another address by one check', async () => {
  const passwords = new Passwords()
  const order: string[] = []
  const flood = (index: number) => (index % 2 === 0 ? '2001:db8:0:1::1' : `2001:db8:0:1::${index.toString(16)}`)

  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const held = ['held', 'also held'].map((address) => passwords.inTurn(address, () => released))
  const addresses = [...Array.from({ length: 50 }, (_, index) => flood(index)), '198.51.100.1', '198.51.100.2']
  const turns = addresses.map((address) => passwords.inTurn(address, async () => void order.push(address)))
  release()
  await Promise.all([...held, ...turns])

  assert.equal(order.length, 52)
  assert.deepEqual(order.slice(1, 3), ['198.51.100.1', '198.51.100.2'])
})

test('compares passwords, and nothing matches a user without one', async () => {
  const passwords = new Passwords()
  const hash = await hashPassword('right')
  const matches = (passwordHash: string | undefined, password: string) =>
    passwords.inTurn('198.51.100.1', (match) => match(passwordHash, password))

  assert.deepEqual(
    [await matches(hash, 'right'), await matches(hash, 'wrong'), await matches(undefined, 'right')],
    [true, false, false],
  )
})
