import { type Html, html } from '../../http/html/html.ts'

/** A name chosen by a user, isolated so that right-to-left marks in it cannot reorder our own text. */
export const named = (name: string): Html => html`<bdi>${name}</bdi>`
