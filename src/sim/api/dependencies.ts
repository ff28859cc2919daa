import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Config } from '../../config.ts'
import type { MaybePromise } from '../../core/async/maybe-promise.ts'
import type { Caller } from '../../core/caller.ts'
import type { TravelClock } from '../../core/clock.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { SessionView } from './schema.ts'

type DayToken = Readonly<{ token: string; expiresIn: number; expiresAt: Temporal.Instant; appKey: string }>
type Session = Static<typeof SessionView>
/** The service's time before and after a change of the clock. */
type Times = Readonly<{ from: Temporal.Instant; to: Temporal.Instant }>

/** What the sim operations need. Sessions and tokens come from the authorization server. */
export type SimDependencies = Readonly<{
  db: Db
  clock: TravelClock
  feed: ChangeFeed
  masterKey: Buffer
  /** How secrets of apps are kept (SECRETS). */
  secrets: Config['secrets']
  /** SIM_CONTROLS: who may use the operations that affect every user. */
  controls: 'everyone' | 'operators'
  /** Whether the service runs with the demo (DEMO=on). */
  isDemoOn: boolean
  /** Whether a client is the top one or below it. */
  isWithin(clientKey: string, topClientKey: string): MaybePromise<boolean>
  servesRevision(revision: number): Promise<void>
  /** Moves the caller's session with the clock. */
  moveSession(trx: Trx, travel: Times & Readonly<{ caller: Caller }>): Promise<Session>
  /** Remembers the caller's session. The returned function restores it if its user and app still exist. */
  holdSession(trx: Trx, caller: Caller): Promise<(times: Times) => Promise<Session | undefined>>
  isSessionAlive(trx: Trx, sessionId: string): Promise<boolean>
  issueDayToken(caller: Caller, request: FastifyRequest): Promise<DayToken>
}>
