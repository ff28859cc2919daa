import sax from 'sax'
import { ParseError } from '../errors.ts'
import * as limits from '../limits.ts'

/** `name` is the local name. */
export type Element = {
  name: string
  namespace: string
  declared: ReadonlyMap<string, string>
  attributes: readonly [name: string, value: string][]
  text: string
  elements: Element[]
  line: number
}

const maxAttributes = 100

/** Rejects DOCTYPE and entities. The parser's own namespace support is quadratic in the number of attributes. */
export function readXml(text: string): Element {
  const parser = sax.parser(true, { position: true })
  const open: Element[] = []
  let root: Element | undefined
  let [elements, attributes] = [0, 0]
  const fail = (reason: string): never => {
    throw new ParseError(parser.line + 1, reason)
  }
  const addText = (piece: string): void => {
    const element = open.at(-1)
    if (!element) return
    element.text += piece
    if (element.text.length > limits.valueLength)
      fail(`The text of ${element.name} is longer than ${limits.valueLength} characters.`)
  }
  parser.onerror = (error) => fail(`The XML is not well-formed: ${error.message.split('\n')[0]}.`)
  parser.ondoctype = () => fail('DOCTYPE is not allowed.')
  parser.ontext = addText
  parser.oncdata = addText
  parser.onprocessinginstruction = ({ name, body }) => {
    const encoding = name === 'xml' ? /encoding\s*=\s*["']([^"']*)/.exec(body)?.[1] : undefined
    if (encoding !== undefined && !/^(utf-?8|utf-?16|us-ascii)$/i.test(encoding))
      fail(`The encoding ${encoding} is not supported. Use UTF-8 or UTF-16.`)
  }
  parser.onattribute = () => {
    if (++attributes > maxAttributes) fail(`An element has more than ${maxAttributes} attributes.`)
  }
  parser.onopentag = (tag) => {
    attributes = 0
    const element = elementOf(tag as sax.Tag, open, parser.line + 1)
    if (++elements > limits.elementsOfFile) fail(`Has more than ${limits.elementsOfFile} elements. Split the file.`)
    if (open.length >= limits.depth) fail(`Elements are nested more than ${limits.depth} levels deep.`)
    if (tag.name.length > limits.nameLength) fail(`A name is longer than ${limits.nameLength} characters.`)
    const given = attributesIn(text.slice(parser.startTagPosition, parser.position))
    if (given > Object.keys(tag.attributes).length) fail(`${tag.name} has an attribute twice.`)
    open.at(-1)?.elements.push(element)
    root ??= element
    open.push(element)
  }
  parser.onclosetag = () => void open.pop()
  parser.write(text).close()
  return root ?? fail('The file contains no element.')
}

/** How many attributes a tag has in the text: the parser leaves out repeated ones, which XML does not allow (well-formedness of XML 1.0). */
const attributesIn = (tag: string): number => tag.match(/=\s*("[^"]*"|'[^']*')/g)?.length ?? 0

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Attributes of XML itself and of schemas (xmlns, xml:..., xsi:...) are ignored. */
function elementOf({ name, attributes }: sax.Tag, open: readonly Element[], line: number): Element {
  const all = Object.entries(attributes)
  const declared = new Map(all.filter(([key]) => /^xmlns(:|$)/.test(key)))
  const own = all.filter(([key]) => !/^(xmlns|xml|xsi)(:|$)/.test(key))
  const key = name.includes(':') ? `xmlns:${name.slice(0, name.indexOf(':'))}` : 'xmlns'
  return {
    name: localName(name),
    namespace: declared.get(key) ?? open.findLast((outer) => outer.declared.has(key))?.declared.get(key) ?? '',
    declared,
    attributes: own.map(([key, value]) => [localName(key), value]),
    text: '',
    elements: [],
    line,
  }
}
