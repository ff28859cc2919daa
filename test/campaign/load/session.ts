import type { Outcome } from './caller.ts'
import type { LoadContext } from './context.ts'
import * as signIn from './sign-in.ts'

/** A spent refresh token gets the same answer for this long (§4.5). */
const graceMs = 10_000
const codeMs = 50_000

/** A session as its app knows it, and what the app cannot know. */
export class Session {
  readonly context: LoadContext
  readonly code: string
  readonly era: number
  access: string
  refreshToken: string
  /** A request whose outcome is unknown may have ended it. */
  mayHaveEnded = false
  isOver = false
  /** When the first refresh with the present token began whose outcome is unknown. */
  #unknownSince: number | undefined

  constructor(context: LoadContext, code: string, tokens: signIn.TokenPair) {
    this.context = context
    this.code = code
    this.era = context.clocks.era
    this.access = tokens.access_token
    this.refreshToken = tokens.refresh_token
  }

  /** Whether it belongs to the present time: tokens of a time that was travelled to have no meaning now. */
  get isOfNow(): boolean {
    return this.era === this.context.clocks.era
  }

  /** Refreshes with `count` concurrent requests of the same token. At most one new token may come of it. */
  async refresh(count: number, node?: number): Promise<void> {
    const { caller, clocks, findings, tally } = this.context
    const startedAt = performance.now()
    const attempts = Array.from({ length: count }, () => signIn.refresh(caller, this.refreshToken, node))
    const outcomes = await Promise.all(attempts)
    if (!this.isOfNow || clocks.era !== this.era) return this.#forget()
    const granted = outcomes.filter(({ status }) => status === 200).map(signIn.tokensOf)
    const successors = new Set(granted.map(({ refresh_token }) => refresh_token))
    if (successors.size > 1) findings.add('double winner', `one refresh token gave ${successors.size} new ones`)
    const rejected = outcomes.filter(({ status }) => status === 400)
    if (rejected.length > 0) this.#judgeRejection(rejected, startedAt)
    const [first] = granted
    const hasUnknown = outcomes.some(({ kind }) => kind === 'unknown')
    if (first) {
      tally.wrote('refreshes')
      this.access = first.access_token
      this.refreshToken = first.refresh_token
      // An earlier request may still be on its way, and arrive as a reuse.
      if (hasUnknown || this.#unknownSince !== undefined) this.mayHaveEnded = true
      this.#unknownSince = undefined
    } else if (hasUnknown) this.#unknownSince ??= startedAt
  }

  /** A token may be rejected only if its session may have ended, or if it may have been spent too long ago. */
  #judgeRejection(rejected: readonly Outcome[], startedAt: number): void {
    const since = this.#unknownSince ?? startedAt
    const wasLate = rejected.some(({ endedAt }) => endedAt - since > graceMs)
    const isExcused =
      this.mayHaveEnded || wasLate || !this.context.clocks.isSettled || this.context.clocks.wasSkewedSince(since)
    if (!isExcused) this.context.findings.add('lost', 'a refresh token that was issued is rejected')
    this.#forget()
  }

  /** Its access token must work at every node. */
  async read(node?: number): Promise<void> {
    const { caller, findings, clocks } = this.context
    const path = '/port/v1/users/me'
    const at = node === undefined ? {} : { node }
    const outcome = await caller.send({ path, token: this.access, expected: [200, 401], ...at })
    if (clocks.era !== this.era) return this.#forget()
    if (outcome.status !== 401) return
    if (!this.mayHaveEnded && clocks.isSettled)
      findings.add('lost', 'an access token of a session that was granted is rejected')
    this.#forget()
  }

  async revoke(): Promise<void> {
    const { caller, tally } = this.context
    const outcome = await signIn.revoke(caller, this.access)
    if (outcome.kind === 'unknown') this.mayHaveEnded = true
    if (outcome.status !== 200) return
    tally.wrote('revocations')
    this.ended('it was revoked')
  }

  /** Sends its code again, which must fail and end it (RFC 6749 §4.1.2). */
  async replayCode(): Promise<void> {
    const { caller, findings } = this.context
    const outcome = await signIn.exchange(caller, this.code)
    if (outcome.kind === 'unknown') this.mayHaveEnded = true
    if (outcome.status === 200) findings.add('double winner', 'a code was exchanged twice')
    if (outcome.status === 400) this.ended('its code was used again')
  }

  /** Its end was acknowledged. */
  ended(how: string): void {
    const { access, refreshToken: refresh } = this
    this.context.revoked.add({ access, refresh, at: performance.now(), how })
    this.#forget()
  }

  #forget(): void {
    this.isOver = true
  }
}

/** Signs in and exchanges the code, sometimes with concurrent requests. Undefined if nothing came of it. */
export async function beginSession(
  context: LoadContext,
  user: string,
  cookies: signIn.Cookies,
  count: number,
): Promise<Session | undefined> {
  const { caller, clocks, findings, tally } = context
  const { era } = clocks
  const startedAt = performance.now()
  const code = await signIn.obtainCode(context, user, cookies)
  if (code === undefined || clocks.era !== era) return undefined
  const issuedAt = performance.now()
  const outcomes: Outcome[] = []
  for (let round = 0; round < 20 && performance.now() - issuedAt < codeMs; round++) {
    const attempts = Array.from({ length: round === 0 ? count : 1 }, () => signIn.exchange(caller, code))
    outcomes.push(...(await Promise.all(attempts)))
    if (outcomes.some(({ kind }) => kind === 'answered')) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  if (clocks.era !== era) return undefined
  const granted = outcomes.filter(({ status }) => status === 200)
  const rejected = outcomes.filter(({ status }) => status === 400)
  const hasUnknown = outcomes.some(({ kind }) => kind === 'unknown')
  if (granted.length > 1) findings.add('double winner', `one code was exchanged ${granted.length} times`)
  const [first] = granted
  if (!first) {
    const wasLate = rejected.some(({ endedAt }) => endedAt - issuedAt > codeMs)
    if (rejected.length > 0 && !hasUnknown && !wasLate && clocks.isSettled && !clocks.wasSkewedSince(startedAt))
      findings.add('lost', 'a code that was issued is rejected')
    return undefined
  }
  tally.wrote('exchanges')
  const session = new Session(context, code, signIn.tokensOf(first))
  if (hasUnknown) session.mayHaveEnded = true
  if (rejected.length === 0) return session
  session.ended('its code was used twice')
  return undefined
}
