import type { Caller } from '../core/caller.ts'
import { epochSeconds } from '../core/clock.ts'
import { Problem, unavailable } from '../core/problem.ts'
import type { AuthContext } from './context.ts'
import { isInTime } from './rules/access-token.ts'
import { hasEnded, noticeTravel } from './travel.ts'

const maxTokens = 20_000

/** A token that was verified, after so many travels in time. */
type Verified = Readonly<{ caller: Caller; iat: number; exp: number; travelCount: number }>

const unauthorized = (message: string, challenge: string): Problem =>
  new Problem('Unauthorized', message, { headers: { 'www-authenticate': challenge } })

/** Turns the Authorization header of a REST call into its caller (RFC 6750). A signature is verified once; after
 *  that the token is known, and only its time and its session's end are looked at. */
export class BearerCheck {
  readonly #context: AuthContext
  #verified = new Map<string, Verified>()

  constructor(context: AuthContext) {
    this.#context = context
    context.feed.on('key', () => this.#forget())
    context.feed.onGap(() => this.#forget())
  }

  async caller(authorization: string | undefined): Promise<Caller> {
    if (authorization === undefined) throw noToken()
    // Without the database a node cannot know of a revocation; after the grace it trusts nobody (contract §4).
    if (!this.#context.feed.isCurrentWithin(this.#context.config.revocationGraceSeconds)) throw unavailable()
    const { travelCount } = this.#context.clock
    let caller = await this.#callerNow(authorization)
    if (!caller && (await noticeTravel(this.#context, travelCount))) caller = await this.#callerNow(authorization)
    if (!caller || this.#context.ended.has(caller.sessionId)) throw invalidToken()
    return caller
  }

  async #callerNow(authorization: string): Promise<Caller | undefined> {
    const { clock } = this.#context
    const known = this.#verified.get(authorization)
    const verified = known?.travelCount === clock.travelCount ? known : await this.#verify(authorization)
    // Somebody may have travelled while it was verified.
    if (verified?.travelCount !== clock.travelCount) return undefined
    return isInTime(verified, epochSeconds(clock.now())) ? verified.caller : undefined
  }

  #forget(): void {
    this.#verified = new Map()
  }

  /** Known by the whole header from then on: what was read once need not be read again. */
  async #verify(authorization: string): Promise<Verified | undefined> {
    const token = /^bearer +([\w.-]+) *$/i.exec(authorization)?.[1]
    if (token === undefined) {
      if (!/^bearer +\S/i.test(authorization)) throw noToken()
      return undefined
    }
    const remembered = this.#verified
    const { travelCount } = this.#context.clock
    const claims = await this.#context.tokens.open(token)
    const caller = claims && this.#context.tokens.callerOf(claims)
    if (!caller || claims.exp === undefined || claims.iat === undefined) return undefined
    if (await hasEnded(this.#context, caller.sessionId)) return undefined
    const verified = { caller, iat: claims.iat, exp: claims.exp, travelCount }
    this.#makeRoom()
    // Into the map from before: what was verified with a key that went meanwhile is forgotten with it.
    remembered.set(authorization, verified)
    return verified
  }

  /** The longest known go first: access tokens are short-lived, so they are the likeliest to have ended. */
  #makeRoom(): void {
    for (const token of this.#verified.keys()) {
      if (this.#verified.size < maxTokens) return
      this.#verified.delete(token)
    }
  }
}

const noToken = (): Problem => unauthorized('Send an access token in the Authorization header, as Bearer.', 'Bearer')

export const invalidToken = (): Problem =>
  unauthorized(
    'The access token is expired, revoked, or not one of this service. Refresh it, or sign in again.',
    'Bearer error="invalid_token", error_description="The access token is not valid"',
  )
