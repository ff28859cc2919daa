type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

const texts = new Set(['summary', 'description', 'title', 'example', 'examples', 'x-displayName'])
/** The keys of these are names that the document's author chose, so none of them is a text. */
const maps = new Set(['paths', 'properties', 'responses', 'headers', 'content', 'schemas', 'securitySchemes'])
const verbatim = new Set(['enum', 'const', 'default', 'required'])

/** The structure of an OpenAPI document without its texts: one line per operation, component and top-level member. */
export function outlineOf(document: string): Map<string, string> {
  const {
    info: _info,
    paths,
    components,
    ...top
  } = withoutTexts(JSON.parse(document), '') as Record<string, JsonObject>
  const lines = new Map<string, string>()
  for (const [name, value] of Object.entries(top)) lines.set(name, write(value))
  for (const [path, methods] of Object.entries(paths ?? {}))
    for (const [method, operation] of Object.entries(methods as JsonObject))
      lines.set(`${method.toUpperCase()} ${path}`, write(operation))
  for (const [kind, all] of Object.entries(components ?? {}))
    for (const [name, component] of Object.entries(all as JsonObject)) lines.set(`${kind} ${name}`, write(component))
  return lines
}

/** Keys are sorted, because their order means nothing. */
function withoutTexts(value: Json, under: string): Json {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each, ''))
  if (value === null || typeof value !== 'object') return value
  if (under === 'scopes') return Object.keys(value)
  const kept = Object.entries(value).filter(([key]) => maps.has(under) || !texts.has(key))
  const inner = kept.map(([key, each]): [string, Json] => {
    const isName = maps.has(under)
    return [key, !isName && verbatim.has(key) ? each : withoutTexts(each, isName ? '' : key)]
  })
  return Object.fromEntries(inner.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function write(value: Json | undefined): string {
  return JSON.stringify(value)
    .replaceAll(/localhost:\d+/g, 'localhost')
    .replaceAll(/\{"\$ref":"#\/components\/(\w+)\/([\w-]+)"\}/g, '@$1/$2')
    .replaceAll(/"([\w-]+)":/g, '$1:')
    .replaceAll(/([\w-]+):@headers\/\1(?=[,}])/g, '@$1')
}

/** All lines of the first document, then what differs from them in each of the others. */
export function writeOutlines(documents: Readonly<Record<string, string>>): string {
  const [[firstName, first] = ['', '{}'], ...others] = Object.entries(documents)
  const base = outlineOf(first)
  const section = (name: string, lines: string[]) => [`# ${name}`, ...lines.toSorted(), ''].join('\n')
  const differences = others.map(([name, document]) => {
    const own = outlineOf(document)
    const changed = [...own].filter(([key, line]) => base.get(key) !== line)
    const absent = [...base.keys()].filter((key) => !own.has(key)).map((key) => `${key} (absent)`)
    return section(`${name}, where it differs from ${firstName}`, [...changed.map((pair) => pair.join(' ')), ...absent])
  })
  return [
    section(
      firstName,
      [...base].map((pair) => pair.join(' ')),
    ),
    ...differences,
  ].join('\n')
}
