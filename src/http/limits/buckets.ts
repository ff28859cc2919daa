/** What one request, one connection and one node may use. Each limit is enforced in one place. */
export const limits = {
  bodyBytes: 64 * 1024,
  batchBytes: 1024 * 1024,
  batchParts: 100,
  /** A state of 2,048 characters (§4.3) takes up to twelve each when percent-encoded. */
  urlCharacters: 32 * 1024,
  headerBytes: 64 * 1024,
  queryParameters: 200,
  requestsInFlight: 2000,
  connections: 10_000,
  requestTimeoutMilliseconds: 30_000,
  headersTimeoutMilliseconds: 10_000,
  /** How often Node checks the two above. With its default of 30 s, slow senders would stay much longer. */
  timeoutCheckMilliseconds: 5_000,
  keepAliveMilliseconds: 72_000,
  connectionIdleMilliseconds: 90_000,
  compressAboveBytes: 1024,
  /** Up to this size a body is written as latin1 text together with the headers: one write instead of two. */
  textBytes: 10_240,
} as const

/** Fixed windows (§2.6). The names are those in the headers `X-RateLimit-{name}-...`. */
export const rateLimitBuckets = {
  Session: { limit: 120, windowSeconds: 60 },
  RefDataInstrumentsMinute: { limit: 60, windowSeconds: 60 },
  AppDay: { limit: 10_000_000, windowSeconds: 86_400 },
} as const

export type BucketName = keyof typeof rateLimitBuckets
export type BucketLimits = Readonly<Record<BucketName, { limit: number; windowSeconds: number }>>
