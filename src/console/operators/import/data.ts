import type { ImportView } from '../../../data/api/import-schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { type Tone, tag } from '../../shared/elements.ts'
import { figure } from '../../shared/format.ts'
import { importPath } from '../paths.ts'

export const apiPath = '/x/v1/imports'
export const callOf = (importId: string): string => `${apiPath}/${encodeURIComponent(importId)}`
export const pathOf = (importId: string): string => `${importPath}/${encodeURIComponent(importId)}`

export const runsApiPath = '/x/v1/runs'
export const runCall = (run: number | string): string => `${runsApiPath}/${encodeURIComponent(run)}`
export const runHref = (run: number | string): string => `${importPath}/runs/${encodeURIComponent(run)}`
export const runLink = (run: number): Html => html`<a class="num" href="${runHref(run)}">run ${run}</a>`

export const namesOf = ({ Files, Undoes }: ImportView): string =>
  Undoes === undefined ? Files.map(({ Name }) => Name).join(', ') : `Undo of run ${Undoes}`

export const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${figure(Math.ceil(bytes / 1_000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

export const bytesOf = ({ Files }: ImportView): string => sizeOf(Files.reduce((sum, { Bytes }) => sum + Bytes, 0))

const tones: Readonly<Partial<Record<ImportView['State'], Tone>>> = { Applied: 'good', Checked: 'accent' }

export function stateTag({ State, Errors, Undoes, UndoneBy }: ImportView): Html {
  if (UndoneBy !== undefined) return undoneTag(UndoneBy)
  const failed = Undoes === undefined ? 'Errors' : 'Cannot be undone'
  return Errors.length > 0 ? tag(failed, 'bad') : tag(State, tones[State])
}

export const undoneTag = (by: number): Html => tag(html`Undone by ${runLink(by)}`, 'warn')

export const isRunning = ({ State }: ImportView): boolean => State === 'Checking' || State === 'Applying'

export const changesIn = ({ Changes }: ImportView): number =>
  Changes.reduce((sum, { Added, Changed, Removed }) => sum + Added + Changed + Removed, 0)
