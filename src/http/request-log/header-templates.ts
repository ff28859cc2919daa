/** More different values than this make another template. */
const maxDifferences = 8
/** A route has few: with and without compression, of an origin, of a cached response. */
const maxOfRoute = 8
/** The number of a response without a template. */
const noTemplate = 0xffff
/** Stands for a value that follows from the rest of the entry. */
const derived = '\0'
const derivedNames = new Set(['x-correlation', 'x-request-id', 'content-length'])

type Template = Readonly<{ number: number; headers: readonly string[] }>

/** Writes the headers of a response as the few that differ from those of an earlier response of the same route. Comparing costs
 *  a fraction of copying them all, and they take less memory. */
export class HeaderTemplates {
  readonly #templates: Template[] = []
  /** By the number of the route. */
  readonly #ofRoute: Template[][] = []

  /** Returns the number of a template, and adds the position and value of each header that differs, in turn; or adds all headers.
   *  Headers are names and values in turn. */
  write(route: number, headers: readonly string[], to: string[]): number {
    this.#ofRoute[route] ??= []
    const known = this.#ofRoute[route]
    for (const template of known) if (writeDifferences(template.headers, headers, to)) return template.number
    if (known.length >= maxOfRoute) {
      to.push(...headers)
      return noTemplate
    }
    const template = { number: this.#templates.length, headers: templateOf(headers) }
    this.#templates.push(template)
    known.push(template)
    return template.number
  }

  /** `derive` returns the value of a header that follows from the rest of the entry. */
  read(number: number, texts: readonly string[], derive: (name: string) => string): string[] {
    const template = this.#templates[number]
    if (!template) return [...texts]
    const headers = [...template.headers]
    for (let at = 0; at + 1 < texts.length; at += 2) headers[Number(texts[at])] = texts[at + 1] as string
    return headers.map((text, at) => (text === derived ? derive(headers[at - 1] as string) : text))
  }
}

const templateOf = (headers: readonly string[]): string[] =>
  headers.map((text, at) => (at % 2 === 1 && derivedNames.has(headers[at - 1] as string) ? derived : text))

/** Returns false, and adds nothing, if other headers were sent or too many values differ. */
function writeDifferences(template: readonly string[], headers: readonly string[], to: string[]): boolean {
  if (template.length !== headers.length) return false
  const start = to.length
  const max = start + 2 * maxDifferences
  for (let at = 0; at < headers.length; at++) {
    const before = template[at]
    const value = headers[at] as string
    if (before === value || before === derived) continue
    const isName = at % 2 === 0
    if (isName || to.length === max) {
      to.length = start
      return false
    }
    to.push(String(at), value)
  }
  return true
}
