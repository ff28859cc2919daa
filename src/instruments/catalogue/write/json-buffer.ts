import type { Slices } from '../segment.ts'

const comma = 44
const zero = 48
const point = 46
const closingBrace = 125
/** Strikes have at most four decimals. */
const maxScale = 10_000
/** No shorter decimal stands for the same number as one of up to 15 digits does, so its digits are what JSON has. */
const maxScaled = 2 ** 31 * maxScale
const maxKeptBytes = 1024 * 1024
/** Of any bytes, not only of buffers. */
const copy = Buffer.prototype.copy as (this: Uint8Array, ...of: Parameters<Buffer['copy']>) => number

/** How many digits a whole number of 31 bits has. */
export function digitsOf(whole: number): number {
  let digits = 1
  for (let power = 10; power <= whole; power *= 10) digits++
  return digits
}

/** Writes a whole number of 31 bits so that it ends at `end`. */
function writeDigits(bytes: Buffer, whole: number, end: number): void {
  let rest = whole
  let at = end
  do {
    const next = (rest / 10) | 0
    bytes[--at] = zero + rest - next * 10
    rest = next
  } while (rest > 0)
}

/** Those of the members that are among `names`, each with a trailing comma. */
export function limitedMembers(text: string, names: ReadonlySet<string>, values: object = {}): Buffer {
  const members = Object.entries({ ...values, ...JSON.parse(`{${text}}`) }).filter(([name]) => names.has(name))
  return Buffer.from(members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`).join(''))
}

/** A buffer to write in, used again for the next body: allocating one costs more than copying what was written. */
let spare: Buffer | undefined

/** Builds JSON as bytes from slices of an arena and short strings. */
export class JsonBuffer {
  #bytes: Buffer
  #length = 0

  constructor() {
    this.#bytes = spare ?? Buffer.allocUnsafeSlow(16_384)
    spare = undefined
  }

  get length(): number {
    return this.#length
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length + count))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  /** ASCII only; faster than `text`. */
  ascii(text: string): this {
    this.#reserve(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
    return this
  }

  text(text: string): this {
    this.#reserve(text.length * 3)
    this.#length += this.#bytes.write(text, this.#length)
    return this
  }

  /** A number as JSON. Whole ones and those with up to four decimals without making a string. */
  number(value: number): this {
    // Whole, not negative, and of 32 bits.
    const whole = value | 0
    if (whole === value && whole >= 0) return this.#digits(whole)
    const scaled = Math.round(value * maxScale)
    const isShort = value > 0 && scaled < maxScaled && scaled / maxScale === value
    return isShort ? this.#digits(whole).#decimals(scaled - whole * maxScale) : this.ascii(String(value))
  }

  #digits(whole: number): this {
    this.#reserve(10)
    this.#length += digitsOf(whole)
    writeDigits(this.#bytes, whole, this.#length)
    return this
  }

  /** Of a number of four decimals, without zeros at the end. */
  #decimals(decimals: number): this {
    this.byte(point)
    for (let [rest, scale] = [decimals, maxScale / 10]; rest > 0; scale /= 10) {
      const digit = (rest / scale) | 0
      this.byte(zero + digit)
      rest -= digit * scale
    }
    return this
  }

  byte(byte: number): this {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
    return this
  }

  comma(): this {
    return this.byte(comma)
  }

  bytes(bytes: Uint8Array): this {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  /** What was written from `start` on. Only until the buffer is finished. */
  written(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#length)
  }

  /** Writes again what was written, with another whole number in the place of the one that ends at `numberEnd`. Both must have the same
   *  number of digits. */
  repeat(written: Uint8Array, whole: number, numberEnd: number): this {
    const start = this.#length
    this.bytes(written)
    writeDigits(this.#bytes, whole, start + numberEnd)
    return this
  }

  /** A slice of JSON members followed by a comma; nothing for an empty slice. */
  members(arena: Uint8Array, { starts, lengths }: Slices, index: number): this {
    return this.membersAt(arena, starts[index] as number, lengths[index] as number)
  }

  /** The same for the slice from `start` on. */
  membersAt(arena: Uint8Array, start: number, length: number): this {
    if (length === 0) return this
    this.#reserve(length + 1)
    // Faster than `set`, which copies shared memory byte by byte and needs a view of the slice.
    copy.call(arena, this.#bytes, this.#length, start, start + length)
    this.#length += length
    this.#bytes[this.#length++] = comma
    return this
  }

  dropComma(): this {
    if (this.#bytes[this.#length - 1] === comma) this.#length--
    return this
  }

  /** Removes the members written from `start` on that are not among `names`. */
  keepMembers(start: number, names: ReadonlySet<string>): this {
    if (this.#length === start) return this
    const text = this.dropComma().#bytes.toString('utf8', start, this.#length)
    this.#length = start
    return this.bytes(limitedMembers(text, names))
  }

  /** Closes an object, replacing a trailing comma. */
  close(): this {
    return this.dropComma().byte(closingBrace)
  }

  /** What was written; nothing can be written afterwards. */
  finish(): Buffer {
    if (this.#bytes.length > maxKeptBytes) return this.#bytes.subarray(0, this.#length)
    const written = Buffer.from(this.#bytes.subarray(0, this.#length))
    spare = this.#bytes
    this.#bytes = written
    return written
  }
}
