import type { Environment } from '../../core/environment.ts'
import { type Html, html } from '../../http/html/html.ts'
import type { ClockState } from '../../http/html/layout.ts'
import type { Language } from './texts.ts'

/** What every page shows: the environment, the language of the user, and the time if it is not the real one. */
export type PageFrame = { environment: Environment; lang: Language; travel?: ClockState | undefined }

/** A name chosen by a user, isolated so that right-to-left marks in it cannot reorder our own text. */
export const named = (name: string): Html => html`<bdi>${name}</bdi>`
