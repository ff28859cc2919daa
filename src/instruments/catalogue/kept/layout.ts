/** How values that contain typed arrays lie in one block of bytes: a plan, which is JSON, and the arrays one after
 *  another. Unpacked, the arrays are views of the block. */

type TypedArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array
type TypeName = 'Uint8Array' | 'Uint16Array' | 'Uint32Array' | 'Int32Array' | 'Float64Array'
const arrayTypes: Record<TypeName, new (block: SharedArrayBuffer, start: number, length: number) => TypedArray> = {
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Int32Array,
  Float64Array,
}
type Plan =
  | number
  | string
  | Readonly<{ list: readonly Plan[] }>
  | Readonly<{ array: TypeName; start: number; length: number }>
  | Readonly<{ entries: readonly (readonly [Plan, Plan])[] }>
  | Readonly<{ members: Readonly<Record<string, Plan>> }>

export type Layout = Readonly<{ plan: Plan; arrays: readonly Placed[]; length: number }>
export type Placed = Readonly<{ start: number; bytes: Uint8Array }>

/** Every array can start at a multiple of this. */
const alignment = Float64Array.BYTES_PER_ELEMENT
export const aligned = (length: number): number => Math.ceil(length / alignment) * alignment

export function layoutOf(value: unknown): Layout {
  const arrays: Placed[] = []
  let length = 0
  const place = (array: TypedArray): Plan => {
    const start = length
    arrays.push({ start, bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength) })
    length = aligned(start + array.byteLength)
    return { array: array.constructor.name as TypeName, start, length: array.length }
  }
  const planOf = (part: unknown): Plan => {
    if (typeof part === 'number' || typeof part === 'string') return part
    if (ArrayBuffer.isView(part)) return place(part as TypedArray)
    if (Array.isArray(part)) return { list: part.map(planOf) }
    if (part instanceof Map) return { entries: [...part].map(([key, each]) => [planOf(key), planOf(each)] as const) }
    return { members: Object.fromEntries(Object.entries(part as object).map(([name, each]) => [name, planOf(each)])) }
  }
  const plan = planOf(value)
  return { plan, arrays, length }
}

export function unpack(plan: Plan, block: SharedArrayBuffer): unknown {
  if (typeof plan === 'number' || typeof plan === 'string') return plan
  if ('list' in plan) return plan.list.map((each) => unpack(each, block))
  if ('array' in plan) return new arrayTypes[plan.array](block, plan.start, plan.length)
  if ('entries' in plan) return new Map(plan.entries.map(([key, each]) => [unpack(key, block), unpack(each, block)]))
  return Object.fromEntries(Object.entries(plan.members).map(([name, each]) => [name, unpack(each, block)]))
}

/** The same value with its arrays in one block. Large blocks go back to the operating system when they are dropped;
 *  many small ones leave holes in the memory of the process. */
export function inOneBlock<T>(value: T): T {
  const { plan, arrays, length } = layoutOf(value)
  const block = new SharedArrayBuffer(length)
  const bytes = new Uint8Array(block)
  for (const { start, bytes: array } of arrays) bytes.set(array, start)
  return unpack(plan, block) as T
}
