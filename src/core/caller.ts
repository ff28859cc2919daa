/** The caller, from a verified access token. Every REST operation decides by this alone. */
export type Caller = Readonly<{
  UserKey: string
  ClientKey: string
  sessionId: string
  appKey: string
  /** False for an app whose authorization levels are not both Trade: its token may only read. */
  mayWrite: boolean
  /** When the token expires, in seconds since 1970 on the service clock. */
  expiresAt: number
  /** True for a 24-hour token of sim, which cannot be renewed. */
  isDayToken: boolean
}>
