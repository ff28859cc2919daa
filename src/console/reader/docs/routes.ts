import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../http/html/html.ts'
import type { PageContext } from '../../shared/context.ts'
import { renderNotFound } from '../../shared/messages.ts'
import type { PageRouter } from '../../shared/router.ts'
import { chapterAddress, docsPath } from './address.ts'
import type { Library } from './library.ts'
import { loadLibrary } from './loaded.ts'
import type { Chapter, Document } from './markdown.ts'
import { type Found, searchDocuments } from './search.ts'

/** The documentation, for everyone. */
export function docsRoutes(router: PageRouter): void {
  router.getPublic(docsPath, async (ctx) => showContents(ctx, await loadLibrary()))
  router.getPublic(`${docsPath}/*`, async (ctx) => showChapter(ctx, await loadLibrary()))
}

const maxQuery = 200

function showContents(ctx: PageContext, library: Library): FastifyReply {
  const query = (ctx.query('q') ?? '').trim().slice(0, maxQuery)
  return ctx.render({
    title: query === '' ? 'Docs' : `Docs: ${query}`,
    heading: html`Docs`,
    aside: searchForm(query),
    body: query === '' ? contents(library) : results(searchDocuments(library.documents, query), query),
  })
}

const searchForm = (
  query: string,
): Html => html`<form class="docs-search" role="search" aria-label="Docs" action="${docsPath}">
<label class="bar-search"><span class="unseen">Search the docs</span><input name="q" type="search" value="${query}" maxlength="${maxQuery}" placeholder="Search the docs" autocomplete="off"></label>
<button class="button">Search</button></form>`

const contents = ({ groups }: Library): Html =>
  html`<div class="docs-groups">${groups.map(
    ({ title, documents }) => html`<section class="card"><h2>${title}</h2>
<ul>${documents.map((document) => html`<li><a href="${docsPath}/${document.name}">${document.title}</a></li>`)}</ul></section>`,
  )}</div>`

function results(found: readonly Found[], query: string): Html {
  if (found.length === 0)
    return html`<p>Nothing in the docs has all of these words: <strong>${query}</strong>. <a href="${docsPath}">Show all documents</a></p>`
  return html`<ol class="docs-results">${found.map(
    ({
      document,
      chapter,
      section,
      excerpt,
    }) => html`<li><a href="${chapterAddress(document, chapter, section.anchor)}">${section.title}</a>
${section.title !== document.title && html`<span class="quiet small">${document.title}</span>`}
<p class="small">${excerpt.map((piece, at) => (at % 2 === 1 ? html`<mark>${piece}</mark>` : piece))}</p></li>`,
  )}</ol>`
}

function showChapter(ctx: PageContext, library: Library): FastifyReply {
  const found = library.find(ctx.param('*').replace(/\/$/, ''))
  if (!found) return renderNotFound(ctx)
  const { document, chapter } = found
  const isFirst = chapter.slug === ''
  return ctx.render({
    title: isFirst ? document.title : `${chapter.title} · ${document.title}`,
    heading: html`${chapter.title}`,
    crumbs: [['Docs', docsPath], ...(isFirst ? [] : [[document.title, `${docsPath}/${document.name}`] as const])],
    aside: searchForm(''),
    body: html`<div class="docs"><article class="prose">${library.render(document, chapter)}${neighbours(document, chapter)}</article>
${contentsOf(document, chapter)}</div>`,
  })
}

/** The sections of the page and, of a long document, its chapters. */
function contentsOf(document: Document, chapter: Chapter): Html {
  const { chapters } = document
  const sections = chapter.sections.filter(({ depth }) => depth === (chapter.slug === '' ? 2 : 3))
  const inPage = html`<ul>${sections.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>`
  if (chapters.length === 1)
    return html`${sections.length > 1 && html`<nav class="docs-nav" aria-label="On this page"><p class="nav-title">On this page</p>${inPage}</nav>`}`
  return html`<nav class="docs-nav" aria-label="Chapters"><p class="nav-title">Chapters</p><ul>${chapters.map(
    (each) =>
      html`<li><a href="${chapterAddress(document, each)}"${each === chapter && html` aria-current="page"`}>${each.slug === '' ? 'Introduction' : each.title}</a>${each === chapter && sections.length > 0 && inPage}</li>`,
  )}</ul></nav>`
}

function neighbours(document: Document, chapter: Chapter): Html {
  const { chapters } = document
  const at = chapters.indexOf(chapter)
  const [before, after] = [chapters[at - 1], chapters[at + 1]]
  if (!before && !after) return html``
  return html`<p class="row between">${before ? html`<a rel="prev" href="${chapterAddress(document, before)}">← ${before.slug === '' ? 'Introduction' : before.title}</a>` : html`<span></span>`}
${after && html`<a rel="next" href="${chapterAddress(document, after)}">${after.title} →</a>`}</p>`
}
