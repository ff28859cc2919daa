/** Text that is already HTML. Only `html` and `raw` create it, so a plain string never passes for HTML. */
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
  for (let hole = 0; hole < values.length; hole++) text += render(values[hole]) + (markup[hole + 1] ?? '')
  return new Html(text)
}

/** Only for text from this repository; anything else goes through `html`. */
export function raw(trusted: string): Html {
  return new Html(trusted)
}
