/** Typed arrays that grow, and arrays in memory that threads can share: a catalogue moves between them without a copy. */
type Numbers = Uint8Array | Uint32Array | Int32Array | Float64Array
type Maker<A> = { new (buffer: SharedArrayBuffer): A; BYTES_PER_ELEMENT: number }

export function shared<A extends Numbers | Uint16Array>(maker: Maker<A>, length: number): A {
  return new maker(new SharedArrayBuffer(length * maker.BYTES_PER_ELEMENT))
}

export function sharedCopy<A extends Numbers | Uint16Array>(maker: Maker<A>, values: ArrayLike<number>): A {
  const copy = shared(maker, values.length)
  copy.set(values)
  return copy
}

export class GrowableArray<A extends Numbers> {
  #values: A
  readonly #maker: new (
    length: number,
  ) => A
  length = 0

  constructor(maker: new (length: number) => A, capacity = 1024) {
    this.#maker = maker
    this.#values = new maker(capacity)
  }

  push(value: number): void {
    this.#reserve(1)
    this.#values[this.length++] = value
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#values.length) return
    const larger = new this.#maker(Math.max(this.#values.length * 2, this.length + count))
    larger.set(this.#values)
    this.#values = larger
  }

  /** The values so far; valid until the next push. */
  get values(): A {
    return this.#values.subarray(0, this.length) as A
  }

  at(index: number): number {
    return this.#values[index] as number
  }
}

/** UTF-8 text, one piece after the other. */
export class TextArena {
  #bytes = Buffer.allocUnsafe(1 << 16)
  length = 0

  /** Appends a piece and tells where it begins. */
  add(text: string): { start: number; length: number } {
    const most = text.length * 3
    if (this.length + most > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + most))
      this.#bytes.copy(larger, 0, 0, this.length)
      this.#bytes = larger
    }
    const start = this.length
    const length = this.#bytes.write(text, start)
    this.length += length
    return { start, length }
  }

  share(): Uint8Array {
    return sharedCopy(Uint8Array, this.#bytes.subarray(0, this.length))
  }
}

/** The order of keys, as positions: sorts by 16 bits at a time and keeps the order of equals, so that sorting by the
 *  least significant key first sorts by several. */
export function radixOrder(keys: ArrayLike<number>, order?: Uint32Array): Uint32Array {
  const count = keys.length
  let from: Uint32Array = order ?? Uint32Array.from({ length: count }, (_, index) => index)
  let to: Uint32Array = new Uint32Array(count)
  for (const shift of [0, 16]) {
    const starts = new Uint32Array(65_537)
    for (let index = 0; index < count; index++) {
      const digit = ((keys[index] as number) >>> shift) & 0xffff
      starts[digit + 1] = (starts[digit + 1] as number) + 1
    }
    for (let digit = 0; digit < 65_536; digit++)
      starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number)
    for (let index = 0; index < count; index++) {
      const position = from[index] as number
      const digit = ((keys[position] as number) >>> shift) & 0xffff
      const place = starts[digit] as number
      to[place] = position
      starts[digit] = place + 1
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** The first position in [from, to) whose value is at least `wanted`; the values ascend. */
export function lowerBound(values: ArrayLike<number>, wanted: number, from = 0, to = values.length): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Sorted, each value once. */
export function sortedUnique(values: Uint32Array): Uint32Array {
  values.sort()
  let kept = 0
  for (let index = 0; index < values.length; index++)
    if (index === 0 || values[index] !== values[index - 1]) values[kept++] = values[index] as number
  return values.subarray(0, kept)
}
