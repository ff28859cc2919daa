import type { LoadContext, RevokedToken } from './context.ts'
import { Lane } from './lane.ts'
import * as signIn from './sign-in.ts'

/** Every node knows of an end within this time (§4.12). */
const boundMs = 1_000

/** Presents tokens whose session has ended. No node may accept one after the stated bound. */
export class RevocationLane extends Lane {
  readonly #context: LoadContext
  readonly #graceMs: number

  /** `graceSeconds` is REVOCATION_GRACE_SECONDS: the bound for a node that has lost its database. */
  constructor(context: LoadContext, graceSeconds: number, pauseMs: number) {
    super(context.random, pauseMs)
    this.#context = context
    this.#graceMs = graceSeconds * 1_000
  }

  protected override async step(): Promise<void> {
    const { random, revoked } = this.#context
    // Mostly the latest ones: they are the ones a node may not know of.
    const recent = revoked.all.slice(random.chance(0.7) ? -6 : 0)
    if (recent.length === 0) return
    const token = random.pick(recent)
    if (random.chance(0.9)) await this.#present(token)
    else await this.#refresh(token)
  }

  protected override async check(): Promise<void> {
    for (const node of [0, 1])
      await Promise.all(this.#context.revoked.all.slice(-10).map((token) => this.#present(token, node)))
  }

  async #present(token: RevokedToken, node?: number): Promise<void> {
    const { caller, findings, window, tally } = this.#context
    const at = node === undefined ? {} : { node }
    const isCalm = !window.isDisturbed(performance.now())
    const call = { path: '/port/v1/users/me', token: token.access, expected: [200, 401], ...at }
    const { status, startedAt } = await caller.send(call)
    if (status !== 200) return
    const afterMs = startedAt - token.at
    tally.slowestRevocationMs = Math.max(tally.slowestRevocationMs, afterMs)
    const bound = isCalm && !window.isActive ? boundMs + window.stallMs + window.starvedMs : this.#graceMs
    if (afterMs > bound)
      findings.add('revoked token accepted', `${(afterMs / 1_000).toFixed(1)} s after its session ended: ${token.how}`)
  }

  async #refresh({ refresh, how }: RevokedToken): Promise<void> {
    const { caller, findings } = this.#context
    const { status } = await signIn.refresh(caller, refresh)
    if (status === 200) findings.add('revoked token accepted', `a refresh token of a session that ended: ${how}`)
  }
}
