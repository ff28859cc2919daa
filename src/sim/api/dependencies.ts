import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import type { TravelClock } from '../../core/clock.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { SessionView } from './schema.ts'

type DayToken = Readonly<{ token: string; expiresIn: number; expiresAt: Temporal.Instant; appKey: string }>
type Session = Static<typeof SessionView>

/** What the sim operations need. Sessions and tokens come from the authorization server. */
export type SimDependencies = Readonly<{
  db: Db
  clock: TravelClock
  feed: ChangeFeed
  masterKey: Buffer
  hasDemo: boolean
  servesRevision(revision: number): Promise<void>
  /** Replaces the caller's session by one that starts at `now`. */
  renewSession(trx: Trx, caller: Caller, request: FastifyRequest, now: Temporal.Instant): Promise<Session>
  /** Remembers the caller's session. The returned function starts it again if its user and app still exist. */
  holdSession(
    trx: Trx,
    caller: Caller,
    request: FastifyRequest,
  ): Promise<(now: Temporal.Instant) => Promise<Session | undefined>>
  issueDayToken(caller: Caller, request: FastifyRequest): Promise<DayToken>
}>
