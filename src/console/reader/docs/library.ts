import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type { Html } from '../../../http/html/html.ts'
import { chapterAddress } from './address.ts'
import { type Chapter, type Document, readDocument, renderChapter } from './markdown.ts'

const folder = new URL('../../../../docs/', import.meta.url)
const reference = ['specification', 'compatibility', 'data', 'security', 'architecture']

export type Group = Readonly<{ title: string; documents: readonly Document[] }>

/** The documents that come with the service, read when the first page needs them. */
export class Library {
  readonly groups: readonly Group[]
  readonly documents: readonly Document[]
  readonly #byName: ReadonlyMap<string, Document>
  readonly #rendered = new Map<Chapter, Html>()

  constructor(groups: readonly Group[]) {
    this.groups = groups
    this.documents = groups.flatMap(({ documents }) => documents)
    this.#byName = new Map(this.documents.map((document) => [document.name, document]))
  }

  /** What a path below /console/docs/ shows. */
  find(path: string): { document: Document; chapter: Chapter } | undefined {
    const whole = this.#byName.get(path)
    if (whole) return { document: whole, chapter: whole.chapters[0] as Chapter }
    const document = this.#byName.get(posix.dirname(path))
    const chapter = document?.chapters.find(({ slug }) => slug !== '' && slug === posix.basename(path))
    return document && chapter && { document, chapter }
  }

  render(document: Document, chapter: Chapter): Html {
    return this.#rendered.getOrInsertComputed(chapter, () =>
      renderChapter(chapter, (href) => this.#resolve(document, href)),
    )
  }

  /** Files that are not documents, such as sources, have no page. */
  #resolve(from: Document, href: string): string | undefined {
    if (/^https?:/.test(href)) return href
    const [path = '', anchor] = href.split('#')
    const name = path === '' ? from.name : posix.join(posix.dirname(from.name), path).replace(/\.md$/, '')
    const document = this.#byName.get(name)
    if (!document) return undefined
    const chapter = document.chapters.find(({ sections }) => sections.some((section) => section.anchor === anchor))
    return chapterAddress(document, chapter ?? (document.chapters[0] as Chapter), anchor)
  }
}

const namesIn = async (path: string): Promise<string[]> =>
  (await readdir(new URL(`${path}/`, folder)))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${path}/${file.slice(0, -3)}`)

const readAll = (names: readonly string[]): Promise<Document[]> =>
  Promise.all(names.map(async (name) => readDocument(name, await readFile(new URL(`${name}.md`, folder), 'utf8'))))

export async function readLibrary(): Promise<Library> {
  const [guides, decisions] = await Promise.all([namesIn('guides'), namesIn('decisions')])
  return new Library([
    { title: 'Guides', documents: await readAll(guides) },
    { title: 'Reference', documents: await readAll(reference) },
    { title: 'Decisions', documents: await readAll(decisions) },
  ])
}
