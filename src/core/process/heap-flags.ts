import { setFlagsFromString } from 'node:v8'

export const heapFlags = [
  // Objects of a request survive if garbage is collected while it is served. V8 would then allocate later objects of the same kinds
  // directly in the old generation, where they stay until a full collection, with everything that they refer to.
  '--no-allocation-site-pretenuring',
  // A full collection when the old generation has doubled. While few objects survive, V8 would lower that limit to what is in use,
  // and collect all garbage again and again.
  '--heap-growing-percent=100',
  // After a full collection V8 waits, by default for 8 seconds, and then collects everything that it can, also the shapes of objects
  // of which none is in use between two requests, and the compiled code that knows these shapes. With so short a time it does that
  // in the first pause of the load.
  `--memory-reducer-delay-ms=${10 * 60_000}`,
] as const

/** Call this before the code that serves requests is compiled. It affects all threads. */
export function setHeapFlags(): void {
  for (const flag of heapFlags) setFlagsFromString(flag)
}
