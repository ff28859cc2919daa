import sax from 'sax'
import { ParseError } from '../errors.ts'
import * as limits from '../limits.ts'

/** An element as it was written; what it is called is told by its local name. */
export type Element = {
  name: string
  namespace: string
  /** The namespaces that begin with it, by the attribute that names them. */
  declared: ReadonlyMap<string, string>
  attributes: readonly [name: string, value: string][]
  text: string
  elements: Element[]
  line: number
}

const mostAttributes = 100

/** Reads a whole document. Nothing in it may ask for more than it says: no DOCTYPE, no entities of its own.
 *  The parser's own care for namespaces takes time by the square of the attributes, and local names are enough. */
export function readXml(text: string): Element {
  const parser = sax.parser(true, { position: true })
  const open: Element[] = []
  let root: Element | undefined
  let [elements, attributes] = [0, 0]
  const refuse = (reason: string): never => {
    throw new ParseError(parser.line + 1, reason)
  }
  const addText = (piece: string): void => {
    const element = open.at(-1)
    if (!element) return
    element.text += piece
    if (element.text.length > limits.valueLength)
      refuse(`The text of ${element.name} is longer than ${limits.valueLength} characters.`)
  }
  parser.onerror = (error) => refuse(`Is not well-formed XML: ${firstLine(error)}.`)
  parser.ondoctype = () => refuse('Must not have a DOCTYPE: entities and external definitions are not read.')
  parser.ontext = addText
  parser.oncdata = addText
  parser.onprocessinginstruction = ({ name, body }) => {
    const encoding = name === 'xml' ? /encoding\s*=\s*["']([^"']*)/.exec(body)?.[1] : undefined
    if (encoding !== undefined && !/^(utf-?8|utf-?16|us-ascii)$/i.test(encoding))
      refuse(`Is written in ${encoding}; only UTF-8 and UTF-16 are read.`)
  }
  parser.onattribute = () => {
    if (++attributes > mostAttributes) refuse(`An element has more than ${mostAttributes} attributes.`)
  }
  parser.onopentag = (tag) => {
    attributes = 0
    const element = elementOf(tag as sax.Tag, open, parser.line + 1)
    if (++elements > limits.elementsOfFile) refuse(`Has more than ${limits.elementsOfFile} elements. Split the file.`)
    if (open.length >= limits.depth) refuse(`Is nested more than ${limits.depth} deep.`)
    if (tag.name.length > limits.nameLength) refuse(`A name is longer than ${limits.nameLength} characters.`)
    open.at(-1)?.elements.push(element)
    root ??= element
    open.push(element)
  }
  parser.onclosetag = () => void open.pop()
  parser.write(text).close()
  return root ?? refuse('Holds no element.')
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Attributes of XML itself and of its schemas (xmlns, xml:..., xsi:...) say nothing of the event. */
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

const firstLine = ({ message }: Error): string => message.split('\n')[0] ?? ''
