import { Type } from 'typebox'

/** A whole token response (§2.2); an implicit app gets no refresh token. */
export const SessionView = Type.Object(
  {
    access_token: Type.String({ description: 'For the header Authorization.' }),
    token_type: Type.String({ description: 'Bearer.' }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    refresh_token: Type.Optional(Type.String({ description: 'For the next tokens.' })),
    refresh_token_expires_in: Type.Optional(Type.Integer({ description: 'Seconds.' })),
  },
  {
    title: 'RenewedSession',
    description: 'A new session of the caller in place of the one that asked, which has ended.',
  },
)

const clockMembers = {
  Now: Type.String({ format: 'date-time', description: 'The time at which the service lives.' }),
  RealNow: Type.String({ format: 'date-time', description: 'The time outside.' }),
  Frozen: Type.Boolean({ description: 'Whether time stands still.' }),
  OffsetSeconds: Type.Number({ description: 'How far Now is from RealNow; negative in the past.' }),
  IsTravelled: Type.Boolean({ description: 'Whether Now is anything but real time.' }),
}
const example = {
  Now: '2026-11-16T12:00:00.000000Z',
  RealNow: '2026-11-16T12:00:00.000000Z',
  Frozen: false,
  OffsetSeconds: 0,
  IsTravelled: false,
}

export const ClockView = Type.Object(clockMembers, { title: 'Clock', examples: [example] })
export const TravelView = Type.Object(
  { ...clockMembers, Session: SessionView },
  {
    title: 'Travel',
    examples: [
      {
        ...example,
        Session: {
          access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJZT2pIcHYifQ.c2ln',
          token_type: 'Bearer',
          expires_in: 1200,
        },
      },
    ],
  },
)

const mostSeconds = 4_000_000_000

export const ClockBody = Type.Object(
  {
    Now: Type.Optional(Type.String({ format: 'date-time', description: 'The time to go to, from 1990 to 2100.' })),
    AdvanceSeconds: Type.Optional(
      Type.Number({
        minimum: -mostSeconds,
        maximum: mostSeconds,
        description: 'How far to go from the present Now; negative goes back. Instead of Now.',
      }),
    ),
    Frozen: Type.Optional(
      Type.Boolean({ description: 'True: time stands still from then on. False: it runs on from where it is.' }),
    ),
  },
  { title: 'ClockChange', examples: [{ AdvanceSeconds: 86_400 }], additionalProperties: false },
)
