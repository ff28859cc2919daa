import { setFlagsFromString } from 'node:v8'

export const pretenuringFlag = 'allocation-site-pretenuring'

/** Objects of a request survive if garbage is collected while it is served. V8 then allocates later objects of the same kinds directly
 *  in the old generation, where they stay until a full collection, with everything that they refer to. Call this before the code that
 *  serves requests is compiled; it affects all threads. */
export function disablePretenuring(): void {
  setFlagsFromString(`--no-${pretenuringFlag}`)
}
