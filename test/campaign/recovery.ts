import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadContext } from './load/context.ts'
import { beginSession, type Session } from './load/session.ts'
import { userName } from './system/data.ts'

const giveUpMs = 120_000

/** Asks both nodes to read and write until they do. */
export class Recovery {
  readonly #context: LoadContext
  #session: Session | undefined

  private constructor(context: LoadContext) {
    this.#context = context
  }

  static async start(context: LoadContext): Promise<Recovery> {
    const recovery = new Recovery(context)
    await recovery.untilServing()
    return recovery
  }

  /** Resolves when both nodes write, read and, unless only writes are asked for, list events from the replica. */
  async untilServing(what?: 'writes'): Promise<void> {
    const { window, findings } = this.#context
    const since = performance.now()
    for (const node of [0, 1])
      while (!(await this.#serves(node, what))) {
        if (performance.now() - since > giveUpMs) {
          findings.add('slow recovery', `node ${node + 1} did not serve again in ${giveUpMs / 1_000} s`)
          return
        }
        await sleep(50)
      }
    window.recovered()
  }

  async #serves(node: number, what: 'writes' | undefined): Promise<boolean> {
    const { caller } = this.#context
    const ready = await caller.send({ path: '/health/ready', at: 'origin', node, expected: [200] })
    if (ready.status !== 200) return false
    if (!this.#session || this.#session.isOver || !this.#session.isOfNow)
      this.#session = await beginSession(this.#context, userName(0, 0), new Map(), 1)
    const session = this.#session
    if (!session) return false
    const token = session.access
    await session.refresh(1, node)
    if (session.isOver || session.access === token) return false
    const path = what === 'writes' ? '/port/v1/users/me' : '/ca/v2/events'
    return (await caller.send({ path, token: session.access, node, expected: [200] })).status === 200
  }
}
