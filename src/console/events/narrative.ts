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

/** The free text of an event, which may contain simple HTML from outside (§7.5). Nothing else bypasses `html`. */
export function narrative(text: string): Html {
  const safe = new Html(sanitizer()(text, allowed))
  // Plain text keeps its line breaks.
  return html`<div class="narrative${block.test(text) ? '' : ' lines'}">${safe}</div>`
}
