import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuditRow, whatWasDone } from './activity.ts'

const done = (Detail: AuditRow['Detail'], Kind: AuditRow['Kind'] = 'AppChanged') =>
  whatWasDone({ At: '2026-11-16T12:00:00Z', Kind, ...(Detail && { Detail }) }, 'UTC')

test('every kind of change is told in a sentence, and what nobody foresaw by its name', () => {
  const validUntil = '2027-11-16T12:00:00Z'
  assert.deepEqual(
    [
      done({ secrets: '1, 2' }, 'SecretRevealed'),
      done({ created: true, name: 'Kite', flow: 'Code' }),
      done({ secret: 3, added: true, validUntil }),
      done({ secret: 3, added: true, othersEnd: validUntil }),
      done({ secret: 3, removed: true }),
      done({ secret: 3, regenerated: true, validUntil }),
      done({ secret: 3, regenerated: false, validUntil }),
      done({ redirectUri: 1, uri: 'https://a.example', added: true }),
      done({ redirectUri: 1, uri: 'https://a.example', removed: true }),
      done({ redirectUri: 1, uri: 'https://a.example', added: false }),
      done({ redirectUri: 1, uri: 'https://a.example', before: 'https://b.example' }),
      done({ active: false }),
      done({ isActive: true, name: 'Kite' }),
      done({ approved: true, onlineLevel: 'Trade' }),
      done(undefined),
    ],
    [
      'Secret shown: id 1, 2',
      'App created as “Kite”, flow Code',
      'Secret with id 3 added, valid until 16 Nov 2027, 12:00',
      'Secret with id 3 added; the others end 16 Nov 2027, 12:00',
      'Secret with id 3 removed',
      'Secret with id 3 made anew, valid until 16 Nov 2027, 12:00',
      'Secret with id 3 changed, valid until 16 Nov 2027, 12:00',
      'Redirect URI added: https://a.example',
      'Redirect URI removed: https://a.example',
      'Redirect URI described anew: https://a.example',
      'Redirect URI https://b.example is now https://a.example',
      'App deactivated: its sessions ended',
      'App activated, Name: Kite',
      'Approved: yes, Online level: Trade',
      'Changed',
    ],
  )
})
