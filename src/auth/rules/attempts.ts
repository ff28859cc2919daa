export const attemptWindowSeconds = 300
export const maxPerNameAndAddress = 10
export const maxPerName = 100
export const maxPerAddress = 100

/** Recent wrong attempts: for the name from this address, for the name from everywhere, and from this address for any name. */
export type AttemptCounts = Readonly<{ fromAddress: number; fromEverywhere: number; forAnyName: number }>

export type AttemptKind = 'password' | 'secret'

/** After ten wrong attempts for a name from one address, or a hundred for a user from everywhere, the next for that name is
 *  rejected unseen; after a hundred from one address for any names, the next from there (§4.10). Secrets have no limit from
 *  everywhere: attackers must not be able to lock an app out. */
export function exceededLimit(kind: AttemptKind, wrong: AttemptCounts): 'name' | 'address' | undefined {
  if (wrong.fromAddress >= maxPerNameAndAddress) return 'name'
  if (kind === 'password' && wrong.fromEverywhere >= maxPerName) return 'name'
  return wrong.forAnyName >= maxPerAddress ? 'address' : undefined
}
