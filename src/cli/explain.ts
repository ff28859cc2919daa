import { isOutage } from '../core/network/outage.ts'
import { Problem } from '../core/problem.ts'

type SystemError = Error & { code?: string; port?: number; address?: string; path?: string }

/** Explains in a sentence or two why the service cannot start and what to do. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Releasing something failed too; what failed first is the reason.
  if (error instanceof SuppressedError) return explain(error.suppressed)
  if (error instanceof Problem && error.modelState) return Object.values(error.modelState).flat().join('\n')
  const { code, port, path } = error as SystemError
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the other process, or choose another port: PORT=${(port ?? 4700) + 1} npm start`
  if (code === 'ENOENT' && path !== undefined && !path.includes('.s.PGSQL')) return `File not found: ${path}.`
  if (code === 'EACCES' && port !== undefined) return `This user may not listen on port ${port}. Choose one above 1023.`
  if (code === 'EADDRNOTAVAIL')
    return `HOST ${(error as SystemError).address} is not an address of this machine. Remove HOST, or set it to a local address.`
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return `${path ?? 'A file'} is not writable. Set DATA_DIR to a folder that this user owns.`
  if (path !== undefined && (code === 'ENOTDIR' || code === 'EEXIST'))
    return `${path} is a file, not a folder. Set DATA_DIR to another path.`
  if (code === 'ENOSPC') return 'The disk is full. Free some space, or set DATA_DIR to a folder elsewhere.'
  if (code === '28P01' || code === '28000') return 'PostgreSQL rejected the user or password of DATABASE_URL.'
  if (code === '3D000') {
    const name = /"([\w-]+)"/.exec(error.message)?.[1] ?? 'NAME'
    return `The database in DATABASE_URL does not exist. Create it: createdb ${name}`
  }
  if (isOutage(error))
    return `PostgreSQL cannot be reached (${error.message || code}). Check DATABASE_URL and that PostgreSQL is running.`
  return error.message
}
