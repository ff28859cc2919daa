import type { ImportView } from '../../../data/api/import-schema.ts'
import type { Html } from '../../../http/html/html.ts'
import { type Tone, tag } from '../../shared/elements.ts'
import { figure } from '../../shared/format.ts'
import { importPath } from '../paths.ts'

export const apiPath = '/x/v1/imports'
export const callOf = (importId: string): string => `${apiPath}/${encodeURIComponent(importId)}`
export const pathOf = (importId: string): string => `${importPath}/${encodeURIComponent(importId)}`

export const namesOf = ({ Files }: ImportView): string => Files.map(({ Name }) => Name).join(', ')

export const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${figure(Math.ceil(bytes / 1_000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

const tones: Readonly<Partial<Record<ImportView['State'], Tone>>> = { Applied: 'good', Checked: 'accent' }

export const stateTag = ({ State, Errors }: ImportView): Html =>
  Errors.length > 0 ? tag('Errors', 'bad') : tag(State, tones[State])

export const isRunning = ({ State }: ImportView): boolean => State === 'Checking' || State === 'Applying'

export const changesIn = ({ Changes }: ImportView): number =>
  Changes.reduce((sum, { Added, Changed, Removed }) => sum + Added + Changed + Removed, 0)
