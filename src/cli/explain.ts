import { isOutage } from '../core/network/outage.ts'

type SystemError = Error & { code?: string; port?: number; address?: string; path?: string }

/** Node's own sentence about an option, without its advice on how to write odd ones. */
function parseFault(message: string): string {
  const option = /^Unknown option '([^']+)'/.exec(message)?.[1]
  return option ? `There is no option ${option} here.` : `${message.split('. ', 1)[0]?.replace(/\.$/, '')}.`
}

/** One plain sentence for what keeps the service from starting, and what to do about it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port, path } = error as SystemError
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken. Stop what uses it, or choose another: PORT=${(port ?? 4700) + 1} npm start`
  if (code?.startsWith('ERR_PARSE_ARGS')) return parseFault(error.message)
  if (code === 'ENOENT' && path !== undefined && !path.includes('.s.PGSQL')) return `There is no file ${path}.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be used by this user. Choose one above 1023.`
  if (code === 'EADDRNOTAVAIL')
    return `HOST ${(error as SystemError).address} is no address of this machine. Leave HOST away, or give one of its own.`
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return `${path ?? 'A file'} may not be written. Give DATA_DIR a folder that this user owns.`
  if (path !== undefined && (code === 'ENOTDIR' || code === 'EEXIST'))
    return `${path} cannot be a folder: a file is in the way. Give DATA_DIR another place.`
  if (code === 'ENOSPC') return 'The disk is full. Make room, or give DATA_DIR a folder elsewhere.'
  if (code === '28P01' || code === '28000')
    return 'PostgreSQL refused the user or password of DATABASE_URL. Correct them.'
  if (code === '3D000') return 'The database that DATABASE_URL names does not exist. Create it: createdb refdesk'
  if (isOutage(error))
    return `PostgreSQL cannot be reached (${error.message || code}). Check DATABASE_URL and that it runs.`
  return error.message
}
