/** Credentials that everyone can read, because they are part of the demo. A live service must not have them (§1.3). */
export type PublishedCredentials = Readonly<{
  appKeys: ReadonlySet<string>
  /** SHA-256 in hex. */
  secretHashes: ReadonlySet<string>
  userKeys: ReadonlySet<string>
  /** In lower case. */
  userNames: ReadonlySet<string>
  passwords: ReadonlySet<string>
}>

export const nonePublished: PublishedCredentials = {
  appKeys: new Set(),
  secretHashes: new Set(),
  userKeys: new Set(),
  userNames: new Set(),
  passwords: new Set(),
}

/** Whether one of the published passwords has this hash. */
export async function hashesPublished(
  passwordHash: string,
  { passwords }: PublishedCredentials,
  matches: (passwordHash: string, password: string) => Promise<boolean>,
): Promise<boolean> {
  for (const password of passwords) if (await matches(passwordHash, password)) return true
  return false
}
