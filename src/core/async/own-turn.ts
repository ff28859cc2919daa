import { setImmediate } from 'node:timers/promises'

let latest: Promise<void> = Promise.resolve()

/** Resolves in a turn of the event loop that no other waiter shares. Several long pieces of work at once, each in parts,
 *  therefore make no turn longer than one of them does. */
export function ownTurn(): Promise<void> {
  latest = latest.then(() => setImmediate())
  return latest
}
