import { setImmediate } from 'node:timers/promises'

let latest: Promise<void> = Promise.resolve()

/** Resolves in a turn of the event loop that no other waiter shares, so that long pieces of work do not add up in one. */
export function ownTurn(): Promise<void> {
  latest = latest.then(() => setImmediate())
  return latest
}
