/** SQLSTATE classes that say "not now" rather than "never": connection, conflict with others, resources, a database
 *  that takes no connections or a lock that was not given, operator intervention, system. */
const outageClasses = ['08', '40', '53', '55', '57', '58', 'XX']
const socketCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]
const driverSentences =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end/

const uncertain = new WeakSet<Error>()

/** Notes a commit that failed without a word of PostgreSQL, whose errors have a severity: it may have been done. */
export function noteFailedCommit(error: unknown): void {
  if (error instanceof Error && !('severity' in error)) uncertain.add(error)
}

/** True of an outage in which a commit was under way: whether it was done, nobody here knows. */
export const isCommitUncertain = (error: unknown): boolean => error instanceof Error && uncertain.has(error)

/** True when the database is away, full or overrun. The request may be tried again: nothing was committed, unless the
 *  outage is uncertain. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    if (socketCodes.includes(code)) return true
    if (code.length === 5 && outageClasses.includes(code.slice(0, 2))) return true
  }
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  return driverSentences.test(error.message)
}
