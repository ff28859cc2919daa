import { equalInConstantTime } from '../../core/crypto/keys.ts'

/** A keyed hash: without the key, links, anchors and footers cannot be forged. */
export type Hmac = (message: Uint8Array) => Uint8Array

/** The end of a chain, to which the next link is attached. */
export type ChainEnd = Readonly<{ seq: number; mac: Uint8Array }>
export type Link = ChainEnd & Readonly<{ body: string }>

type ArchivedSection = Readonly<{
  firstSeq: number
  throughSeq: number
  mac: Uint8Array
  fileName: string
  archivedAt: string
}>
export type Anchor = ArchivedSection & Readonly<{ seal: Uint8Array }>

export const chainStart: ChainEnd = { seq: 0, mac: new Uint8Array(32) }
export const maxFindings = 100

/** Prefixes every field with its length, so that different fields never encode to the same bytes. All in one buffer from the
 *  pool: an ArrayBuffer per field of every entry would make V8 collect garbage often. */
export function encodeFields(...fields: readonly (string | number | Uint8Array)[]): Uint8Array {
  const parts = fields.map((field) => (field instanceof Uint8Array ? field : String(field)))
  const message = Buffer.allocUnsafe(parts.reduce((size, part) => size + 4 + Buffer.byteLength(part), 0))
  let offset = 0
  for (const part of parts) {
    if (typeof part === 'string') message.write(part, offset + 4)
    else message.set(part, offset + 4)
    const length = Buffer.byteLength(part)
    offset = message.writeUInt32BE(length, offset) + length
  }
  return message
}

/** The first field is the purpose, so that the mac of a link is not valid for an anchor. */
function linkMac(hmac: Hmac, previousMac: Uint8Array, seq: number, body: string): Uint8Array {
  return hmac(encodeFields('link', previousMac, seq, body))
}

export function nextLink(hmac: Hmac, end: ChainEnd, body: string): Link {
  const seq = end.seq + 1
  return { seq, body, mac: linkMac(hmac, end.mac, seq, body) }
}

export function anchorSeal(hmac: Hmac, section: ArchivedSection): Uint8Array {
  return hmac(
    encodeFields('anchor', section.firstSeq, section.throughSeq, section.mac, section.fileName, section.archivedAt),
  )
}

/** Checks an anchor against the end of the previous one. */
export function anchorFinding(hmac: Hmac, previousEnd: ChainEnd, anchor: Anchor): string | undefined {
  const name = `The record of the archive through entry ${anchor.throughSeq}`
  if (!equalInConstantTime(anchor.seal, anchorSeal(hmac, anchor))) return `${name} was changed or forged.`
  if (anchor.firstSeq === previousEnd.seq + 1) return undefined
  return `${name} begins at entry ${anchor.firstSeq}; entry ${previousEnd.seq + 1} was expected: a record is missing.`
}

export function headText(end: ChainEnd): string {
  return `${end.seq}:${end.mac.toHex()}`
}

/** Parses the output of headText; undefined if malformed. */
export function parseHead(text: string): ChainEnd | undefined {
  const [, seq, mac] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return seq !== undefined && mac !== undefined ? { seq: Number(seq), mac: Uint8Array.fromHex(mac) } : undefined
}

/** Follows a chain link by link and reports where it was tampered with. */
export class ChainCheck {
  readonly findings: string[] = []
  /** The number of problems; `findings` lists the first. */
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

  /** After a finding the check continues from the stored mac, so that one change is reported once. */
  add(link: Link): void {
    this.entries++
    const finding = this.#linkFinding(link)
    if (finding !== undefined) this.report(finding)
    if (link.seq <= this.end.seq) return
    this.end = { seq: link.seq, mac: link.mac }
    this.#noteHead()
  }

  /** Checks the head: only a head kept elsewhere reveals a truncated chain. */
  finish(): void {
    const finding = this.#headFinding()
    if (finding !== undefined) this.report(finding)
  }

  #noteHead(): void {
    if (this.end.seq === this.#head?.seq) this.#atHead = this.end
  }

  #linkFinding({ seq, body, mac }: Link): string | undefined {
    const expected = this.end.seq + 1
    if (seq < expected) return `Entry ${seq} is out of order: it follows entry ${this.end.seq}.`
    if (seq === expected + 1) return `Entry ${expected} is missing.`
    if (seq > expected) return `Entries ${expected} to ${seq - 1} are missing.`
    if (equalInConstantTime(mac, linkMac(this.#hmac, this.end.mac, seq, body))) return undefined
    return `Entry ${seq} was changed or moved.`
  }

  #headFinding(): string | undefined {
    const head = this.#head
    if (head === undefined) return undefined
    if (this.#atHead !== undefined) {
      if (equalInConstantTime(this.#atHead.mac, head.mac)) return undefined
      return `Entry ${head.seq} differs from the given head: the log was truncated and continued.`
    }
    if (head.seq > this.end.seq) {
      return `The log is truncated: the given head is entry ${head.seq}, the last entry is ${this.end.seq}.`
    }
    if (head.seq > this.#start.seq) return `Entry ${head.seq}, the given head, is missing.`
    return `The head ${head.seq} is in the archived section, through ${this.#start.seq}: check the archive file with it.`
  }
}
