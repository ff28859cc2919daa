import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** CPU time of these processes so far, in microseconds; undefined without /proc. Other load on the machine lowers requests
 *  per second, but hardly affects this. */
export async function processorTime(pids: readonly number[]): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  const ticks = texts.map((text) => {
    // proc_pid_stat(5): behind the name, which may hold anything, utime and stime are the 12th and 13th.
    const [utime = 0, stime = 0] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return utime + stime
  })
  return (ticks.reduce((sum, tick) => sum + tick, 0) * 1_000_000) / ticksPerSecond()
}

let known: number | undefined

function ticksPerSecond(): number {
  known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100
  return known
}
