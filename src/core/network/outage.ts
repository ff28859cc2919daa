/** SQLSTATE classes of errors that may pass: connection, conflict, resources, object in use, operator intervention, system.
 *  25006: PostgreSQL is read-only, because another server is the primary now. 3D000: the database has no such name while a
 *  restored one takes its place. */
const passingState = /^((08|40|53|55|57|58|XX)...|25006|3D000)$/
const socketCode =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ECONNABORTED)$/
const driverMessage =
  /Connection terminated|error establishing an SSL connection|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end|cached plan must not change result type/

const uncertain = new WeakSet<Error>()

/** Marks a commit that failed without an error from PostgreSQL (those have a severity): it may have succeeded. */
export function noteFailedCommit(error: unknown): void {
  if (error instanceof Error && !('severity' in error)) uncertain.add(error)
}

/** True for an outage during a commit: nothing here knows whether the commit succeeded. */
export const isCommitUncertain = (error: unknown): boolean => error instanceof Error && uncertain.has(error)

/** True if the database is down, full or overloaded. A retry is safe, unless the commit is uncertain. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && (socketCode.test(code) || passingState.test(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  return driverMessage.test(error.message)
}

/** True if others held a lock for too long (55P03) or until a deadlock (40P01): the transaction was undone and may be tried again. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error && ['55P03', '40P01'].includes(String((error as { code?: unknown }).code))
