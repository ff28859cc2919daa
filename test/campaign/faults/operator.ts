import { setTimeout as sleep } from 'node:timers/promises'
import { beginSession } from '../load/session.ts'
import type { Target } from './target.ts'

/** Signs the operator in, however long that takes. */
export async function operatorToken({ context, operator }: Target): Promise<string> {
  for (;;) {
    const session = await beginSession(context, operator, new Map(), 1)
    if (session) return session.access
    await sleep(200)
  }
}
