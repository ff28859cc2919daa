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

/** Safe only as text and in quoted attributes, not in tag names, scripts, styles or unquoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

function render(value: HtmlValue): string {
  if (typeof value === 'string') return escaped(value)
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (!Array.isArray(value)) return escaped(String(value))
  return value.map(render).join('')
}

/** A template for HTML. Values are escaped unless they are Html themselves. */
export function html({ raw: markup }: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = markup[0] ?? ''
  for (const [hole, value] of values.entries()) text += render(value) + markup[hole + 1]
  return new Html(text)
}

/** Only for text from this repository; anything else goes through `html`. */
export const raw = (trusted: string): Html => new Html(trusted)
