import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

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

/** CPU time of this process and all that it started, also those that have ended, in microseconds; undefined without /proc.
 *  Waits until no connection of PostgreSQL is ending. */
export async function processorTimeOfAll(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  // A process that ended counts for its parent as soon as that has noticed.
  for (let before = -1; ; await sleep(100)) {
    const { ticks, processes } = await treeOf(process.pid)
    if (processes === before) return (ticks * 1_000_000) / ticksPerSecond()
    before = processes
  }
}

async function treeOf(root: number): Promise<{ ticks: number; processes: number }> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = new Map<number, { parent: number; ticks: number }>()
  for (const name of names) {
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // As above: the parent is the 2nd, and the times of this process and of its ended children are the 12th to 15th.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, tick) => sum + tick, 0)
    if (text !== '') stats.set(Number(name), { parent: fields[1] ?? 0, ticks })
  }
  const isInTree = (pid: number): boolean => {
    const stat = stats.get(pid)
    return pid === root || (stat !== undefined && isInTree(stat.parent))
  }
  let [ticks, processes] = [0, 0]
  for (const [pid, stat] of stats)
    if (isInTree(pid)) {
      ticks += stat.ticks
      processes++
    }
  return { ticks, processes }
}

let known: number | undefined

function ticksPerSecond(): number {
  known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100
  return known
}
