import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppActivity } from '../../../apps/api/extension-schema.ts'
import { describeChange } from './activity.ts'

const text = (Detail: AppActivity['Detail'], Kind: AppActivity['Kind'] = 'AppChanged') =>
  describeChange({ At: '2026-11-16T12:00:00Z', Kind, ...(Detail && { Detail }) }, 'UTC')

test('describes every kind of change, and unknown ones by their name', () => {
  const validUntil = '2027-11-16T12:00:00Z'
  assert.deepEqual(
    [
      text({ secrets: '1, 2' }, 'SecretRevealed'),
      text({ created: true, name: 'Kite', flow: 'Code' }),
      text({ secret: 3, added: true, validUntil }),
      text({ secret: 3, added: true, othersEnd: validUntil }),
      text({ secret: 3, removed: true }),
      text({ secret: 3, regenerated: true, validUntil }),
      text({ secret: 3, regenerated: false, validUntil }),
      text({ redirectUri: 1, uri: 'https://a.example', added: true }),
      text({ redirectUri: 1, uri: 'https://a.example', removed: true }),
      text({ redirectUri: 1, uri: 'https://a.example', added: false }),
      text({ redirectUri: 1, uri: 'https://a.example', before: 'https://b.example' }),
      text({ active: false }),
      text({ isActive: true, name: 'Kite' }),
      text({ approved: true, onlineLevel: 'Trade' }),
      text(undefined),
    ],
    [
      'Secret shown: 1, 2',
      'App created: “Kite”, flow Code',
      'Secret 3 added, valid until 16 Nov 2027, 12:00',
      'Secret 3 added; other secrets expire 16 Nov 2027, 12:00',
      'Secret 3 deleted',
      'Secret 3 regenerated, valid until 16 Nov 2027, 12:00',
      'Secret 3 changed, valid until 16 Nov 2027, 12:00',
      'Redirect URI added: https://a.example',
      'Redirect URI removed: https://a.example',
      'Redirect URI description changed: https://a.example',
      'Redirect URI changed: https://b.example → https://a.example',
      'App deactivated, sessions ended',
      'App activated, Name: Kite',
      'Approved: yes, Online level: Trade',
      'Changed',
    ],
  )
})
