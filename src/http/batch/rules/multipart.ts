import { Problem } from '../../../core/problem.ts'

/** Texts here have a character for each byte (latin1), so that nothing of a body changes on its way. */

const parameterPattern = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g
/** RFC 2046 §5.1.1: up to 70 characters, a space not the last of them. */
const boundaryPattern = /^[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-]$/

/** The boundary that a Content-Type names, quoted or not. */
export function boundaryOf(contentType: string): string {
  if (!/^multipart\/mixed\s*(;|$)/i.test(contentType))
    throw new Problem('InvalidMediaTypeHeader', 'Send a batch as Content-Type: multipart/mixed; boundary="...".')
  for (const [, name = '', quoted, plain = ''] of contentType.matchAll(parameterPattern)) {
    if (name.toLowerCase() !== 'boundary') continue
    const boundary = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain
    if (boundaryPattern.test(boundary)) return boundary
    throw new Problem('InvalidRequest', 'The boundary has a character that none may have, or more than 70 of them.')
  }
  throw new Problem('InvalidRequest', 'The Content-Type names no boundary: multipart/mixed; boundary="...".')
}

/**
 * The parts between the delimiters (RFC 2046 §5.1.1). What stands before the first and after the last one is passed over, so
 * is white space behind a delimiter. Lines may end by LF alone. A delimiter is a whole line, wherever else its text occurs.
 */
export function partsOf(text: string, boundary: string, most: number): string[] {
  const delimiter = new RegExp(`(?:^|\\r?\\n)--${RegExp.escape(boundary)}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g')
  const parts: string[] = []
  let start: number | undefined
  for (const found of text.matchAll(delimiter)) {
    if (start !== undefined) parts.push(text.slice(start, found.index).replace(/^\r?\n/, ''))
    if (parts.length > most) throw new Problem('RequestTooLarge', `A batch has at most ${most} parts.`)
    if (found[1] !== undefined) return ended(parts)
    start = found.index + found[0].length
  }
  if (start === undefined) throw new Problem('InvalidRequest', `No line of the body is its boundary, --${boundary}.`)
  throw new Problem('InvalidRequest', `The batch does not end: its last line is --${boundary}--.`)
}

function ended(parts: string[]): string[] {
  if (parts.length > 0) return parts
  throw new Problem('InvalidRequest', 'The batch has no part.')
}
