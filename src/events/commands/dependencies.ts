import { findUserByName } from '../../access/store/identities.ts'
import type { EventDependencies } from '../api/list.ts'
import type { ElectionDependencies, Elector } from '../elections/elect.ts'

/** Commands use the operations' own code, as the user would: they see and may do the same. */
export type EventCommandDependencies = EventDependencies & ElectionDependencies
export type EventCommand = (
  deps: EventCommandDependencies,
  call: Readonly<{ options: Readonly<Record<string, unknown>>; words: readonly string[] }>,
  say: (line: string) => void,
) => Promise<0>

/** The user of a command, as the caller of an operation. */
export async function callerNamed({ db }: EventCommandDependencies, name = ''): Promise<Elector['caller']> {
  const user = await findUserByName(db, name)
  if (!user || user.disabled)
    throw new Error(`There is no active user ${name}. List the users with: refdesk users list`)
  return { UserKey: user.userKey, ClientKey: user.clientKey, appKey: 'command line' }
}
