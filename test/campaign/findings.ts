export const findingKinds = [
  'lost',
  'half done',
  'double winner',
  'revoked token accepted',
  'wrong answer',
  'audit chain broken',
  'slow recovery',
  'restart needed',
] as const

export type FindingKind = (typeof findingKinds)[number]

const maxTexts = 1_000

/** What must never happen, and did. */
export class Findings {
  readonly #counts = new Map<FindingKind, number>()
  readonly texts: string[] = []
  #fresh: string[] = []

  add(kind: FindingKind, text: string): void {
    this.#counts.set(kind, this.count(kind) + 1)
    const sentence = `${kind}: ${text}`
    if (this.texts.length >= maxTexts) return
    this.texts.push(sentence)
    this.#fresh.push(sentence)
  }

  count(kind: FindingKind): number {
    return this.#counts.get(kind) ?? 0
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Those since the last call. */
  takeFresh(): string[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }
}

/** What was done and seen. */
export class Tally {
  requests = 0
  unavailable = 0
  cutOff = 0
  /** Acknowledged writes by what they were. */
  readonly writes = new Map<string, number>()
  slowestRevocationMs = 0

  wrote(what: string, count = 1): void {
    this.writes.set(what, (this.writes.get(what) ?? 0) + count)
  }

  get allWrites(): number {
    return [...this.writes.values()].reduce((sum, count) => sum + count, 0)
  }
}
