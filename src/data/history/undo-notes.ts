import { countsInWords, plural } from '../../core/text.ts'
import type { Run } from '../store/history-runs.ts'
import type { RemovedWith } from '../store/removed-with.ts'

/** What an undo leaves as it is. */
export function limitsOf({ counts }: Pick<Run, 'counts'>): string[] {
  const countOf = (kind: string) => counts?.find((count) => count.kind === kind)
  const apps = countOf('app')
  const changedApps = (apps?.added ?? 0) + (apps?.changed ?? 0) + (apps?.removed ?? 0)
  const hasRemoved = (...kinds: string[]) => kinds.some((kind) => (countOf(kind)?.removed ?? 0) > 0)
  const stays = changedApps === 1 ? 'stays as it is, unless its' : 'stay as they are, unless their'
  return [
    ...(changedApps > 0
      ? [`The history has no apps: the ${plural(changedApps, 'app')} of this run ${stays} client is removed.`]
      : []),
    ...(hasRemoved('user', 'client')
      ? [
          'Users that come back have no password, and no sessions, consents or calendars: refdesk users password sets one.',
        ]
      : []),
    ...(hasRemoved('client') ? ['Apps of clients that come back are not restored.'] : []),
    ...(hasRemoved('account', 'client') ? ['Standing instructions of accounts that come back are not restored.'] : []),
    ...(countOf('user') ? ['Users who are there keep the password that they have now.'] : []),
  ]
}

/** What goes with the clients, users and accounts that an undo removes, besides their records. */
export function removedWith({ apps, sessions, consents, calendars, instructions }: RemovedWith): string[] {
  const said = countsInWords([
    [apps, 'app'],
    [sessions, 'session'],
    [consents, 'consent'],
    [calendars, 'calendar'],
    [instructions, 'standing instruction'],
  ])
  return said === '' ? [] : [`Removed with their clients, users and accounts: ${said}. They do not come back.`]
}
