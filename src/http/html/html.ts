/** Text that is already HTML. Only `html` and `raw` create it, so a plain string never passes for HTML. */
export class Html {
  /** In parts if some of them are kept. */
  readonly #markup: string | readonly Part[]

  constructor(markup: string | readonly Part[]) {
    this.#markup = markup
  }

  /** For what many pages show again: it is encoded once, for as long as it is in use. */
  kept(): Html {
    return new Html([new KeptPart(this.toString())])
  }

  /** Undefined if none is kept. */
  get parts(): readonly Part[] | undefined {
    return typeof this.#markup === 'string' ? undefined : this.#markup
  }

  toString(): string {
    return typeof this.#markup === 'string' ? this.#markup : this.#markup.join('')
  }

  /** In UTF-8. */
  toBytes(): Buffer {
    if (typeof this.#markup === 'string') return Buffer.from(this.#markup)
    let length = 0
    for (const part of this.#markup) length += typeof part === 'string' ? Buffer.byteLength(part) : part.bytes.length
    const bytes = Buffer.allocUnsafeSlow(length)
    let end = 0
    for (const part of this.#markup) end += typeof part === 'string' ? bytes.write(part, end) : part.copy(bytes, end)
    return bytes
  }
}

type Part = string | KeptPart

class KeptPart {
  readonly #markup: string
  #bytes: Buffer | undefined

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.#markup)
    return this.#bytes
  }

  /** Returns how many bytes it copied. */
  copy(to: Buffer, start: number): number {
    to.set(this.bytes, start)
    return this.bytes.length
  }
}

export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const special = /[&<>"']/

/** Safe only as text and in quoted attributes, not in tag names, scripts, styles or unquoted attributes. */
function escaped(text: string): string {
  // Most texts have nothing to escape, and testing is cheaper than replacing.
  return special.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] ?? '') : text
}

function render(value: HtmlValue): string {
  if (typeof value === 'string') return escaped(value)
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (!Array.isArray(value)) return escaped(String(value))
  let text = ''
  for (const one of value) text += render(one)
  return text
}

/** A template for HTML. Values are escaped unless they are Html themselves. */
export function html({ raw: markup }: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = markup[0] ?? ''
  const before: Part[] = []
  for (let hole = 0; hole < values.length; hole++) {
    const value = values[hole]
    const parts = value instanceof Html ? value.parts : undefined
    if (parts) {
      before.push(text, ...parts)
      text = ''
    } else text += render(value)
    text += markup[hole + 1] ?? ''
  }
  return new Html(before.length === 0 ? text : [...before, text])
}

/** Only for text from this repository; anything else goes through `html`. */
export function raw(trusted: string): Html {
  return new Html(trusted)
}
