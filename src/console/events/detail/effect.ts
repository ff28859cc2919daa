import type { Effect, Movement } from '../../../events/rules/elections/effect.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { capital, figure } from '../../shared/format.ts'
import { moneyFigure } from '../labels.ts'

/** `+900 Orsted A/S`, `−59,940.00 DKK`. */
export function movementText({ kind, value, unit, note }: Movement): string {
  const size = kind === 'cash' ? moneyFigure(Math.round(Math.abs(value) * 100) / 100) : figure(Math.abs(value))
  return `${value < 0 ? '−' : '+'}${size} ${unit}${note === undefined ? '' : ` ${note}`}`
}

export const nothingText = 'You receive nothing, and pay nothing.'

/** `How fractions are settled is not known.` */
export function unknownText(unknown: readonly string[]): string {
  const [last = '', ...others] = unknown.toReversed()
  const all = others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`
  return `${capital(all)} ${others.length === 0 ? 'is' : 'are'} not known.`
}

/** What an election leads to, and what is not known about it. */
export const effectList = ({ movements, unknown, isAtMost, isNothing }: Effect): Html =>
  html`${isNothing && html`<span class="term">${nothingText}</span>`}${isAtMost && movements.length > 0 && html`<span class="term small quiet">at most</span>`}${movements.map((movement) => html`<span class="term num">${movementText(movement)}</span>`)}${
    unknown.length > 0 && html`<span class="term small quiet">${unknownText(unknown)}</span>`
  }`
