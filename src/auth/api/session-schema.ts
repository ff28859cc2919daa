import { type Static, Type } from 'typebox'

const text = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const appMembers = { AppKey: text('The key of the app.'), AppName: text('The name of the app.') }
const appExample = { AppKey: '0123456789abcdef0123456789abcdef', AppName: 'Pocket Charts' }

export const SessionView = Type.Object(
  {
    SessionId: text('The id of the session.'),
    ...appMembers,
    Address: text('The IP address it was started from.'),
    UserAgent: text('The program that started it.'),
    CreatedAt: time('When it started.'),
    ExpiresAt: time('When it expires.'),
    IsCurrent: Type.Boolean({ description: 'Whether it is the session of the calling token.' }),
  },
  {
    title: 'Session',
    examples: [
      {
        SessionId: 'bd7788724415c6f0a3ed7145827daf85',
        ...appExample,
        Address: '127.0.0.1',
        UserAgent: 'node',
        CreatedAt: '2026-11-16T12:00:00.000000Z',
        ExpiresAt: '2026-12-16T12:00:00.000000Z',
        IsCurrent: true,
      },
    ],
  },
)
export type SessionView = Static<typeof SessionView>

export const ConsentView = Type.Object(
  { ...appMembers, GivenAt: time('When the user consented.') },
  { title: 'Consent', examples: [{ ...appExample, GivenAt: '2026-11-16T12:00:00.000000Z' }] },
)
export type ConsentView = Static<typeof ConsentView>
