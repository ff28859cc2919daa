import type { MessagePort } from 'node:worker_threads'
import { unavailable } from '../../core/problem.ts'
import type { CatalogueSource, CatalogueState, PastData } from './source.ts'

/** What the thread that builds the catalogue sends to those that serve it: every state, and the states of the past that they
 *  ask for. */
export type ToWorker =
  | Readonly<{ kind: 'present'; state: CatalogueState }>
  | Readonly<{ kind: 'past'; id: number; state: CatalogueState | undefined }>
export type PastQuestion = Readonly<{ id: number; data: PastData; clientKey: string }>

type Log = { error(detail: object, message: string): void }

/** A catalogue that another thread builds. */
export function sharedSource(port: MessagePort, log: Log): CatalogueSource {
  const waiting = new Map<number, PromiseWithResolvers<CatalogueState>>()
  let asked = 0
  const answer = ({ id, state }: Readonly<{ id: number; state: CatalogueState | undefined }>) => {
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (state) resolve?.(state)
    else reject?.(unavailable())
  }
  return {
    start: (serve) =>
      new Promise((resolve, reject) => {
        port.on('message', (message: ToWorker) => {
          if (message.kind === 'past') return answer(message)
          try {
            serve(message.state)
            resolve()
          } catch (error) {
            log.error({ err: error }, 'catalogue not served')
            reject(error)
          }
        })
      }),
    past(data, clientKey) {
      const id = asked++
      const question: PastQuestion = { id, data, clientKey }
      const one = Promise.withResolvers<CatalogueState>()
      waiting.set(id, one)
      port.postMessage(question)
      return one.promise
    },
    async stop() {
      port.close()
      for (const { reject } of waiting.values()) reject(unavailable())
      waiting.clear()
    },
  }
}

/** Answers what the thread at the other end of the port asks for. */
export function answerPast(port: MessagePort, source: Pick<CatalogueSource, 'past'>): void {
  port.on('message', async ({ id, data, clientKey }: PastQuestion) => {
    // It is 503 for the caller, whatever the reason.
    const state = await source.past(data, clientKey).catch(() => undefined)
    port.postMessage({ kind: 'past', id, state } satisfies ToWorker)
  })
}
