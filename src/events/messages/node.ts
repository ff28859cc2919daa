/** A piece of a message: an element of XML or a field of FIN. Whoever has a value is a leaf, and no leaf may get lost:
 *  it becomes a part of the event, or it is kept beside it. */
export class MessageNode {
  /** The local name of an element, `@name` of an attribute; of a field its number and qualifier (98:XDTE). */
  readonly name: string
  /** Where it stands in the message, as people read it. */
  readonly path: string
  readonly line: number
  /** The tag of a field with its letter (98A), which tells the form of its value. */
  readonly tag: string
  value: string | undefined
  readonly parts: MessageNode[] = []
  isMapped = false
  readonly #named = new Map<string, MessageNode[]>()
  readonly #met = new Map<string, number>()

  constructor(name: string, path: string, line: number, value?: string, tag = '') {
    this.name = name
    this.path = path
    this.line = line
    this.value = value
    this.tag = tag
  }

  /** Adds a part; the second of a kind is called `[2]`. */
  add(name: string, line: number, value?: string, tag = '', label = name): MessageNode {
    const count = (this.#met.get(label) ?? 0) + 1
    this.#met.set(label, count)
    const own = count > 1 ? `${label}[${count}]` : label
    const part = new MessageNode(name, this.path === '' ? own : `${this.path}/${own}`, line, value, tag)
    this.adopt(part)
    return part
  }

  /** Takes a part in as it is. */
  adopt(part: MessageNode): void {
    this.parts.push(part)
    const named = this.#named.get(part.name)
    if (named) named.push(part)
    else this.#named.set(part.name, [part])
  }

  named(name: string): readonly MessageNode[] {
    return name === '*' ? this.parts : (this.#named.get(name) ?? [])
  }
}

export function* leavesOf(part: MessageNode): Generator<MessageNode> {
  if (part.value !== undefined) yield part
  for (const inner of part.parts) yield* leavesOf(inner)
}

/** All parts at a path below this one; `*` stands for any one name, the empty path for the part itself. */
export function nodesAt(part: MessageNode, path: string): readonly MessageNode[] {
  if (path === '') return [part]
  let found: readonly MessageNode[] = [part]
  for (const name of path.split('/'))
    found = found.length === 1 ? (found[0]?.named(name) ?? []) : found.flatMap((outer) => outer.named(name))
  return found
}

/** The first leaf that stands at one of the paths. */
export function leafAt(part: MessageNode, ...paths: string[]): MessageNode | undefined {
  for (const path of paths) {
    const found = nodesAt(part, path).find(({ value }) => value !== undefined)
    if (found) return found
  }
  return undefined
}

export const textOf = (leaf: MessageNode): string => (leaf.value ?? '').trim()
