import { demoAccounts, demoApp, demoClients, demoKey, demoRedirectUri, demoUsers } from '../../support/demo.ts'
import type { Random } from '../random.ts'

export const users = ['ada', 'bo', 'cy'] as const
export type User = (typeof users)[number]

/** A value that only the running service knows, such as a token. It is inserted when the request is sent, so that the same
 *  seed makes the same requests. */
export const placeholder = (name: string): string => `~~${name}~~`
export const placeholderPattern = /~~([\w.]+)~~/g

const groupKeys = demoClients.flatMap(({ AccountGroups = [] }) => AccountGroups.map((group) => group.AccountGroupKey))

type Names = Readonly<Record<string, (random: Random, user: User) => string>>

/** Values that exist in the demo data or in what the run has created, by the name of the parameter. */
const existing: Names = {
  Uic: (random) => String(random.between(1000, 1040)),
  Uics: (random) => Array.from({ length: random.between(1, 4) }, () => random.between(1000, 1400)).join(','),
  UnderlyingUic: (random) => String(random.between(1000, 1040)),
  AssetType: (random) => random.pick(['Stock', 'CfdOnStock', 'FxSpot']),
  OptionRootId: (random) => String(random.between(1, 30)),
  ContinuousFuturesUic: (random) => String(random.between(5000, 5010)),
  ExchangeId: (random) => random.pick(['NASDAQ', 'NYSE', 'LSE_SETS', 'FSE', 'CME']),
  EventId: (_random, user) => placeholder(`event.${user}`),
  Keywords: (random) => random.pick(['apple', 'a', 'micro soft', 'div', 'EURUSD', 'bank of']),
  UserKey: (random) => random.pick(demoUsers).UserKey,
  ClientKey: (random, user) => (random.chance(0.7) ? demoKey(`client ${user}`) : random.pick(demoClients).ClientKey),
  OwnerKey: (random) => random.pick(demoClients).ClientKey,
  AccountKey: (random) => random.pick(demoAccounts).AccountKey,
  AccountGroupKey: (random) => random.pick(groupKeys),
  AppKey: (_random, user) => placeholder(`app.${user}`),
  RedirectUriId: (_random, user) => placeholder(`uri.${user}`),
  SecretId: (_random, user) => placeholder(`secret.${user}`),
  SessionId: (_random, user) => placeholder(`session.${user}`),
  CalendarId: (_random, user) => placeholder(`calendar.${user}`),
  File: (_random, user) => placeholder(`calendarFile.${user}`),
  Name: (random) => random.pick(['VWAP', 'TWAP', 'An app', 'Größe']),
  $top: (random) => String(random.chance(0.97) ? random.between(0, 20) : 1000),
  $skip: (random) => String(random.pick([0, 1, 5, 100, 1_000_000])),
  $skiptoken: (random) => random.pick(['', 'abc', 'MTAw']),
  FromDate: () => '2026-11-01',
  ToDate: () => '2027-02-01',
  client_id: (random) => (random.chance(0.8) ? demoApp.AppKey : placeholder('app.ada')),
  redirect_uri: () => demoRedirectUri,
  response_type: (random) => (random.chance(0.9) ? 'code' : 'token'),
  state: () => 'a state',
  month: () => '2026-11',
  next: () => '/console/apps',
  decision: (random) => random.pick(['allow', 'allow', 'cancel', 'switch']),
  user: (random) => random.pick([...users]),
  password: (random) => random.pick(['refdesk-demo', 'wrong']),
  Flow: (random) => random.pick(['Code', 'PKCE', 'Implicit']),
  Uri: (random) => random.pick(['https://app.example/callback', 'http://localhost/callback', 'https://app.example']),
  grant_type: (random) => random.pick(['refresh_token', 'authorization_code']),
  refresh_token: (random) => placeholder(`refresh.${random.pick([...users])}`),
  code: (random) => random.hex(32),
  token: (random, user) => random.pick([placeholder(`spare.${user}`), placeholder(`refresh.${user}`), random.hex(32)]),
  client_secret: () => demoApp.Secret,
  token_type_hint: (random) => random.pick(['access_token', 'refresh_token']),
}

export const existingValue = (name: string, random: Random, user: User): string | undefined =>
  Object.hasOwn(existing, name) ? existing[name]?.(random, user) : undefined

/** Ids that belong to other users, or that the caller may not see, and unknown ones of the same form and length. */
type Pair = Readonly<{ foreign: string; unknown: string; also?: Record<string, string> }>
type ForeignNames = Readonly<Record<string, (random: Random, user: User) => Pair>>

/** ada's client owns bo's, so bo's data is not foreign to ada. */
const others: Readonly<Record<User, readonly User[]>> = { ada: ['cy'], bo: ['ada', 'cy'], cy: ['ada', 'bo'] }
const other = (random: Random, user: User): User => random.pick(others[user])

const keyOf = (foreign: string, random: Random): Pair => ({ foreign, unknown: random.entityKey() })

function ofClient<T extends { ClientKey: string }>(records: readonly T[], random: Random, user: User): T {
  const clientKey = demoKey(`client ${other(random, user)}`)
  return random.pick(records.filter((each) => each.ClientKey === clientKey))
}

/** bo may see stocks only. */
export const foreignNames: ForeignNames = {
  UserKey: (random, user) => keyOf(demoKey(`user ${other(random, user)}`), random),
  ClientKey: (random, user) => keyOf(demoKey(`client ${other(random, user)}`), random),
  OwnerKey: (random, user) => keyOf(demoKey(`client ${other(random, user)}`), random),
  AccountKey: (random, user) => keyOf(ofClient(demoAccounts, random, user).AccountKey, random),
  AccountGroupKey: (random, user) => {
    const { AccountGroups: [group] = [] } = ofClient(demoClients, random, user)
    return keyOf(group?.AccountGroupKey ?? random.entityKey(), random)
  },
  AppKey: (random, user) => ({ foreign: placeholder(`app.${other(random, user)}`), unknown: random.hex(32) }),
  RedirectUriId: (random, user) => {
    const owner = other(random, user)
    return { foreign: placeholder(`uri.${owner}`), unknown: placeholder(`unknownUri.${owner}`) }
  },
  SecretId: (random, user) => {
    const owner = other(random, user)
    return { foreign: placeholder(`secret.${owner}`), unknown: placeholder(`unknownSecret.${owner}`) }
  },
  SessionId: (random, user) => ({ foreign: placeholder(`session.${other(random, user)}`), unknown: random.hex(32) }),
  CalendarId: (random, user) => {
    const owner = other(random, user)
    return { foreign: placeholder(`calendar.${owner}`), unknown: placeholder(`unknownCalendar.${owner}`) }
  },
  EventId: (_random, user) => ({
    foreign: placeholder(`hidden.${user}`),
    unknown: placeholder(`unknownEvent.${user}`),
  }),
  Uic: (random) => ({
    foreign: String(random.between(4000, 4010)),
    unknown: String(random.between(9000, 9999)),
    also: { AssetType: 'FxSpot' },
  }),
  Uics: (random) => ({ foreign: String(random.between(4000, 4010)), unknown: String(random.between(9000, 9999)) }),
  UnderlyingUic: (random) => ({ foreign: '4001', unknown: String(random.between(9000, 9999)) }),
  OptionRootId: (random) => ({ foreign: String(random.between(10, 29)), unknown: String(random.between(80, 99)) }),
  ContinuousFuturesUic: (random) => ({
    foreign: String(random.between(5000, 5007)),
    unknown: String(random.between(9000, 9999)),
  }),
}

/** Ids of instruments are foreign only to bo. */
export const isForeignTo = (name: string, user: User): boolean =>
  user === 'bo' || !['Uic', 'Uics', 'UnderlyingUic', 'OptionRootId', 'ContinuousFuturesUic'].includes(name)
