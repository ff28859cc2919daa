import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { siblingModule } from '../../../core/files/sibling-module.ts'
import type { Order } from './build-process.ts'

/** Builds a segment of all data in a process of its own. Resolves when its file is written. */
export async function buildFileInProcess(order: Order, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = fork(fileURLToPath(siblingModule(import.meta, 'build-process')), {
    execArgv: [],
    serialization: 'json',
  })
  const end = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  try {
    const failed = new Promise<never>((_, reject) => child.once('error', reject))
    const exited = once(child, 'exit')
    const answered = once(child, 'message').then(([answer]) => (answer as { error: string }).error)
    child.send(order)
    const reason = await Promise.race([answered, failed, exited.then(() => 'The process has ended.')])
    if (reason) throw new Error(reason)
    await exited
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}
