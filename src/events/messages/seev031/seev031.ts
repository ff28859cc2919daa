import { ParseError } from '../errors.ts'
import type { Page } from '../message.ts'
import { MessageNode, nodesAt, textOf } from '../node.ts'
import { type Element, readXml } from './xml.ts'

/** The messages of a file: CorpActnNtfctn of any version, bare, in a Document, or in an envelope with its header. */
export function* seev031Pages(text: string): Generator<() => Page> {
  if (/^\s*(\{1:|:16R:)/.test(text))
    throw new ParseError(1, 'The file looks like MT564, not XML. Name it .fin, or use --format mt564.')
  if (!/^\s*</.test(text)) throw new ParseError(1, 'The file is not XML.')
  const found = messagesIn(readXml(text)).reverse()
  // Messages are released as they are read, to free their elements.
  for (let one = found.pop(); one; one = found.pop()) {
    yield () => pageOf(one)
  }
}

/** `document` is the element that has the message, if any. */
type Found = { message: Element; document: Element | undefined; around: Element[] }
const isNotification = ({ name }: Element): boolean => /^CorpActnNtfctn(V\d+)?$/.test(name)

/** Elements around a message, such as its header, belong to the message after them, or to the last one. */
function messagesIn(root: Element): Found[] {
  const found: Found[] = []
  let around: Element[] = []
  const walk = (element: Element, document: Element | undefined): void => {
    if (document || isNotification(element)) {
      found.push({ message: element, document, around })
      around = []
    } else if (leadsToMessage(element)) {
      if (element.attributes.length > 0 || element.text.trim() !== '') around.push({ ...element, elements: [] })
      for (const inner of element.elements) walk(inner, element.name === 'Document' ? element : undefined)
    } else around.push(element)
  }
  walk(root, undefined)
  for (const element of around) found.at(-1)?.around.push(element)
  if (found.length === 0)
    throw new ParseError(root.line, `No CorpActnNtfctn (seev.031) found; the root element is ${root.name}.`)
  return found
}

function leadsToMessage(element: Element): boolean {
  const { name, elements } = element
  return isNotification(element) || (name === 'Document' && elements.length > 0) || elements.some(leadsToMessage)
}

function pageOf({ message, document, around }: Found): Page {
  if (!isNotification(message))
    throw new ParseError(message.line, `The message is ${nameOf(message)}; only seev.031 is supported.`, 'OtherMessage')
  checkNamespaces(message, document)
  const root = new MessageNode('', '', message.line)
  for (const element of around) addElement(root, element)
  addInner(root, message, message.namespace)
  const [[page], [isLast]] = [nodesAt(root, 'Pgntn/PgNb'), nodesAt(root, 'Pgntn/LastPgInd')]
  if (page && !/^\d{1,5}$/.test(textOf(page))) throw new ParseError(page.line, 'Pgntn/PgNb must be a page number.')
  if (isLast && !/^(true|false|1|0)$/.test(textOf(isLast)))
    throw new ParseError(isLast.line, 'Pgntn/LastPgInd must be true or false.')
  return {
    format: 'seev031',
    line: message.line,
    root,
    page: page ? Number(textOf(page)) : 1,
    isLast: !isLast || /^(true|1)$/.test(textOf(isLast)),
  }
}

/** Published drafts of a version have DRAFT1, DRAFT2 and so on before the message type. */
const ownNamespace = /^$|(?<![A-Za-z0-9])(DRAFT\d*)?seev\.031\.\d{3}\.\d{2}$/

/** The message and its Document have the namespace of a seev.031, or none. */
function checkNamespaces(message: Element, document: Element | undefined): void {
  const wrong = [document, message].find((element) => !ownNamespace.test(element?.namespace ?? ''))
  if (!wrong) return
  const path = [...(document ? [document.name] : []), ...(wrong === message ? [message.name] : [])].join('/')
  const namespace = wrong.namespace.slice(0, 200)
  throw new ParseError(wrong.line, `${path} has the namespace ${namespace}, which is not that of a seev.031 message.`)
}

/** The namespace ends in the message type and version. */
function nameOf({ name, namespace }: Element): string {
  const kind = /[a-z]{4}\.\d{3}\.\d{3}\.\d{2}$/.exec(namespace)?.[0]
  return kind ? `${kind} (${name})` : name
}

/** An element of another namespace than the message's is the sender's own, whatever its name. */
function addElement(parent: MessageNode, element: Element, namespace?: string): void {
  const { name, line } = element
  const isOwn = namespace !== undefined && element.namespace !== namespace
  addInner(parent.add(isOwn ? `{}${name}` : name, line, undefined, '', name), element, namespace)
}

function addInner(node: MessageNode, { attributes, elements, text, line }: Element, namespace?: string): void {
  for (const [name, value] of attributes) node.add(`@${name}`, line, value)
  if (text.trim() !== '' || attributes.length + elements.length === 0) node.value = text
  for (const inner of elements) addElement(node, inner, namespace)
}
