import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const projectFolder = fileURLToPath(new URL('../../../', import.meta.url))

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Only the given variables and those that every program needs, so that the user's own settings have no effect. */
export function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH = '', TMPDIR, REFDESK_TEST_LOG: log } = process.env
  // Processes share compiled code, which halves the time of a start.
  const compiled = log === undefined ? {} : { NODE_COMPILE_CACHE: join(dirname(log), 'compiled') }
  return { PATH, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...compiled, ...env }
}

/** The processes that a process has started. */
export async function childrenOf(pid: number): Promise<number[]> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}
