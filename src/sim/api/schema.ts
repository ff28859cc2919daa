import { Type } from 'typebox'
import { named, oneOf } from '../../core/schema.ts'
import { defaultDelaySeconds, faultKinds } from '../rules/fault.ts'

const exampleToken = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJZT2pIcHYifQ.c2ln'
const exampleAppKey = '0123456789abcdef0123456789abcdef'
const closed = { additionalProperties: false }

/** A token response (§4.1) without a refresh token: the caller's own keeps working. */
export const SessionView = Type.Object(
  {
    access_token: Type.String({ description: 'The access token, for the Authorization header.' }),
    token_type: Type.String({ description: 'Bearer.' }),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
  },
  {
    title: 'RenewedToken',
    description:
      "A new access token of the caller's session. It ends as many seconds from now as the one that was sent.",
  },
)

const clockMembers = {
  Now: Type.String({ format: 'date-time', description: 'The time of the service.' }),
  RealNow: Type.String({ format: 'date-time', description: 'Real time.' }),
  Frozen: Type.Boolean({ description: 'Whether the clock is stopped.' }),
  OffsetSeconds: Type.Number({ description: 'Now minus RealNow in seconds; negative in the past.' }),
  IsTravelled: Type.Boolean({ description: 'Whether Now differs from real time.' }),
  MayControl: Type.Boolean({
    description: 'Whether the caller may change the clock, inject faults and reset (SIM_CONTROLS).',
  }),
}
const clockExample = {
  Now: '2026-11-16T12:00:00.000000Z',
  RealNow: '2026-11-16T12:00:00.000000Z',
  Frozen: false,
  OffsetSeconds: 0,
  IsTravelled: false,
  MayControl: true,
}

export const ClockView = Type.Object(clockMembers, { title: 'Clock', examples: [clockExample] })

const travelExample = {
  ...clockExample,
  Session: { access_token: exampleToken, token_type: 'Bearer', expires_in: 1200 },
}
export const TravelView = Type.Object(
  { ...clockMembers, Session: SessionView },
  { title: 'Travel', examples: [travelExample] },
)

const maxSeconds = 4_000_000_000

export const ClockBody = Type.Object(
  {
    Now: Type.Optional(Type.String({ format: 'date-time', description: 'The time to set, from 1990 to 2100.' })),
    AdvanceSeconds: Type.Optional(
      Type.Number({
        minimum: -maxSeconds,
        maximum: maxSeconds,
        description: 'Seconds to move the clock by, instead of Now; negative moves it back.',
      }),
    ),
    Frozen: Type.Optional(Type.Boolean({ description: 'True stops the clock, false lets it run from where it is.' })),
  },
  { title: 'ClockChange', examples: [{ AdvanceSeconds: 86_400 }], ...closed },
)

const faultMembers = {
  Kind: named('FaultKind', oneOf(...faultKinds), 'The kind of fault.'),
  Percent: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 100,
    description: 'The percentage of requests that are affected.',
  }),
  DelaySeconds: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 60,
      description: `How long responses are delayed; only for Slow, ${defaultDelaySeconds} by default.`,
    }),
  ),
  Group: Type.Optional(
    Type.Unsafe<string>({
      title: 'ServiceGroup',
      type: 'string',
      enum: ['ref', 'ca', 'developer', 'port', 'root', 'x'],
      description: 'Affects only requests to this service group.',
    }),
  ),
}

export const FaultBody = Type.Object(
  {
    ...faultMembers,
    ForSeconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      default: 600,
      description: 'How long the fault is active, in real time.',
    }),
  },
  { title: 'NewFault', examples: [{ Kind: 'RateLimited', Percent: 50, ForSeconds: 60 }], ...closed },
)

const faultExample = {
  AppKey: exampleAppKey,
  AppName: 'Pocket Charts',
  Kind: 'RateLimited',
  Percent: 50,
  EndsAt: '2026-11-16T12:01:00.000000Z',
}
export const FaultView = Type.Object(
  {
    AppKey: Type.String({ description: 'The app whose requests are affected.' }),
    AppName: Type.String({ description: 'The name of the app.' }),
    ...faultMembers,
    EndsAt: Type.String({ format: 'date-time', description: 'When the fault ends, in real time.' }),
  },
  { title: 'Fault', examples: [faultExample] },
)

export const FaultParams = Type.Object({
  AppKey: Type.String({
    maxLength: 64,
    description: "The key of one of the client's apps.",
    examples: [exampleAppKey],
  }),
})

const dayTokenExample = {
  AccessToken: exampleToken,
  TokenType: 'Bearer',
  ExpiresIn: 86_400,
  ExpiresAt: '2026-11-17T12:00:00.000000Z',
  AppKey: exampleAppKey,
}
export const DayTokenView = Type.Object(
  {
    AccessToken: Type.String({ description: 'The access token, for the Authorization header.' }),
    TokenType: Type.String({ description: 'Bearer.' }),
    ExpiresIn: Type.Integer({ description: 'Seconds until the token expires.' }),
    ExpiresAt: Type.String({ format: 'date-time', description: 'When the token expires, in the time of the service.' }),
    AppKey: Type.String({ description: 'The app of the token: the calling app.' }),
  },
  { title: 'DayToken', examples: [dayTokenExample] },
)
