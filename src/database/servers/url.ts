/** Which servers of a database URL are used, by libpq's names. */
const targets = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
export type Target = (typeof targets)[number]

export type DatabaseUrl = Readonly<{
  /** One URL for each server, in the given order. */
  urls: readonly string[]
  target: Target | undefined
}>

const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/i

/** Reads a URL that may name several servers, as libpq does: `postgres://user@a:5432,b:5432/db?target_session_attrs=read-write`
 *  or `?host=a,b&port=5432,5433`. Undefined if it is not one. */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const [, login, authority = '', path, query] = form.exec(text) ?? []
  if (login === undefined) return undefined
  const params = new URLSearchParams(query)
  const target = params.get('target_session_attrs') ?? undefined
  if (target !== undefined && !isTarget(target)) return undefined
  const named = (params.get('host') ?? '').split(',')
  const ports = (params.get('port') ?? '').split(',')
  const count = Math.max(named.length, authority.split(',').length)
  // A URL of one server stays as it is.
  if (count === 1) return isUrl(text) ? { urls: [text], target } : undefined
  if (![1, count].includes(ports.length) || ![1, count].includes(named.length)) return undefined
  params.delete('target_session_attrs')
  const urls = Array.from({ length: count }, (_, at) => {
    const own = new URLSearchParams(params)
    const [host, port] = [named[at] ?? '', ports[at] ?? ports[0] ?? '']
    host === '' ? own.delete('host') : own.set('host', host)
    port === '' ? own.delete('port') : own.set('port', port)
    const server = named.length === 1 ? (authority.split(',')[at] ?? '') : authority.split(',')[0]
    return `${login}${server}${path}${own.size > 0 ? `?${own}` : ''}`
  })
  return urls.every(isUrl) ? { urls, target } : undefined
}

/** libpq and node-postgres allow no host after a user. */
const isUrl = (text: string): boolean => URL.canParse(text.replace('@/', '@host/'))

const isTarget = (text: string): text is Target => targets.some((target) => target === text)

/** What a server says about itself. */
export type ServerState = Readonly<{
  isWritable: boolean
  /** Grows with every failover; 0 if unknown. */
  timeline: number
}>

/** Whether a server fits, and how well: the highest number is best, undefined does not fit. Of several writable servers
 *  the one with the newest timeline is the primary: another one was cut off, and does not know of the failover yet. */
export function fitness({ isWritable, timeline }: ServerState, target: Target): number | undefined {
  if (target === 'any') return 0
  if (target === 'prefer-standby') return isWritable ? 0 : 1
  const wantsWritable = target === 'read-write' || target === 'primary'
  if (isWritable !== wantsWritable) return undefined
  return wantsWritable ? timeline : 0
}
