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

/** Safe as text and inside a quoted attribute; nothing else: never in a tag name, a script, a style or a bare attribute. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (Array.isArray(value)) return value.map(render).join('')
  return escaped(String(value))
}

/** Markup with holes. What goes into a hole is escaped unless it is Html itself, so forgetting to escape is impossible. */
export function html(markup: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: markup }, ...values.map(render)))
}

/** For text written in this repository only; what came from outside goes through `html`. */
export function raw(trusted: string): Html {
  return new Html(trusted)
}
