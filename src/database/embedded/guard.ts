import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { randomHex } from '../../core/crypto/keys.ts'
import { siblingModule } from '../../core/files/sibling-module.ts'

export interface Guard {
  /** The application name of the session by which this process uses the cluster. */
  readonly id: string
  /** Nothing is left to stop. */
  release(): void
  /** Lets the guard act now, as if this process had ended. */
  act(): void
}

/** What the guard must know to clean up after this process. */
type Guarded = Readonly<{ dataDir: string; home: string; socketFolder: string }>

/** Reads until this process sends a line or is gone, however it ended. A shell needs 1 MB; Node.js starts only to clean up. */
const script = `trap '' HUP INT QUIT TERM; read -r released || exec "$@"`

/** Starts a process that stops the bundled PostgreSQL if this one ends without doing so, kill -9 included. It is in a
 *  session of its own, where it gets no signal of a terminal or of this process's group. */
export function startGuard({ dataDir, home, socketFolder }: Guarded): Guard {
  const id = `refdesk ${randomHex()}`
  if (process.platform === 'win32') return { id, release: () => undefined, act: () => undefined }
  const cleanup = [process.execPath, fileURLToPath(siblingModule(import.meta, 'cleanup'))]
  const args = [...cleanup, dataDir, home, socketFolder, id, String(process.pid)]
  // It keeps nothing of this process open or in use, such as the pipe of its log, and sees none of its settings.
  const child = spawn('/bin/sh', ['-c', script, 'refdesk-guard', ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: {},
    detached: true,
  })
  // Without a guard everything works, but a kill -9 leaves PostgreSQL running until the next start.
  child.on('error', () => undefined).unref()
  child.stdin.on('error', () => undefined)
  const pipe = child.stdin as typeof child.stdin & { unref(): void }
  pipe.unref()
  return { id, release: () => void pipe.end('released\n'), act: () => void pipe.end() }
}
