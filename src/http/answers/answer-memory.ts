import { randomInt } from 'node:crypto'
import { hashOf } from '../../core/text.ts'
import { limits } from '../limits/buckets.ts'
import { SeenOnce } from './seen-once.ts'

/** The approximate overhead of an answer: its objects, headers and entries in maps. */
const entryBytes = 1_024

/** A response as it is sent again, valid from one moment until another, in milliseconds since 1970. */
export type Response = Readonly<{
  headers: Readonly<Record<string, string>>
  /** Small ones become latin1 text, a character per byte, which is written without another copy. */
  body: Buffer | string
  etag: string
  from: number
  until: number
}>

/** What the requests of one client made the memory keep, oldest first. */
class Share {
  readonly client: string
  readonly answers = new Set<Answer>()
  bytes = 0

  constructor(client: string) {
    this.client = client
  }
}

/** The answers to one address, by the signature of the access view that they were made for. `ask` is what the address says
 *  about the view, such as an account. */
export class Page<Ask = unknown> {
  readonly address: string
  readonly ask: Ask
  readonly answers = new Map<string, Answer>()

  constructor(address: string, ask: Ask) {
    this.address = address
    this.ask = ask
  }

  find(view: string, now: number): Response | undefined {
    const answer = this.answers.get(view)
    if (!answer || now < answer.response.from || now >= answer.response.until) return undefined
    answer.wasUsed = true
    return answer.response
  }
}

class Answer {
  readonly response: Response
  readonly view: string
  readonly page: Page
  readonly share: Share
  readonly bytes: number
  wasUsed = false

  constructor(response: Response, view: string, page: Page, share: Share) {
    this.response = response
    this.view = view
    this.page = page
    this.share = share
    this.bytes = response.body.length + page.address.length + view.length + entryBytes
  }
}

/** A copy without the rest of a larger buffer, which would stay in memory with it. */
function exactCopy(bytes: Buffer): Buffer | string {
  if (bytes.length <= limits.textBytes) return bytes.toString('latin1')
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Responses of one edition of the data, up to a number of bytes. When it is full, a client that has at least the average
 *  loses its least recently used answers: no client can evict what others keep below the average. */
export class AnswerMemory<Ask> {
  readonly #maxBytes: number
  /** By the hash of their address: a map finds a number at once, but a new text only in the table of all texts. Of two
   *  addresses with one hash the latest is kept; the seed is random, so that no client can choose such addresses. */
  readonly #pages = new Map<number, Page<Ask>>()
  readonly #seed: number
  readonly #shares = new Map<string, Share>()
  readonly #seen = new SeenOnce()
  #hashed: string | undefined
  #hash = 0
  #large: Share | undefined
  #data: object | undefined
  #day = ''
  #bytes = 0

  constructor(maxBytes: number, seed = randomInt(2 ** 32)) {
    this.#maxBytes = maxBytes
    this.#seed = seed
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Forgets everything if the data or the day is another one than before. */
  startEdition(data: object, day: string): void {
    if (data === this.#data && day === this.#day) return
    this.#data = data
    this.#day = day
    this.#pages.clear()
    this.#shares.clear()
    this.#large = undefined
    this.#bytes = 0
  }

  page(address: string): Page<Ask> | undefined {
    const page = this.#pages.get(this.#hashOf(address))
    return page?.address === address ? page : undefined
  }

  /** Whether to keep a response: when it is made for the second time, because most are never requested again. */
  admits(address: string, view: string, body: Buffer): boolean {
    return body.length <= this.#maxBytes / 8 && this.#seen.again(this.#hashOf(address), view)
  }

  keep(address: string, ask: Ask, view: string, client: string, response: Response & { body: Buffer }): void {
    const outdated = this.page(address)?.answers.get(view)
    if (outdated) this.#forget(outdated)
    const page = this.page(address) ?? this.#addPage(address, ask)
    const share = this.#shares.getOrInsertComputed(client, () => new Share(client))
    const answer = new Answer({ ...response, body: exactCopy(response.body) }, view, page, share)
    page.answers.set(view, answer)
    share.answers.add(answer)
    share.bytes += answer.bytes
    this.#bytes += answer.bytes
    while (this.#bytes > this.#maxBytes) this.#forgetOneOf(this.#loser(share))
  }

  /** Keeps the last hash: `page` and `admits` are called with the same address. */
  #hashOf(address: string): number {
    if (address !== this.#hashed) {
      this.#hash = hashOf(address, address.length, this.#seed)
      this.#hashed = address
    }
    return this.#hash
  }

  #addPage(address: string, ask: Ask): Page<Ask> {
    const hash = this.#hashOf(address)
    for (const answer of this.#pages.get(hash)?.answers.values() ?? []) this.#forget(answer)
    const page = new Page(address, ask)
    this.#pages.set(hash, page)
    return page
  }

  /** The client that asks, if it has at least the average, otherwise another one that has. */
  #loser(asking: Share): Share {
    const average = this.#bytes / this.#shares.size
    if (asking.bytes >= average) return asking
    if (!this.#large || this.#large.bytes < average)
      this.#large = this.#shares.values().find(({ bytes }) => bytes >= average)
    return this.#large ?? asking
  }

  /** Forgets the oldest answer that was not used since it was last passed over. */
  #forgetOneOf({ answers }: Share): void {
    for (const answer of answers) {
      if (!answer.wasUsed) {
        this.#forget(answer)
        return
      }
      answer.wasUsed = false
      answers.delete(answer)
      answers.add(answer)
    }
  }

  #forget(answer: Answer): void {
    const { page, share, view, bytes } = answer
    this.#bytes -= bytes
    share.bytes -= bytes
    share.answers.delete(answer)
    if (share.answers.size === 0) this.#shares.delete(share.client)
    page.answers.delete(view)
    if (page.answers.size === 0) this.#pages.delete(this.#hashOf(page.address))
  }
}
