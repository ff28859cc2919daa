import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 200
const maxMs = 120_000

type Service = Readonly<{
  /** Where it may listen, most likely first. */
  addresses: readonly string[]
  /** The revision that it serves; undefined if no service with this database answers there. */
  askRevision(address: string): Promise<number | undefined>
}>

/** Waits up to two minutes until the service serves a revision. Returns what to say; undefined if it does not run. */
export async function untilServed(
  { addresses, askRevision }: Service,
  revision: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const address of addresses) {
    let served = await askRevision(address)
    if (served === undefined) continue
    for (let waited = 0; served < revision && waited < maxMs; waited += pollMs) {
      await sleep(pollMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) break
      served = (await askRevision(address)) ?? served
    }
    return served < revision
      ? `The service at ${address} still serves revision ${served}. It is preparing this one.`
      : `The service at ${address} serves revision ${served}.`
  }
  return undefined
}
