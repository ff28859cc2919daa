import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetTypes } from '../../core/asset-type.ts'
import { accessGroups } from './access-groups.ts'
import type { AccessRight } from './visibility.ts'

const right = (members: Partial<AccessRight> = {}): AccessRight => ({
  userKey: null,
  accountKey: null,
  assetTypes: null,
  exchangeIds: null,
  level: 'View',
  ...members,
})
const accounts = ['k1', 'k2'].map((accountKey) => ({ accountKey, accountId: accountKey }))

test('a right without limits covers every asset type at every exchange on every account', () => {
  const everything = { assetTypes, exchanges: 'all', isOnAllAccounts: true }
  assert.deepEqual(accessGroups([right({ level: 'Trade' })], accounts), [
    { level: 'View', ...everything },
    { level: 'Trade', ...everything },
  ])
  assert.deepEqual(accessGroups([right()], accounts), [{ level: 'View', ...everything }])
})

test('asset types with the same exchanges are one group', () => {
  const rights = [
    right({ assetTypes: ['Stock', 'Etf'], exchangeIds: ['NYSE', 'LSE'] }),
    right({ assetTypes: ['Bond'] }),
    right({ assetTypes: ['Etf'], exchangeIds: ['LSE'], level: 'Trade' }),
    right({ assetTypes: ['Fund'], exchangeIds: [] }),
  ]
  const isOnAllAccounts = true
  assert.deepEqual(accessGroups(rights, accounts), [
    { level: 'View', assetTypes: ['Bond'], exchanges: 'all', isOnAllAccounts },
    { level: 'View', assetTypes: ['Etf', 'Stock'], exchanges: ['LSE', 'NYSE'], isOnAllAccounts },
    { level: 'Trade', assetTypes: ['Etf'], exchanges: ['LSE'], isOnAllAccounts },
  ])
})

test('a right on one account is marked, and one on an account that is gone is ignored', () => {
  const rights = [
    right({ assetTypes: ['Stock'], exchangeIds: ['NYSE'] }),
    right({ assetTypes: ['Stock'], accountKey: 'k2', level: 'Trade' }),
    right({ assetTypes: ['Bond'], accountKey: 'gone', level: 'Trade' }),
  ]
  const onOne = { assetTypes: ['Stock'], exchanges: 'all', isOnAllAccounts: false }
  assert.deepEqual(accessGroups(rights, accounts), [
    { level: 'View', ...onOne },
    { level: 'Trade', ...onOne },
  ])
})

test('a client without accounts trades nothing', () => {
  assert.deepEqual(
    accessGroups([right({ level: 'Trade', assetTypes: ['Stock'] })], []).map(({ level }) => level),
    ['View'],
  )
  assert.deepEqual(accessGroups([], accounts), [])
})
