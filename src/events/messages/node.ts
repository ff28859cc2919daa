/** An XML element, or a sequence or field of FIN; leaves have a value. Each leaf is mapped to a field or unmapped. */
export class MessageNode {
  /** Local name of an element, `@name` of an attribute, number and qualifier of a field (98:XDTE). */
  readonly name: string
  readonly path: string
  readonly line: number
  /** The tag of a field with its option letter (98A), which defines the format of its value. */
  readonly tag: string
  value: string | undefined
  readonly children: MessageNode[] = []
  /** The event field that holds the value in full, such as Options[001].Deadline. */
  mappedTo: string | undefined
  /** The root of its page. */
  readonly page: MessageNode
  readonly #byName = new Map<string, MessageNode[]>()
  readonly #counts = new Map<string, number>()

  constructor(name: string, path: string, line: number, value?: string, tag = '', page?: MessageNode) {
    this.name = name
    this.path = path
    this.line = line
    this.value = value
    this.tag = tag
    this.page = page ?? this
  }

  /** Adds a child; the path of the second one with a label ends in `[2]`. */
  add(name: string, line: number, value?: string, tag = '', label = name): MessageNode {
    const count = (this.#counts.get(label) ?? 0) + 1
    this.#counts.set(label, count)
    const step = count > 1 ? `${label}[${count}]` : label
    const child = new MessageNode(name, this.path === '' ? step : `${this.path}/${step}`, line, value, tag, this.page)
    this.adopt(child)
    return child
  }

  adopt(child: MessageNode): void {
    this.children.push(child)
    this.#byName.getOrInsert(child.name, []).push(child)
  }

  named(name: string): readonly MessageNode[] {
    return name === '*' ? this.children : (this.#byName.get(name) ?? [])
  }
}

export function* leavesOf(node: MessageNode): Generator<MessageNode> {
  if (node.value !== undefined) yield node
  for (const child of node.children) yield* leavesOf(child)
}

/** All nodes at a path below this one; `*` matches any name, the empty path is the node itself. */
export function nodesAt(node: MessageNode, path: string): readonly MessageNode[] {
  if (path === '') return [node]
  let found: readonly MessageNode[] = [node]
  for (const name of path.split('/'))
    found = found.length === 1 ? (found[0]?.named(name) ?? []) : found.flatMap((outer) => outer.named(name))
  return found
}

export function leafAt(node: MessageNode, ...paths: string[]): MessageNode | undefined {
  return paths
    .values()
    .flatMap((path) => nodesAt(node, path))
    .find(({ value }) => value !== undefined)
}

/** The children except attributes. */
export const elementsOf = ({ children }: MessageNode): MessageNode[] =>
  children.filter(({ name }) => !name.startsWith('@'))

export const textOf = (leaf: MessageNode): string => (leaf.value ?? '').trim()
