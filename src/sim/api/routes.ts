import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import type { TravelClock } from '../../core/clock.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { Server } from '../../http/typed-server.ts'
import { clockRoutes } from './clock.ts'
import type { SessionView } from './clock-schema.ts'
import { dayTokenRoutes } from './day-token.ts'
import { faultRoutes } from './faults.ts'
import { resetRoutes } from './reset.ts'

type DayToken = Readonly<{ token: string; expiresIn: number; expiresAt: Temporal.Instant; appKey: string }>

/** What the sim is made of. Sessions and tokens are the authorization server's affair: it is asked for them. */
export type SimParts = Readonly<{
  db: Db
  clock: TravelClock
  feed: ChangeFeed
  masterKey: Buffer
  /** Whether there is demo data to go back to. */
  hasDemo: boolean
  /** Resolves when this node serves reference data of a revision. */
  servesRevision(revision: number): Promise<void>
  /** A session from `now` on in place of the caller's own. */
  renewSession(
    trx: Trx,
    caller: Caller,
    request: FastifyRequest,
    now: Temporal.Instant,
  ): Promise<Static<typeof SessionView>>
  /** Holds the caller's session, and tells how to resume it when all has been made anew: where its user and app are
   *  there again. */
  holdSession(
    trx: Trx,
    caller: Caller,
    request: FastifyRequest,
  ): Promise<(now: Temporal.Instant) => Promise<Static<typeof SessionView> | undefined>>
  issueDayToken(caller: Caller, request: FastifyRequest): Promise<DayToken>
}>

/** What only the sim environment has; in live these paths are like any that do not exist. */
export function simRoutes(api: Server, parts: SimParts): void {
  clockRoutes(api, parts)
  faultRoutes(api, parts)
  resetRoutes(api, parts)
  dayTokenRoutes(api, parts)
}
