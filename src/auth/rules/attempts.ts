export const attemptWindowSeconds = 300
export const maxPerAddress = 10
export const maxPerName = 100

/** Recent wrong attempts for a name: from this address, and from everywhere. */
export type AttemptCounts = Readonly<{ fromAddress: number; fromEverywhere: number }>

/** After ten wrong attempts for a name from one address, or a hundred for a user from everywhere, the next is rejected unseen
 *  (§4.10). Secrets have no limit from everywhere: attackers must not be able to lock an app out. */
export function exceedsLimit(kind: 'password' | 'secret', wrong: AttemptCounts): boolean {
  return wrong.fromAddress >= maxPerAddress || (kind === 'password' && wrong.fromEverywhere >= maxPerName)
}
