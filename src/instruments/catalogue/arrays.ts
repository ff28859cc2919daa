/** Typed arrays in shared memory: a segment passes from the build thread to the serving thread without a copy. */
type Numbers = Uint8Array | Uint32Array | Int32Array | Float64Array
type ArrayType<A> = { new (content: SharedArrayBuffer | number): A; BYTES_PER_ELEMENT: number }

export function shared<A extends Numbers | Uint16Array>(type: ArrayType<A>, length: number): A {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT))
}

export function sharedCopy<A extends Numbers | Uint16Array>(type: ArrayType<A>, values: ArrayLike<number>): A {
  const copy = shared(type, values.length)
  copy.set(values)
  return copy
}

export function reordered<A extends Numbers>(type: ArrayType<A>, values: A, order: Uint32Array): A {
  const copy = shared(type, order.length)
  for (let index = 0; index < order.length; index++) copy[index] = values[order[index] as number] as number
  return copy
}

export class GrowableArray<A extends Numbers> {
  #values: A
  readonly #type: ArrayType<A>
  length = 0

  constructor(type: ArrayType<A>) {
    this.#type = type
    this.#values = new type(1024)
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new this.#type(this.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length++] = value
  }

  /** Valid until the next push. */
  get values(): A {
    return this.#values.subarray(0, this.length) as A
  }

  share(order?: Uint32Array): A {
    return order ? reordered(this.#type, this.values, order) : sharedCopy(this.#type, this.values)
  }
}

type Columns = Record<string, GrowableArray<Numbers>>

export function shareColumns<C extends Columns>(
  columns: C,
  order?: Uint32Array,
): { [Name in keyof C]: C[Name]['values'] } {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.share(order)])) as never
}

/** The number of a key, numbered in the order of first use. */
export const numberOf = (numbers: Map<string, number>, key: string): number => numbers.getOrInsert(key, numbers.size)

/** Adds up counts in place, so that element n is the sum of the elements up to n. */
function accumulate(counts: Uint32Array): Uint32Array {
  for (let index = 1; index < counts.length; index++)
    counts[index] = (counts[index] as number) + (counts[index - 1] as number)
  return counts
}

/** For lists ordered by key: the list of key k is from starts[k] to starts[k + 1]. */
export function startsOf(keys: Uint32Array, keyCount: number): Uint32Array {
  const starts = shared(Uint32Array, keyCount + 1)
  for (const key of keys) starts[key + 1] = (starts[key + 1] as number) + 1
  return accumulate(starts)
}

/** Fewer keys are sorted faster by comparing them. */
const minRadixCount = 4_096

/** The indices of the keys in ascending order. A stable radix sort, so several keys are sorted by from the last to the first. */
export function radixOrder(keys: ArrayLike<number>, order?: Uint32Array): Uint32Array {
  const count = keys.length
  let from: Uint32Array = order ?? Uint32Array.from({ length: count }, (_, index) => index)
  if (count < minRadixCount) return from.toSorted((one, other) => (keys[one] as number) - (keys[other] as number))
  let to: Uint32Array = new Uint32Array(count)
  for (const shift of [0, 16]) {
    const starts = new Uint32Array(65_537)
    for (let index = 0; index < count; index++) {
      const digit = ((keys[index] as number) >>> shift) & 0xffff
      starts[digit + 1] = (starts[digit + 1] as number) + 1
    }
    accumulate(starts)
    for (let index = 0; index < count; index++) {
      const position = from[index] as number
      const digit = ((keys[position] as number) >>> shift) & 0xffff
      const target = starts[digit] as number
      to[target] = position
      starts[digit] = target + 1
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** The first index in [low, high) for which `isBefore` is false; it must be true up to there and false from there on. */
export function partitionPoint(low: number, high: number, isBefore: (index: number) => boolean): number {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = (first + last) >>> 1
    if (isBefore(middle)) first = middle + 1
    else last = middle
  }
  return first
}

/** The first index in [from, to) of an ascending list whose value is at least `wanted`. */
export function lowerBound(values: ArrayLike<number>, wanted: number, from = 0, to = values.length): number {
  let [first, last] = [from, to]
  while (first < last) {
    const middle = (first + last) >>> 1
    if ((values[middle] as number) < wanted) first = middle + 1
    else last = middle
  }
  return first
}

/** Up to this many values are sorted here; calling the built-in sort takes longer. */
const maxInserted = 24

/** Sorts values in place and returns them without duplicates. */
export function sortedUnique(values: Uint32Array): Uint32Array {
  const { length } = values
  if (length > maxInserted) values.sort()
  else insertionSort(values, length)
  let kept = 0
  for (let index = 0; index < length; index++)
    if (index === 0 || values[index] !== values[index - 1]) values[kept++] = values[index] as number
  return kept === length ? values : values.subarray(0, kept)
}

/** The same for a list, which it may change: a short one is sorted sooner than a typed array is made. */
export function sortUnique(values: number[]): number[] {
  if (values.length > maxInserted) return Array.from(sortedUnique(Uint32Array.from(values)))
  insertionSort(values, values.length)
  let kept = 0
  for (let index = 0; index < values.length; index++)
    if (index === 0 || values[index] !== values[index - 1]) values[kept++] = values[index] as number
  values.length = kept
  return values
}

function insertionSort(values: Uint32Array | number[], length: number): void {
  for (let index = 1; index < length; index++) {
    const value = values[index] as number
    let at = index
    for (; at > 0 && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number
    values[at] = value
  }
}
