import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { siblingModule } from '../../../core/files/sibling-module.ts'
import type { Order } from './build-process.ts'

/** Makes the next base segment in a process of its own. Resolves when it is kept. */
export async function buildFileInProcess(order: Order, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = fork(fileURLToPath(siblingModule(import.meta, 'build-process')), {
    execArgv: [],
    serialization: 'json',
  })
  const end = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  try {
    const exited = new Promise((resolve) => child.once('exit', resolve))
    const reason = await new Promise<string>((resolve) => {
      // A process that cannot be started reports more than one error, and one without a listener would end the service.
      child.on('error', ({ message }) => resolve(message))
      child.once('message', (answer) => resolve((answer as { error: string }).error))
      exited.then(() => resolve('The process has ended.'))
      child.send(order)
    })
    if (reason) throw new Error(reason)
    await exited
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}
