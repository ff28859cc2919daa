import { setFlagsFromString } from 'node:v8'

/** V8 allocates an object among the old ones if most of its kind survived a collection, as those of a request do when a collection falls
 *  into it. Then all of them stay until the old objects are collected, with everything that they refer to. Call it before the code
 *  that serves requests is compiled; it affects all threads. */
export function allocateAsNew(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
