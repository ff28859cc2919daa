/** Advisory locks, for what only one node at a time may do. */
export const locks = {
  migration: 7_245_001,
  auditChain: 7_245_002,
  auditArchive: 7_245_003,
  housekeeping: 7_245_004,
  import: 7_245_005,
  /** A transaction that changes data with a history holds it from before its first change until its commit (migration 028). */
  history: 7_245_006,
  /** Held by the one service of the bundled PostgreSQL. */
  embeddedService: 7_305_001,
  /** Shared by everything that uses the bundled PostgreSQL. Exclusive for what stops it. */
  embeddedUse: 7_305_002,
} as const
