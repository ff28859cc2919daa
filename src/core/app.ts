import type { Static } from 'typebox'
import { named, oneOf } from './schema.ts'

export const AppFlow = named(
  'AppFlow',
  oneOf('Code', 'PKCE', 'Implicit'),
  'How an app signs users in: `Code` with a secret, `PKCE` without one, `Implicit` without a server of its own.',
)
export type Flow = Static<typeof AppFlow>

export const AppStatus = named(
  'AppStatus',
  oneOf('OK', 'Pending', 'PendingUserApprovalCheck'),
  'A pending app waits for approval: it can read, but cannot be reactivated.',
)
export type AppStatus = Static<typeof AppStatus>

/** The name of a secret for people, after the word "secret". Positions would change when another one is deleted. */
export const secretName = (id: number | string, lastFour: string | undefined): string =>
  lastFour === undefined ? String(id) : `${id} (…${lastFour})`

/** What the tokens of an app may do while the user is present (online) or not (offline). */
export const AuthorizationLevel = oneOf('None', 'Read', 'Trade')
export type AuthorizationLevel = Static<typeof AuthorizationLevel>
