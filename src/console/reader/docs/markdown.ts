import { Marked, type Token, type Tokens } from 'marked'
import { ownTurn } from '../../../core/async/own-turn.ts'
import { type Html, raw } from '../../../http/html/html.ts'

/** A heading and what follows it, up to the next one. */
export type Section = Readonly<{
  anchor: string
  title: string
  depth: number
  text: string
  /** Title and text in lower case, for the search. */
  lower: Readonly<{ title: string; text: string }>
}>

/** What one page shows. The slug of the first chapter is empty. */
export type Chapter = Readonly<{ slug: string; title: string; sections: readonly Section[]; tokens: readonly Token[] }>

export type Document = Readonly<{
  /** Its path below docs/, without the extension: guides/testing. */
  name: string
  title: string
  chapters: readonly Chapter[]
}>

/** Longer documents have a page per chapter. */
const maxCharacters = 40_000

const parser = new Marked()

export async function readDocument(name: string, markdown: string): Promise<Document> {
  const anchors = new Set<string>()
  const chapters: Chapter[] = []
  for (const [index, text] of textsOf(markdown).entries()) {
    // A long chapter takes tens of milliseconds.
    await ownTurn()
    chapters.push(chapterOf(parser.lexer(text), index, anchors))
  }
  return { name, title: chapters[0]?.title ?? name, chapters }
}

/** The chapters of a long document: each begins with a heading of the second level. What looks like one in a code block is
 *  none. */
function textsOf(markdown: string): string[] {
  if (markdown.length <= maxCharacters) return [markdown]
  const texts: string[] = []
  for (const text of markdown.split(/^(?=## )/m)) {
    const before = texts.at(-1)
    const isInCode = before !== undefined && (before.match(/^```/gm)?.length ?? 0) % 2 === 1
    if (isInCode) texts[texts.length - 1] = `${before}${text}`
    else texts.push(text)
  }
  return texts
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

function chapterOf(tokens: readonly Token[], index: number, anchors: Set<string>): Chapter {
  const sections: { anchor: string; title: string; depth: number; text: string }[] = []
  for (const token of tokens) {
    if (isHeading(token)) {
      const title = plainText(token.text)
      sections.push({ anchor: uniqueAnchor(title, anchors), title, depth: token.depth, text: '' })
    } else {
      const last = sections.at(-1)
      if (last) last.text = `${last.text} ${plainText(token.raw)}`.trim()
    }
  }
  const [first] = sections
  const searchable = sections.map((section) => {
    return { ...section, lower: { title: section.title.toLowerCase(), text: section.text.toLowerCase() } }
  })
  return { slug: index === 0 ? '' : (first?.anchor ?? ''), title: first?.title ?? '', sections: searchable, tokens }
}

/** Without what Markdown adds: emphasis, links, tables and code marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\|[\s:|-]+\|/g, ' ')
    .replaceAll(/[`*|]|^#+ /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** As GitHub makes it, so that links lead to the same place in both. */
function uniqueAnchor(title: string, taken: Set<string>): string {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  let anchor = base
  for (let number = 1; taken.has(anchor); number++) anchor = `${base}-${number}`
  taken.add(anchor)
  return anchor
}

/** The address of a link's target, or undefined if no page shows it. */
export type Resolve = (href: string) => string | undefined

/** Documents come with the service, so their text is trusted; raw HTML in them, such as comments, is left out. */
export function renderChapter({ tokens, sections }: Chapter, resolve: Resolve): Html {
  const anchors = sections.values()
  const renderer = new Marked({
    renderer: {
      heading({ tokens: inner, depth }) {
        const { anchor = '' } = anchors.next().value ?? {}
        return `<h${depth} id="${anchor}">${this.parser.parseInline(inner)} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      link({ href, tokens: inner }) {
        const text = this.parser.parseInline(inner)
        const target = resolve(href)
        return target === undefined ? text : `<a href="${escapeAttribute(target)}">${text}</a>`
      },
      image: ({ text }) => text,
      html: () => '',
      table(table) {
        const cell = (one: Tokens.TableCell, name: 'th' | 'td') =>
          `<${name}${one.align ? ` class="${one.align}"` : ''}>${this.parser.parseInline(one.tokens)}</${name}>`
        const rows = table.rows.map((row) => `<tr>${row.map((one) => cell(one, 'td')).join('')}</tr>`).join('\n')
        const head = `<tr>${table.header.map((one) => cell(one, 'th')).join('')}</tr>`
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>\n`
      },
      code: ({ text, lang }) =>
        `<pre tabindex="0"><code${lang ? ` data-language="${escapeAttribute(lang)}"` : ''}>${escapeText(text)}</code></pre>\n`,
    },
  })
  // The first heading is that of the page.
  const first = tokens.findIndex(isHeading)
  if (first >= 0) anchors.next()
  const shown = tokens.filter((_, index) => index !== first)
  return raw(renderer.parser(shown))
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')
