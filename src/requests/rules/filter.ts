/** What a reader of the request log asks for. */
export type Filter = Readonly<{
  /** A status, or a class of them such as 4xx. */
  status?: string | undefined
  appKey?: string | undefined
  /** A part of path and query, in any case. */
  path?: string | undefined
  /** The AppKey of the console: none of its pages, and no request with it. */
  withoutConsole?: string | undefined
  /** The id of an entry: only later ones. */
  since?: string | undefined
}>

type Facts = Readonly<{ id: string; status: number; app: string | undefined; target: string }>

/** Whether an entry passes the filters (§11.6). */
export function matches({ id, status, app, target }: Facts, filter: Filter): boolean {
  if (filter.since !== undefined && id <= filter.since) return false
  if (filter.appKey !== undefined && app !== filter.appKey) return false
  if (filter.withoutConsole !== undefined && (app === filter.withoutConsole || isPage(target))) return false
  if (filter.status !== undefined && !hasStatus(status, filter.status)) return false
  return filter.path === undefined || target.toLowerCase().includes(filter.path.toLowerCase())
}

const hasStatus = (status: number, wanted: string): boolean =>
  /^\dxx$/i.test(wanted) ? String(status).charAt(0) === wanted.charAt(0) : String(status) === wanted

const isPage = (target: string): boolean => /^\/(console([/?]|$)|\?|$)/i.test(target)
