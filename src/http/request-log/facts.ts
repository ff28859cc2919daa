import type { IncomingMessage } from 'node:http'

/** Why a request failed. The message may say more than the response does. */
export type Reason = Readonly<{
  code: string
  message: string
  /** Invalid fields, each with its first error. Callers choose the names of unknown ones. */
  fields?: readonly (readonly [name: string, error: string])[]
}>

/** What only the code that serves a request knows about it, for the request log. */
export type Facts = Readonly<{
  reason?: Reason
  /** The app that a request of the authorization server is for, and the client that owns it. */
  app?: string
  client?: string | null
  /** The id of the secret that the app authenticated with. */
  secret?: string
  user?: string
  session?: string
  /** The injected fault, if no response says it. */
  fault?: string
  /** The body as sent. */
  body?: string
  /** Not in the log: calls that the page of the log makes for itself. */
  isUnlogged?: boolean
}>

const noted = Symbol('facts')
type Noting = IncomingMessage & { [noted]?: Facts }

/** Notes something about a request; what was noted before stays. */
export function noteFacts({ raw }: Readonly<{ raw: IncomingMessage }>, facts: Facts): void {
  const noting = raw as Noting
  if (noting[noted]) Object.assign(noting[noted], facts)
  else noting[noted] = { ...facts }
}

export const factsOf = (raw: IncomingMessage): Facts | undefined => (raw as Noting)[noted]
