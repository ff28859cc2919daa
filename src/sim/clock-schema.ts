import { Type } from 'typebox'

/** A whole token response (§2.2); an implicit app gets no refresh token. */
export const SessionView = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    refresh_token: Type.Optional(Type.String()),
    refresh_token_expires_in: Type.Optional(Type.Integer({ description: 'Seconds.' })),
  },
  { description: 'A new session of the caller in place of the one that asked, which has ended.' },
)

const clockMembers = {
  Now: Type.String({ format: 'date-time', description: 'The time at which the service lives.' }),
  RealNow: Type.String({ format: 'date-time' }),
  Frozen: Type.Boolean({ description: 'Whether time stands still.' }),
  OffsetSeconds: Type.Number({ description: 'How far Now is from RealNow; negative in the past.' }),
  IsTravelled: Type.Boolean({ description: 'Whether Now is anything but real time.' }),
}
export const ClockView = Type.Object(clockMembers)
export const TravelView = Type.Object({ ...clockMembers, Session: SessionView })

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
  { additionalProperties: false },
)
