import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import { Html, html } from '../../http/html/html.ts'

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'b', 'strong', 'i', 'em', 'ul', 'ol', 'li', 'a'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'rel'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['https'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 20,
  transformTags: {
    // Links to anything but https lose their href. They stay anchors, because sanitize-html misplaces the end tag of
    // an element that was renamed to a disallowed name.
    a: (_tag, { href = '' }) =>
      /^https:\/\//i.test(href)
        ? { tagName: 'a', attribs: { href, rel: 'noopener noreferrer nofollow' } }
        : { tagName: 'a', attribs: {} },
  },
}

/** Loaded when first needed, because it takes memory in every thread. */
const sanitizer = (): typeof sanitizeHtml => createRequire(import.meta.url)('sanitize-html')

const block = /<(p|br|ul|ol|table)\b/i

/** Bounds the nesting too: the parser's time grows with the square of it. */
const maxTags = 2_000
const maxMarkupLength = 200_000

/** The free text of an event, which may contain simple HTML from outside (§7.5). Nothing else bypasses `html`. Text with
 *  excessive markup is shown without any. */
export function narrative(text: string): Html {
  if (text.length > maxMarkupLength || hasMoreTags(text, maxTags))
    return html`<div class="narrative lines">${withoutTags(text)}</div>`
  const safe = new Html(sanitizer()(text, allowed))
  // Plain text keeps its line breaks.
  return html`<div class="narrative${block.test(text) ? '' : ' lines'}">${safe}</div>`
}

function hasMoreTags(text: string, max: number): boolean {
  let count = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) if (++count > max) return true
  return false
}

/** In linear time: no tag extends past the next `<`. */
function withoutTags(text: string): string {
  return text.replaceAll(/<(?:br|\/p|\/li|\/tr)\b[^<>]*>/gi, '\n').replaceAll(/<[a-z/!][^<>]*>/gi, ' ')
}
