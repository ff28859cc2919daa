import type { Caller } from '../../core/caller.ts'
import { maxBodyBytes } from './entry.ts'
import type { Content, KeptRecord, Numbers } from './record.ts'
import type { Sender } from './shown-headers.ts'

/** Where the numbers of a record are, before its texts and its body. */
const at = {
  bytes: 0,
  textBytes: 4,
  count: 8,
  logged: 16,
  clock: 24,
  milliseconds: 32,
  status: 40,
  route: 42,
  sent: 44,
  shared: 48,
  template: 52,
}
const headBytes = 54
/** Instead of a position in `#shared`: the record shares nothing. */
const nothing = 0xffffffff
/** What a caller takes in memory, about. */
const callerBytes = 512
/** Longer texts are written faster by the system than character by character. */
const shortText = 16

/** Records of one client refer to at most about as much as this, so that not too many are dropped at once. */
const maxSharedBytes = 256 * 1024

/** What a record refers to besides its own bytes, in bytes: caller, sender and body. Others may refer to them too, but each counts
 *  as if it had them alone, so the memory is never more than what is counted. */
export const sharedBytesOf = ({ sender, body, isBodyShared }: Content): number =>
  sender ? callerBytes + sender.bytes + (isBodyShared ? (body?.length ?? 0) : 0) : 0

/** Memory with records of one client, oldest first. */
export class Chunk {
  readonly bytes: Buffer
  readonly #numbers: DataView
  /** Caller, sender and body of each direct request. It stays as long as the chunk: new arrays would be garbage among the old
   *  objects, which is the expensive kind. */
  readonly #shared: (Caller | Sender | Content['body'] | null)[] = []
  #sharedCount = 0
  #sharedBytes = 0
  #start = 0
  #end = 0
  #entries = 0

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size)
    this.#numbers = new DataView(this.bytes.buffer)
  }

  /** What a record needs at most. */
  static bytesFor({ texts, sender, body, isBodyShared }: Content): number {
    const bodyBytes = body === undefined || isBodyShared ? 0 : Math.min(body.length, maxBodyBytes)
    let length = texts.length
    for (const text of texts) length += text.length
    return headBytes + bodyBytes + (sender ? length : 3 * length)
  }

  /** Its memory, and what its records refer to. */
  get totalBytes(): number {
    return this.bytes.length + this.#sharedBytes
  }

  get entries(): number {
    return this.#entries
  }

  hasRoom(bytes: number): boolean {
    return this.bytes.length - this.#end >= bytes && this.#sharedBytes < maxSharedBytes
  }

  /** Forgets all records. */
  clear(): void {
    this.#shared.fill(undefined, 0, this.#sharedCount)
    this.#sharedCount = 0
    this.#sharedBytes = 0
    this.#start = 0
    this.#end = 0
    this.#entries = 0
  }

  /** Returns where the record is. */
  add(count: number, numbers: Numbers, content: Content, sharedBytes: number): number {
    const { texts, sender, body, isBodyShared } = content
    const start = this.#end
    const textAt = start + headBytes
    const bodyAt = sender ? this.#writePlain(texts, textAt) : textAt + this.bytes.write(texts.join('\0'), textAt)
    const shared = sender ? this.#share(content, sharedBytes) : nothing
    this.#end = isBodyShared ? bodyAt : bodyAt + this.#copyBody(body, bodyAt)
    const view = this.#numbers
    view.setUint32(start + at.bytes, this.#end - start)
    view.setUint32(start + at.textBytes, bodyAt - textAt)
    view.setFloat64(start + at.count, count)
    view.setFloat64(start + at.logged, numbers.loggedMs)
    view.setFloat64(start + at.clock, numbers.clockMs)
    view.setFloat64(start + at.milliseconds, numbers.milliseconds)
    view.setUint16(start + at.status, numbers.status)
    view.setUint16(start + at.route, numbers.route)
    view.setUint32(start + at.sent, numbers.responseBytes)
    view.setUint32(start + at.shared, shared)
    view.setUint16(start + at.template, numbers.template)
    this.#entries += 1
    return start
  }

  dropFirst(): void {
    this.#start += this.#numbers.getUint32(this.#start + at.bytes)
    this.#entries -= 1
  }

  /** The places of its records, oldest first, each with its count. */
  *places(): Generator<Readonly<{ start: number; count: number }>> {
    for (let start = this.#start; start < this.#end; start += this.#numbers.getUint32(start + at.bytes))
      yield { start, count: this.#numbers.getFloat64(start + at.count) }
  }

  /** Copies, because the memory is used again. */
  read(start: number): KeptRecord {
    const view = this.#numbers
    const textAt = start + headBytes
    const bodyAt = textAt + view.getUint32(start + at.textBytes)
    const shared = view.getUint32(start + at.shared)
    const [caller, sender, body] = shared === nothing ? [] : this.#shared.slice(shared, shared + 3)
    const text = this.bytes.toString(sender ? 'latin1' : 'utf8', textAt, bodyAt)
    return {
      count: view.getFloat64(start + at.count),
      numbers: {
        loggedMs: view.getFloat64(start + at.logged),
        clockMs: view.getFloat64(start + at.clock),
        milliseconds: view.getFloat64(start + at.milliseconds),
        status: view.getUint16(start + at.status),
        route: view.getUint16(start + at.route),
        template: view.getUint16(start + at.template),
        responseBytes: view.getUint32(start + at.sent),
      },
      texts: text.split('\0'),
      sender: sender as Sender | undefined,
      caller: (caller ?? null) as Caller | null,
      body: bytesOf((body as Content['body']) ?? this.bytes.subarray(bodyAt, start + view.getUint32(start + at.bytes))),
    }
  }

  /** Texts with a character per byte, with a NUL between them. Returns where they end. */
  #writePlain(texts: readonly string[], start: number): number {
    const { bytes } = this
    let end = start
    for (const text of texts) {
      if (text.length > shortText) end += bytes.write(text, end, 'latin1')
      else for (let index = 0; index < text.length; index++) bytes[end++] = text.charCodeAt(index)
      bytes[end++] = 0
    }
    return end - 1
  }

  /** Returns where the first of the three is. */
  #share(content: Content, bytes: number): number {
    const { caller, sender, body, isBodyShared } = content
    this.#sharedBytes += bytes
    const start = this.#sharedCount
    this.#shared[start] = caller
    this.#shared[start + 1] = sender
    this.#shared[start + 2] = isBodyShared ? body : undefined
    this.#sharedCount = start + 3
    return start
  }

  /** Returns how many bytes it copied. */
  #copyBody(body: Content['body'], start: number): number {
    if (body === undefined) return 0
    if (typeof body === 'string') return this.bytes.write(body, start, maxBodyBytes, 'latin1')
    const isShort = body.length <= maxBodyBytes
    this.bytes.set(isShort ? body : body.subarray(0, maxBodyBytes), start)
    return isShort ? body.length : maxBodyBytes
  }
}

const bytesOf = (body: Buffer | string): Buffer =>
  typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body)
