export const attemptWindowSeconds = 300
export const maxPerAddress = 10
export const maxPerName = 100

/** How often a name was tried wrongly of late: from this address, and from everywhere. */
export type AttemptCounts = Readonly<{ fromAddress: number; fromEverywhere: number }>

/** After ten wrong ones for one name from one address, or for a user a hundred from everywhere, the next is not looked
 *  at (contract §4). Secrets have no limit from everywhere: a right one is never refused because of others' wrong ones. */
export function areTooMany(kind: 'password' | 'secret', wrong: AttemptCounts): boolean {
  return wrong.fromAddress >= maxPerAddress || (kind === 'password' && wrong.fromEverywhere >= maxPerName)
}
