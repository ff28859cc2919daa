import { Problem } from '../../../core/problem.ts'

/** Text here has one character per byte (latin1), so that bodies stay unchanged. */

const parameterPattern = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g
/** RFC 2046 §5.1.1: up to 70 characters, not ending with a space. */
const boundaryPattern = /^[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-]$/

export function boundaryOf(contentType: string): string {
  if (!/^multipart\/mixed\s*(;|$)/i.test(contentType))
    throw new Problem('InvalidMediaTypeHeader', 'Send a batch as Content-Type: multipart/mixed; boundary="...".')
  const boundary = findBoundary(contentType)
  if (boundary !== undefined) return boundary
  throw new Problem(
    'InvalidRequest',
    'The Content-Type has no valid boundary. Send multipart/mixed; boundary="...", with at most 70 characters.',
  )
}

/** The boundary that a type of multipart names, if it is valid. */
export function findBoundary(contentType: string): string | undefined {
  for (const [, name = '', quoted, plain = ''] of contentType.matchAll(parameterPattern)) {
    if (name.toLowerCase() !== 'boundary') continue
    const boundary = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain
    return boundaryPattern.test(boundary) ? boundary : undefined
  }
  return undefined
}

/** The parts between the delimiters (RFC 2046 §5.1.1), which are whole lines. Text outside of them is ignored. */
export function partsOf(text: string, boundary: string, max: number): string[] {
  const delimiter = new RegExp(`(?:^|\\r?\\n)--${RegExp.escape(boundary)}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g')
  const parts: string[] = []
  let start: number | undefined
  for (const found of text.matchAll(delimiter)) {
    if (start !== undefined) parts.push(text.slice(start, found.index).replace(/^\r?\n/, ''))
    if (parts.length > max) throw new Problem('RequestTooLarge', `A batch has at most ${max} parts.`)
    if (found[1] !== undefined) return requireAny(parts)
    start = found.index + found[0].length
  }
  if (start === undefined) throw new Problem('InvalidRequest', `The body has no line --${boundary}.`)
  throw new Problem('InvalidRequest', `The batch is incomplete: it must end with --${boundary}--.`)
}

function requireAny(parts: string[]): string[] {
  if (parts.length > 0) return parts
  throw new Problem('InvalidRequest', 'The batch has no part.')
}
