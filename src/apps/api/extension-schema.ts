import { type Static, Type } from 'typebox'
import { named, oneOf } from '../../core/schema.ts'
import { maybe, text, time } from './schema.ts'

/** Responses of the extensions (§8.3, §8.4, §8.6). */

export const AppActivity = Type.Object(
  {
    At: time('When it happened.'),
    Kind: named('AppAuditKind', oneOf('AppChanged', 'SecretRevealed'), 'What happened.'),
    User: maybe(
      Type.Object(
        { UserKey: text('The UserKey.'), Name: maybe(text('The user name, while the user exists.')) },
        { title: 'AppAuditUser', description: 'Who did it. Absent if it was an operator of the service.' },
      ),
    ),
    Detail: maybe(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'What changed. Never contains a secret.',
      }),
    ),
  },
  {
    title: 'AppAuditEntry',
    examples: [
      {
        At: '2026-11-16T12:00:00.000000Z',
        Kind: 'AppChanged',
        User: { UserKey: 'YOjHpvTCTlWWcx|2vafgFA==', Name: 'ada' },
        Detail: { name: 'My charts' },
      },
    ],
  },
)
export type AppActivity = Static<typeof AppActivity>

export const SecretUsage = Type.Object(
  {
    SecretId: Type.Integer({ description: 'The id of the secret.' }),
    LastFour: maybe(
      text('The last four characters of the secret. Absent with a read-only token, and if it was imported as a hash.'),
    ),
    ValidFrom: time('When it becomes valid.'),
    ValidUntil: time('When it expires.'),
    LastUsedAt: maybe(time('When it was last used, to within about 30 seconds. Absent until its first use.')),
  },
  {
    title: 'SecretUsage',
    examples: [
      {
        SecretId: 1,
        LastFour: '3210',
        ValidFrom: '2026-11-16T12:00:00.000000Z',
        ValidUntil: '2027-11-16T12:00:00.000000Z',
      },
    ],
  },
)
export type SecretUsage = Static<typeof SecretUsage>

export const RedirectUriCheck = Type.Object(
  {
    IsAccepted: Type.Boolean({ description: 'Whether an app of this flow may register it.' }),
    Refusals: Type.Array(Type.String(), { description: 'Why it is not accepted; empty if it is.' }),
    Warnings: Type.Array(Type.String(), { description: 'What is allowed but probably a mistake.' }),
    Origin: maybe(text('The origin a browser is sent to, or the private-use scheme with its colon.')),
    Unicode: maybe(text('The origin in Unicode, if its host is an internationalized name (xn--).')),
  },
  {
    title: 'RedirectUriJudgement',
    examples: [{ IsAccepted: true, Refusals: [], Warnings: [], Origin: 'https://app.example.com' }],
  },
)
export type RedirectUriCheck = Static<typeof RedirectUriCheck>
