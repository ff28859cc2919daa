import type { FastifyRequest } from 'fastify'
import type { LRUCache } from 'lru-cache'
import type { AppDirectory } from '../apps/directory.ts'
import type { LastUsed } from '../apps/last-used.ts'
import type { Refusals } from '../audit/refusals.ts'
import type { Config } from '../config.ts'
import type { TravelClock } from '../core/clock.ts'
import type { Passwords } from '../core/crypto/passwords.ts'
import type { Permission } from '../core/rights/permissions.ts'
import type { WireProfile } from '../core/wire-profile.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import type { QueryBatcher } from '../database/query-batcher.ts'
import type { RateLimiter } from '../http/limits/rate-limiter.ts'
import type { AttemptGuard } from './attempts.ts'
import type { EndedSessions } from './ended-sessions.ts'
import type { Resources } from './rules/resource.ts'
import type { Rotation, StoredRefresh } from './store/refresh-tokens.ts'
import type { AccessTokens } from './tokens.ts'

export type AuthContext = Readonly<{
  config: Config
  /** Shown on the sign-in page. Only if the data is the demo's, and so never in live. */
  demo?: DemoUsers | undefined
  /** Passwords that no sign-in accepts: in live, those of the demo. */
  rejectedPasswords: ReadonlySet<string>
  profile: WireProfile
  resources: Resources
  /** The permissions that the tools for agents use (§11.12). */
  agentPermissions: ReadonlySet<Permission>
  db: Db
  /** The service's time; limits, timeouts and signing keys use its `real`. */
  clock: TravelClock
  feed: ChangeFeed
  directory: AppDirectory
  lastUsed: LastUsed
  tokens: AccessTokens
  ended: EndedSessions
  passwords: Passwords
  guard: AttemptGuard
  limiter: RateLimiter
  refusals: Refusals
  refreshes: Readonly<{
    /** Unspent tokens that this node issued, by hash. Most come back to it; the rotation checks that they are still valid. */
    recent: LRUCache<string, StoredRefresh>
    read: QueryBatcher<string, StoredRefresh | undefined>
    rotate: QueryBatcher<Rotation, boolean>
  }>
}>

export type DemoUsers = Readonly<{ users: readonly string[]; password: string }>

/** Where a request comes from. Stored with sign-ins and sessions so that users recognize them. */
export type RequestSource = Readonly<{ address: string; userAgent: string }>

export const requestSource = (request: Pick<FastifyRequest, 'ip' | 'headers'>): RequestSource => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
})
