import sanitizeHtml from 'sanitize-html'
import { Html, html } from '../../http/html/html.ts'

/** What a narrative may be made of: paragraphs, lists, tables and links. No style, no picture, nothing that acts. */
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
    // What does not lead to https leads nowhere: an anchor without an address is no link. It stays an anchor, because the
    // sanitiser closes what it has renamed at the wrong place when the new name is not allowed.
    a: (_tag, { href = '' }) =>
      /^https:\/\//i.test(href)
        ? { tagName: 'a', attribs: { href, rel: 'noopener noreferrer nofollow' } }
        : { tagName: 'a', attribs: {} },
  },
}

const block = /<(p|br|ul|ol|table)\b/i

/**
 * The free text of an event, which may hold simple HTML and comes from outside (§2.10). What the sanitiser admits
 * is the only text in this service that becomes markup without having been written here.
 */
export function narrative(text: string): Html {
  const safe = new Html(sanitizeHtml(text, allowed))
  // Text without blocks of its own has its lines where the writer broke them.
  return html`<div class="narrative${block.test(text) ? '' : ' lines'}">${safe}</div>`
}
