import type { Chapter, Document } from './markdown.ts'

export const docsPath = '/console/docs'

export const chapterAddress = ({ name }: Document, { slug }: Chapter, anchor?: string): string =>
  `${docsPath}/${name}${slug && `/${slug}`}${anchor === undefined ? '' : `#${anchor}`}`
