import { equalInConstantTime } from '../../core/crypto/keys.ts'

/** A keyed hash: without the key nobody can make a link, an anchor or a footer that passes. */
export type Hmac = (message: Uint8Array) => Uint8Array

/** A place in the chain that the next link ties on to. */
export type ChainEnd = Readonly<{ seq: number; mac: Uint8Array }>
export type Link = ChainEnd & Readonly<{ body: string }>

/** The part of the chain that was moved to a file. */
export type ArchivedPart = Readonly<{
  firstSeq: number
  throughSeq: number
  mac: Uint8Array
  fileName: string
  archivedAt: string
}>
export type Anchor = ArchivedPart & Readonly<{ seal: Uint8Array }>

export const macBytes = 32
export const chainStart: ChainEnd = { seq: 0, mac: new Uint8Array(macBytes) }
export const maxFindings = 100

const utf8 = new TextEncoder()

/** Each field behind its length, so that no two lists of fields give the same bytes. */
export function encodeFields(...fields: readonly (string | number | Uint8Array)[]): Uint8Array {
  const parts = fields.map((field) => (field instanceof Uint8Array ? field : utf8.encode(String(field))))
  const message = new Uint8Array(parts.reduce((size, part) => size + 4 + part.length, 0))
  let offset = 0
  for (const part of parts) {
    for (const shift of [24, 16, 8, 0]) message[offset++] = part.length >>> shift
    message.set(part, offset)
    offset += part.length
  }
  return message
}

/** The first field tells the purpose, so that a mac made for a link is none for an anchor. */
function linkMac(hmac: Hmac, previousMac: Uint8Array, seq: number, body: string): Uint8Array {
  return hmac(encodeFields('link', previousMac, seq, body))
}

export function nextLink(hmac: Hmac, end: ChainEnd, body: string): Link {
  const seq = end.seq + 1
  return { seq, body, mac: linkMac(hmac, end.mac, seq, body) }
}

export function anchorSeal(hmac: Hmac, part: ArchivedPart): Uint8Array {
  return hmac(encodeFields('anchor', part.firstSeq, part.throughSeq, part.mac, part.fileName, part.archivedAt))
}

/** What is wrong with an anchor, given where the one before it ended. */
export function anchorFinding(hmac: Hmac, previousEnd: ChainEnd, anchor: Anchor): string | undefined {
  const name = `The record of the archive through entry ${anchor.throughSeq}`
  if (!equalInConstantTime(anchor.seal, anchorSeal(hmac, anchor))) return `${name} was changed or forged.`
  if (anchor.firstSeq === previousEnd.seq + 1) return undefined
  return `${name} begins at entry ${anchor.firstSeq}; entry ${previousEnd.seq + 1} was expected: a record is missing.`
}

export function headText(end: ChainEnd): string {
  return `${end.seq}:${end.mac.toHex()}`
}

/** Undefined when it is not what headText writes. */
export function parseHead(text: string): ChainEnd | undefined {
  const [, seq, mac] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return seq !== undefined && mac !== undefined ? { seq: Number(seq), mac: Uint8Array.fromHex(mac) } : undefined
}

/** Follows a chain link by link and says in plain sentences where it is not as it was made. */
export class ChainCheck {
  readonly findings: string[] = []
  /** All that was found; `findings` holds the first of it. */
  problems = 0
  entries = 0
  end: ChainEnd
  readonly #hmac: Hmac
  readonly #start: ChainEnd
  readonly #head: ChainEnd | undefined
  #atHead: ChainEnd | undefined

  constructor(hmac: Hmac, start: ChainEnd, head?: ChainEnd) {
    this.#hmac = hmac
    this.#start = start
    this.#head = head
    this.end = start
    this.#noteHead()
  }

  report(finding: string): void {
    this.problems++
    if (this.findings.length < maxFindings) this.findings.push(finding)
  }

  /** After a finding the check goes on from the mac as it stands, so that one change is not reported to the end. */
  add(link: Link): void {
    this.entries++
    const finding = this.#linkFinding(link)
    if (finding !== undefined) this.report(finding)
    if (link.seq <= this.end.seq) return
    this.end = { seq: link.seq, mac: link.mac }
    this.#noteHead()
  }

  /** A chain that was cut is whole as far as it goes; only a head noted elsewhere tells. */
  finish(): void {
    const finding = this.#headFinding()
    if (finding !== undefined) this.report(finding)
  }

  #noteHead(): void {
    if (this.end.seq === this.#head?.seq) this.#atHead = this.end
  }

  #linkFinding({ seq, body, mac }: Link): string | undefined {
    const expected = this.end.seq + 1
    if (seq < expected) return `Entry ${seq} is out of place: it stands after entry ${this.end.seq}.`
    if (seq === expected + 1) return `Entry ${expected} is missing.`
    if (seq > expected) return `Entries ${expected} to ${seq - 1} are missing.`
    if (equalInConstantTime(mac, linkMac(this.#hmac, this.end.mac, seq, body))) return undefined
    return `Entry ${seq} was changed, or is not where it was written.`
  }

  #headFinding(): string | undefined {
    const head = this.#head
    if (head === undefined) return undefined
    if (this.#atHead !== undefined) {
      if (equalInConstantTime(this.#atHead.mac, head.mac)) return undefined
      return `Entry ${head.seq} is not the one that was noted as head: the end was cut and the log went on from there.`
    }
    if (head.seq > this.end.seq) {
      return `The end is cut: entry ${head.seq} was noted as head, the last one here is ${this.end.seq}.`
    }
    if (head.seq > this.#start.seq) return `Entry ${head.seq}, which was noted as head, is missing.`
    return `The head ${head.seq} lies in the archived part, through ${this.#start.seq}: check the archive's file with it.`
  }
}
