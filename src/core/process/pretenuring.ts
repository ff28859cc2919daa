import { setFlagsFromString } from 'node:v8'

export const pretenuringFlag = 'allocation-site-pretenuring'

/** If garbage is collected during a request, V8 starts to allocate objects of the kinds that it finds in the old generation, where they
 *  stay until a full collection, with everything that they refer to. Call it before the code that serves requests is compiled; it
 *  affects all threads. */
export function disablePretenuring(): void {
  setFlagsFromString(`--no-${pretenuringFlag}`)
}
