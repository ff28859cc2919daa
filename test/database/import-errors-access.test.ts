import { consoleApp } from '../../src/apps/store/console-app.ts'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { testRejections } from '../support/import-errors.ts'
import { databaseForFile, lines } from '../support/service/import.ts'

const { connection } = await databaseForFile()
const [client, other, key] = [randomEntityKey(), randomEntityKey(), randomEntityKey()]
const clientRecord = { kind: 'client', ClientKey: client, ClientId: '1', Name: 'One' }

testRejections(connection, [
  [
    'an account of an unknown client',
    lines({ kind: 'account', AccountKey: key, AccountId: '1', ClientKey: client, Currency: 'EUR' }),
    /field ClientKey: \S+ is not a known client\. Import it in the same run, or correct the key\.$/,
  ],
  [
    'a user of an unknown client',
    lines({ kind: 'user', UserKey: key, Name: 'u', ClientKey: client }),
    /^f:1 user \S+, field ClientKey/,
  ],
  [
    'an unknown owner',
    lines({ ...clientRecord, OwnerClientKey: other }),
    /field OwnerClientKey: \S+ is not a known client/,
  ],
  [
    'an account group that the client does not have',
    lines(clientRecord, {
      kind: 'account',
      AccountKey: key,
      AccountId: '1',
      ClientKey: client,
      AccountGroupKey: other,
      Currency: 'EUR',
    }),
    /^f:2 account \S+, field AccountGroupKey: \S+ is not a known account group of its client/,
  ],
  [
    'an access right for an unknown account and user',
    lines(clientRecord, { kind: 'accessRight', ClientKey: client, AccountKey: key, UserKey: key, Level: 'View' }),
    /^f:2 accessRight \S+, field AccountKey/,
    /^f:2 .* UserKey/,
  ],
  [
    'clients that own each other',
    lines(
      { ...clientRecord, OwnerClientKey: other },
      { ...clientRecord, ClientKey: other, ClientId: '2', OwnerClientKey: client },
    ),
    /^f:1 client .*field OwnerClientKey: Forms a cycle/,
    /^f:2 /,
  ],
  [
    'an id twice',
    lines(clientRecord, { ...clientRecord, ClientKey: other }),
    /^f:2 client \S+, field ClientId: Is already the ClientId of another client/,
  ],
  [
    'an app with invalid redirect URIs',
    lines({
      kind: 'app',
      AppKey: 'a'.repeat(32),
      Name: 'A',
      Flow: 'PKCE',
      ClientKey: client,
      CreatedBy: key,
      RedirectUris: [
        { Uri: '/x' },
        { Uri: 'https://*.a.example/#' },
        { Uri: 'com.a:/cb' },
        { Uri: 'https://a.example' },
        { Uri: 'https://a.example/' },
      ],
    }),
    /field RedirectUris\[0\]\.Uri: Must be an absolute/,
    /field RedirectUris\[1\]\.Uri: Has a fragment/,
    /field RedirectUris\[1\]\.Uri: Has a wildcard/,
    /field RedirectUris\[4\]\.Uri: Must not be repeated/,
  ],
  [
    'the console’s app',
    lines({ kind: 'app', AppKey: consoleApp.AppKey, Name: 'Mine', Flow: 'PKCE' }),
    /^f:1 app c0501e\w+, field AppKey: Is reserved for the console/,
  ],
  [
    'the console’s app, gone',
    lines({ kind: 'app', AppKey: consoleApp.AppKey, delete: true }),
    /^f:1 app c0501e\w+, field AppKey: Is reserved for the console/,
  ],
  [
    'app’s keys',
    lines({ kind: 'app', AppKey: 'a'.repeat(32), Name: 'A', Flow: 'PKCE', ClientKey: client, CreatedBy: key }),
    /field ClientKey/,
    /field CreatedBy/,
  ],
  [
    'a secret that looks shortened',
    lines({
      kind: 'app',
      AppKey: 'a'.repeat(32),
      Name: 'A',
      Flow: 'Code',
      Secrets: [{ Secret: 'hunter2…hunter2hunter2' }],
    }),
    /field Secrets\[0\]\.Secret: Must not contain the character …/,
  ],
  [
    'two passwords',
    lines(clientRecord, {
      kind: 'user',
      UserKey: key,
      Name: 'u',
      ClientKey: client,
      Password: 'hunter2hunter2',
      PasswordHash: 'x',
    }),
    /field Password: Must not be combined/,
    /field PasswordHash/,
  ],
  [
    'control characters, which are printed escaped',
    `${lines({ kind: 'user', UserKey: '\0\u009b2J', Name: 'u', ClientKey: client, '\u001b[2J': 1 })}{"kind":"\u202e"}`,
    /^f:1 user "\\u0000\\u009b2J", field "\\u001b\[2J": Is not a known field/,
    /^f:1 user "\\u0000\\u009b2J", field UserKey: /,
    /^f:2 field kind: /,
  ],
  [
    'a time that is not a date and time',
    lines({ kind: 'app', AppKey: 'a'.repeat(32), Name: 'A', Flow: 'PKCE', CreatedAt: 'noon' }),
    /field CreatedAt: Must be a date-time like [^%]* and Z or an offset\.$/,
  ],
  [
    'a leap second',
    lines({ kind: 'app', AppKey: 'a'.repeat(32), Name: 'A', Flow: 'PKCE', CreatedAt: '2026-12-31T23:59:60Z' }),
    /field CreatedAt: Must have seconds from 0 to 59\.$/,
  ],
])
