import { readdirSync, readFileSync } from 'node:fs'

/** How long each thread of a process has been ready to run without a processor, in milliseconds since it began (Linux;
 *  elsewhere unknown). The second number of schedstat has it in nanoseconds. */
function waitsOf(pid: number): [string, number][] {
  const folder = `/proc/${pid}/task`
  try {
    return readdirSync(folder).map((thread) => {
      const [, nanoseconds] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')
      return [thread, Number(nanoseconds) / 1e6]
    })
  } catch {
    return []
  }
}

/** For how long processes that wait for each other had no processor: the longest wait of a thread in each group. */
export class Starvation {
  readonly #groups: readonly (() => readonly number[])[]
  #before = new Map<string, number>()

  /** Each group gives its present processes. */
  constructor(groups: readonly (() => readonly number[])[]) {
    this.#groups = groups
  }

  /** Counts from now on. */
  reset(): void {
    this.#before = new Map(this.#groups.flatMap((pids) => pids().flatMap(waitsOf)))
  }

  get milliseconds(): number {
    const longest = this.#groups.map((pids) => {
      const waits = pids().flatMap(waitsOf)
      return Math.max(0, ...waits.map(([thread, ms]) => ms - (this.#before.get(thread) ?? 0)))
    })
    return longest.reduce((sum, ms) => sum + ms, 0)
  }
}

/** A process and those that it has started. */
export function familyOf(pid: number): number[] {
  try {
    return [pid, ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)]
  } catch {
    return []
  }
}
