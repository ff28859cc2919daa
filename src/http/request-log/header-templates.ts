/** More different values than this make another template. */
const maxDifferences = 8
const maxTemplates = 500
const mark = '\u0001'

/** Writes the headers of a response as the few that differ from those of an earlier response of the same route. Comparing costs
 *  a fraction of joining them all, and they take less memory. */
export class HeaderTemplates {
  readonly #templates: (readonly string[])[] = []
  readonly #ofRoute = new Map<number, number>()

  /** Names and values in turn. */
  write(route: number, headers: readonly string[]): string {
    const known = this.#ofRoute.get(route)
    const text = known === undefined ? undefined : this.#differences(known, headers)
    if (text !== undefined) return text
    if (this.#templates.length >= maxTemplates) return headers.join('\n')
    const made = this.#templates.push([...headers]) - 1
    this.#ofRoute.set(route, made)
    return `${mark}${made}`
  }

  read(text: string): string[] {
    if (!text.startsWith(mark)) return text === '' ? [] : text.split('\n')
    const [template, ...differences] = text.slice(1).split('\n')
    const headers = [...(this.#templates[Number(template)] ?? [])]
    for (let at = 0; at + 1 < differences.length; at += 2)
      headers[Number(differences[at])] = differences[at + 1] as string
    return headers
  }

  #differences(known: number, headers: readonly string[]): string | undefined {
    const template = this.#templates[known] as readonly string[]
    if (template.length !== headers.length) return undefined
    let text = `${mark}${known}`
    let count = 0
    for (let at = 0; at < headers.length; at++)
      if (headers[at] !== template[at]) {
        text += `\n${at}\n${headers[at]}`
        count += 1
      }
    return count <= maxDifferences ? text : undefined
  }
}
