import { randomBytes } from 'node:crypto'
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readOrMakeSecretFile, syncFolder } from '../../core/files/secret-file.ts'
import { isAlive } from './postmaster.ts'
import type { Runner } from './runner.ts'

const initSeconds = 300

/** The superuser's password, generated once per data folder. */
export function databasePassword(dataDir: string): Promise<string> {
  return readOrMakeSecretFile(join(dataDir, 'postgres.password'), () => randomBytes(24).toString('base64url'))
}

/** Creates the cluster if there is none. It is renamed into place when complete, so a killed initdb leaves no half. */
export async function ensureCluster(
  runner: Runner,
  password: string,
  sync: boolean,
  stopping = new AbortController().signal,
): Promise<string> {
  const cluster = join(runner.home, 'postgres')
  await removeLeftovers(runner.home)
  const files = await readdir(cluster).catch((): string[] => [])
  if (files.includes('PG_VERSION') || files.includes('global')) return cluster
  if (files.length > 0) await rename(cluster, `${cluster}.incomplete-${randomBytes(4).toString('hex')}`)
  const temporary = temporaryName(cluster)
  const passwordFile = `${temporary}.password`
  try {
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (runner.owner) await chown(passwordFile, runner.owner.uid, runner.owner.gid)
    await initialise(runner, temporary, passwordFile, sync, stopping)
    await rename(temporary, cluster).catch(async (error) => {
      // A concurrent start was faster. Its cluster has the same password.
      if (!(await readdir(cluster).catch((): string[] => [])).includes('PG_VERSION')) throw error
    })
    await syncFolder(runner.home)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(temporary, { recursive: true, force: true })
  }
  return cluster
}

async function initialise(
  runner: Runner,
  folder: string,
  passwordFile: string,
  sync: boolean,
  stopping: AbortSignal,
): Promise<void> {
  stopping.throwIfAborted()
  const args = ['-D', folder, '-U', 'refdesk', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8']
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions')
  if (!sync) args.push('--no-sync')
  const child = runner.spawn(runner.binaries.initdb, args, ['ignore', 'ignore', 'pipe'])
  const timer = setTimeout(() => child.kill('SIGKILL'), initSeconds * 1000)
  const stop = () => child.kill('SIGTERM')
  stopping.addEventListener('abort', stop)
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  clearTimeout(timer)
  stopping.removeEventListener('abort', stop)
  stopping.throwIfAborted()
  if (code !== 0) throw new Error(`initdb could not create the database in ${dirname(folder)}: ${stderr.trim()}`)
}

const ownNames = new Set<string>()

/** Contains the process id, so that leftovers of a killed process can be recognised. */
function temporaryName(path: string): string {
  const name = `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  ownNames.add(basename(name))
  return name
}

/** Removes what a killed start left behind, and nothing that a running process is still creating. `ended` has ended, even
 *  if its id is still in use because its parent has not asked for its exit code. */
export async function removeLeftovers(home: string, ended = process.pid): Promise<void> {
  for (const name of await readdir(home)) {
    const [, leftover, pid] = /^(postgres\.new-(\d+)-\w+)/.exec(name) ?? []
    if (leftover === undefined || ownNames.has(leftover)) continue
    if (Number(pid) !== ended && isAlive(Number(pid))) continue
    // Its initdb may still be writing. What cannot be removed now, the next start removes.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}
