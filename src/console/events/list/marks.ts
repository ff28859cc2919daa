import { type Html, html } from '../../../http/html/html.ts'

/** How each kind of date is drawn. Shapes differ too, not only colours. */
export const marks = {
  announced: { name: 'Announced', short: 'Announced', shape: html`<circle cx="5" cy="5" r="3.5" class="hollow"/>` },
  ex: { name: 'Ex date', short: 'Ex', shape: html`<path d="M5 0l5 5-5 5-5-5z"/>` },
  record: { name: 'Record date', short: 'Record', shape: html`<path d="M1 1h8v8H1z"/>` },
  due: { name: 'Deadline', short: 'Due', shape: html`<path d="M0 1h10L5 10z"/>` },
  pay: { name: 'Payment', short: 'Pay', shape: html`<circle cx="5" cy="5" r="4.5"/>` },
} as const

export type MarkKind = keyof typeof marks

export const markIcon = (kind: MarkKind): Html =>
  html`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true">${marks[kind].shape}</svg>`

export const markLegend = (kinds: readonly MarkKind[]): Html =>
  html`<ul class="month-legend" aria-label="Legend">${kinds.map((kind) => html`<li class="${kind}">${markIcon(kind)} ${marks[kind].name}</li>`)}<li class="quiet">Dates in UTC</li></ul>`
