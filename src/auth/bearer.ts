import { LRUCache } from 'lru-cache'
import type { Caller } from '../core/caller.ts'
import { invalidToken, Problem, unavailable } from '../core/problem.ts'
import type { AuthContext } from './context.ts'
import { isInTime } from './rules/access-token.ts'
import { isTokenEnded, noticeTravel } from './travel.ts'

const maxTokens = 20_000

type Verified = Readonly<{ caller: Caller; iat: number; exp: number; travelCount: number }>

/** Turns the Authorization header of a call into its caller (RFC 6750), if the token is for the audience. A signature is
 *  verified once; afterwards only the times of the token and the end of its session are checked. */
export class BearerCheck {
  readonly #context: AuthContext
  readonly #audience: string
  /** By the whole header, so that it need not be parsed again. */
  #verified = new LRUCache<string, Verified>({ max: maxTokens })

  constructor(context: AuthContext, audience = context.resources.rest) {
    this.#context = context
    this.#audience = audience
    const forget = () => {
      this.#verified = new LRUCache({ max: maxTokens })
    }
    context.feed.on('key', forget)
    context.feed.onGap(forget)
  }

  /** Returns a promise only if the token is not known to be valid. */
  caller(authorization: string | undefined): Caller | Promise<Caller> {
    if (authorization === undefined) throw noToken()
    const { feed, config } = this.#context
    // Without the database a node misses revocations, so after the grace period it trusts no token (§4.12).
    if (!feed.isCurrentWithin(config.revocationGraceSeconds)) throw unavailable()
    return this.#validNow(this.#verified.get(authorization)) ?? this.#unknownCaller(authorization)
  }

  /** The clock may have travelled since the token was verified. */
  #validNow(verified: Verified | undefined): Caller | undefined {
    const { clock, ended } = this.#context
    if (verified?.travelCount !== clock.travelCount || ended.has(verified.caller.sessionId)) return undefined
    return isInTime(verified, Math.floor(clock.nowMs() / 1_000)) ? verified.caller : undefined
  }

  async #unknownCaller(authorization: string): Promise<Caller> {
    const { travelCount } = this.#context.clock
    let caller = this.#validNow(await this.#verify(authorization))
    if (!caller && (await noticeTravel(this.#context, travelCount)))
      caller = this.#validNow(await this.#verify(authorization))
    if (!caller) throw invalidToken()
    return caller
  }

  async #verify(authorization: string): Promise<Verified | undefined> {
    const token = /^bearer +([\w.-]+) *$/i.exec(authorization)?.[1]
    if (token === undefined) {
      if (!/^bearer +\S/i.test(authorization)) throw noToken()
      return undefined
    }
    // If the keys change meanwhile, the result goes into the cache that was discarded.
    const cache = this.#verified
    const { travelCount } = this.#context.clock
    const { tokens, resources } = this.#context
    const claims = await tokens.open(token)
    const audience = Object.values(resources).find((one) => one === claims?.aud)
    const caller = claims && audience && tokens.callerOf(claims, audience)
    if (!caller || claims.exp === undefined || claims.iat === undefined) return undefined
    if (await isTokenEnded(this.#context, { sid: caller.sessionId, jti: claims.jti ?? '' })) return undefined
    if (audience !== this.#audience) throw otherResource(this.#audience)
    const verified = { caller, iat: claims.iat, exp: claims.exp, travelCount }
    cache.set(authorization, verified)
    return verified
  }
}

/** Only for a token that is valid elsewhere in this service: about others it says nothing. */
const otherResource = (audience: string): Problem =>
  new Problem('Unauthorized', `The access token is for another resource. Sign in with resource=${audience}.`, {
    headers: invalidToken().headers,
  })

const noToken = (): Problem =>
  new Problem('Unauthorized', 'Send an access token in the Authorization header, as Bearer.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
