/** What one request, one connection and one node may use. Each limit is enforced in one place. */
export const limits = {
  bodyBytes: 64 * 1024,
  batchBytes: 1024 * 1024,
  /** Files to import. */
  uploadBytes: 32 * 1024 * 1024,
  batchParts: 100,
  /** Fields and files. */
  formParts: 50,
  /** Parts after these bytes of responses are rejected. */
  batchResponseBytes: 16 * 1024 * 1024,
  /** A state of 2,048 characters (§4.3) takes up to twelve each when percent-encoded. */
  urlCharacters: 32 * 1024,
  headerBytes: 64 * 1024,
  queryParameters: 200,
  compressAboveBytes: 1024,
} as const

/** What connections and requests in progress may take. */
export const connectionLimits = {
  requestsInFlight: 2_000,
  connections: 10_000,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  /** How often Node checks the two above. With its default of 30 s, slow senders would stay much longer. */
  timeoutCheckMs: 5_000,
  keepAliveMs: 72_000,
  /** Instead, while more than half of all connections are open. */
  crowdedKeepAliveMs: 5_000,
  /** How long a caller may take nothing of a response. */
  stallMs: 30_000,
  /** How long a caller whose connection is closed because of an error may take to read the response. */
  lingerMs: 1_000,
  /** From the head of a request to the end of its response. */
  exchangeMs: 300_000,
}
export type ConnectionLimits = Readonly<typeof connectionLimits>

/** What one address (IPv6: one /64) may have of requests in progress and of connections, so that it cannot take them all. */
export const shareOf = (total: number): number => Math.max(1, Math.floor(total / 10))

/** Fixed windows (§2.6). The names are those in the headers `X-RateLimit-{name}-...`. */
export const rateLimitBuckets = {
  Session: { limit: 120, windowSeconds: 60 },
  RefDataInstrumentsMinute: { limit: 60, windowSeconds: 60 },
  ExplainMinute: { limit: 30, windowSeconds: 60 },
  AppDay: { limit: 10_000_000, windowSeconds: 86_400 },
} as const

/** A user has as many requests with one app as this many sessions, however many there are (§2.6). */
export const sessionsPerUser = 5

export type BucketName = keyof typeof rateLimitBuckets
export type BucketLimits = Readonly<Record<BucketName, { limit: number; windowSeconds: number }>>
