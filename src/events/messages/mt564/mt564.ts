import { ParseError } from '../errors.ts'
import * as limits from '../limits.ts'
import type { Page } from '../message.ts'
import { leafAt, MessageNode, textOf } from '../node.ts'
import { type Block, finMessages, isText } from './fin.ts'

export function* mt564Pages(text: string): Generator<() => Page> {
  if (/^\s*</.test(text)) throw new ParseError(1, 'The file is XML, not MT564. Name it .xml, or use --format seev031.')
  for (const found of finMessages(text.replaceAll('\r\n', '\n')))
    yield () => {
      if (found instanceof ParseError) throw found
      return pageOf(found)
    }
}

function pageOf(blocks: readonly Block[]): Page {
  const line = blocks[0]?.line ?? 1
  checkType(blocks, line)
  const root = new MessageNode('', '', line)
  for (const block of blocks)
    if (isText(block)) addFields(root, block)
    else root.add(`{${block.id}}`, block.line, block.content)
  checkSequences(root)
  return { format: 'mt564', line, root, ...pagingOf(root) }
}

/** 28E: the page number, and whether more pages follow. */
function pagingOf(root: MessageNode): Pick<Page, 'page' | 'isLast'> {
  const leaf = leafAt(root, 'GENL/28E')
  if (!leaf) return { page: 1, isLast: true }
  const [, page, more] = /^(\d{1,5})\/(LAST|MORE|ONLY)$/.exec(textOf(leaf)) ?? []
  if (page === undefined) throw new ParseError(leaf.line, '28E must be a page number and LAST, MORE or ONLY.')
  return { page: Number(page), isLast: more !== 'MORE' }
}

/** The message type is in block 2, after the direction. */
function checkType(blocks: readonly Block[], line: number): void {
  const type = blocks.find(({ id }) => id === '2')?.content
  const [, kind] = /^[IO](\d{3})/.exec(type ?? '') ?? []
  if (type !== undefined && kind === undefined)
    throw new ParseError(line, 'The message type is unknown; only MT564 is supported.')
  if (type !== undefined && kind !== '564')
    throw new ParseError(line, `The message is an MT${kind}; only MT564 is supported.`, 'OtherMessage')
  if (!blocks.some(isText)) throw new ParseError(line, 'The message text (block 4) is missing.')
}

/** Without an envelope, these sequences identify other message types. */
const otherTypes = new Map([
  ['CAINST', 'MT565'],
  ['CACONF', 'MT566'],
  ['STAT', 'MT567'],
])

function checkSequences(root: MessageNode): void {
  const found = [...root.children, ...root.children.flatMap(({ children }) => children)].find(({ name }) =>
    otherTypes.has(name),
  )
  if (found)
    throw new ParseError(
      found.line,
      `The sequence ${found.name} belongs to an ${otherTypes.get(found.name)}; only MT564 is supported.`,
      'OtherMessage',
    )
}

const fieldStart = /^:(\d{2}[A-Z]?):(.*)$/
const qualified = /^:([A-Z0-9]{4})\/([A-Z0-9]{0,8})\/([\s\S]*)$/
type Field = { tag: string; content: string; line: number }

function fieldsOf({ content, line }: Block): Field[] {
  const fields: Field[] = []
  for (const [index, text] of content.split('\n').entries()) {
    const [, tag, value = ''] = fieldStart.exec(text) ?? []
    const open = fields.at(-1)
    if (tag !== undefined) fields.push({ tag, content: value, line: line + index })
    else if (open) open.content += `\n${text}`
    else if (text.trim() !== '')
      throw new ParseError(line + index, 'The text must begin with a field such as :16R:GENL.')
    if (fields.length > limits.leavesOfMessage)
      throw new ParseError(line, `Has more than ${limits.leavesOfMessage} fields.`)
    if (open && open.content.length > limits.valueLength)
      throw new ParseError(open.line, `:${open.tag}: is longer than ${limits.valueLength} characters.`)
  }
  return fields
}

/** 16R and 16S open and close sequences; every other field is a leaf. */
function addFields(root: MessageNode, block: Block): void {
  const open = [root]
  for (const { tag, content, line } of fieldsOf(block)) {
    const parent = open.at(-1) ?? root
    const name = content.trim()
    if (tag === '16R') {
      if (open.length > limits.depth || name.length > limits.nameLength)
        throw new ParseError(line, 'Sequences are nested too deeply.')
      open.push(parent.add(name, line))
    } else if (tag === '16S') {
      if (parent.name !== name || open.length === 1)
        throw new ParseError(line, `Sequence ${name.slice(0, 20)} is closed but not open.`)
      open.pop()
    } else addField(parent, tag, content.trimEnd(), line)
  }
  const unclosed = open.at(-1)
  if (unclosed && open.length > 1) throw new ParseError(unclosed.line, `Sequence ${unclosed.name} is not closed.`)
}

function addField(parent: MessageNode, tag: string, content: string, line: number): void {
  if (tag === '35B') {
    addSecurity(parent.add('35B', line), content, line)
    return
  }
  const [, qualifier, scheme = '', value] = qualified.exec(content) ?? []
  if (qualifier === undefined) parent.add(tag, line, content, tag)
  else {
    const ending = scheme === '' ? qualifier : `${qualifier}/${scheme}`
    parent.add(`${tag.slice(0, 2)}:${ending}`, line, value, tag, `${tag}:${ending}`)
  }
}

/** The ISIN, then lines with other identifiers (/US/...) and the name. */
function addSecurity(node: MessageNode, content: string, line: number): void {
  const name: string[] = []
  for (const [index, text] of content.split('\n').entries()) {
    const isin = index === 0 ? /^ISIN(?![A-Z0-9])\s*(.*)$/.exec(text)?.[1] : undefined
    if (isin !== undefined) node.add('ISIN', line, isin)
    else if (/^\/[A-Z0-9]{2,4}\//.test(text)) node.add('Id', line + index, text)
    else name.push(text)
  }
  if (name.length > 0) node.add('Desc', line, name.join('\n'))
}
