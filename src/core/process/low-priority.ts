import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/** Lets other processes run first, for good. On Linux a priority belongs to a thread: the main thread, and those in
 *  which V8 compiles and collects garbage, get it one by one; later ones inherit it. */
export function lowerProcessPriority(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
  for (const thread of threads) {
    try {
      if (getPriority(thread) < constants.priority.PRIORITY_BELOW_NORMAL)
        setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // The thread has just ended.
    }
  }
}
