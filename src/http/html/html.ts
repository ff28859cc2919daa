/** Text that is already HTML. Only `html` and `raw` make it, so a plain string can never pass for one. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const special = /[&<>"']/

/** Safe as text and inside a quoted attribute; nothing else: never in a tag name, a script, a style or a bare attribute. */
function escaped(text: string): string {
  // Most texts have nothing to escape, and looking is cheaper than replacing.
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

/** Markup with holes. What goes into a hole is escaped unless it is Html itself, so forgetting to escape is impossible. */
export function html({ raw: markup }: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = markup[0] ?? ''
  for (let hole = 0; hole < values.length; hole++) text += render(values[hole]) + (markup[hole + 1] ?? '')
  return new Html(text)
}

/** For text written in this repository only; what came from outside goes through `html`. */
export function raw(trusted: string): Html {
  return new Html(trusted)
}
