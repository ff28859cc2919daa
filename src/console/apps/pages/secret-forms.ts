import { type Html, html } from '../../../http/html/html.ts'
import { confirmed, copyable, inputField, notice, refusals } from '../../shared/elements.ts'
import { dayAndTime } from '../../shared/format.ts'
import { type Against, nothingAgainst } from './form-errors.ts'
import { instantOf, localMinute, type Rotation, type SecretUse } from './model.ts'

export type TimesEntry = Readonly<{ from: string; until: string; zone: string }>

export const entryOf = ({ ValidFrom, ValidUntil }: Pick<SecretUse, 'ValidFrom' | 'ValidUntil'>, zone: string) => ({
  from: localMinute(ValidFrom, zone),
  until: localMinute(ValidUntil, zone),
  zone,
})

type Asked = { ValidFrom?: string; ValidUntil?: string }

/** What a form asks for: only what was really changed, as the fields know no seconds. A text that is no time: a sentence. */
export function askedTimes(entry: TimesEntry, before?: SecretUse): Asked | { against: Against } {
  const [from, until] = [instantOf(entry.from, entry.zone), instantOf(entry.until, entry.zone)]
  const no = ['Write it as a date and a time, such as 2026-12-18T09:30.']
  const fields = { ...(from === undefined && { ValidFrom: no }), ...(until === undefined && { ValidUntil: no }) }
  if (from === undefined || until === undefined) return { against: { ...nothingAgainst, fields } }
  const shown = before && entryOf(before, entry.zone)
  return {
    ...(entry.from !== shown?.from && { ValidFrom: from }),
    ...(entry.until !== shown?.until && { ValidUntil: until }),
  }
}

type SecretFormProps = Readonly<{
  formToken: Html
  tag: string
  action: string
  entry: TimesEntry
  against: Against
  button: string
  back: string
}>

/** The zone goes with the form: the times are read as they were shown, wherever the reader is by then. */
export function secretForm({ formToken, tag, action, entry, against, button, back }: SecretFormProps): Html {
  const hidden = html`${formToken}<input type="hidden" name="tag" value="${tag}"><input type="hidden" name="zone" value="${entry.zone}">`
  const step = html` required step="60"`
  return html`<form class="card stack app-entry" method="post" action="${action}">${hidden}
${refusals(against.others)}
<p class="small quiet">Times in <strong>${entry.zone}</strong>. A secret is valid for at most two years.</p>
<div class="filters">${inputField('from', 'Valid from', entry.from, { type: 'datetime-local', attributes: step, against: against.fields.ValidFrom })}
${inputField('until', 'Valid until', entry.until, { type: 'datetime-local', attributes: step, against: against.fields.ValidUntil })}</div>
<div class="row"><button class="button">${button}</button><a class="button plain" href="${back}">Cancel</a></div></form>`
}

/** One secret: when it is valid, a new value in its place, or its end. */
export function secretPage(props: SecretFormProps & { isLastValid: boolean }): Html {
  const { formToken, tag, action } = props
  const deed = (path: string, button: string) =>
    html`<form method="post" action="${action}/${path}">${formToken}<input type="hidden" name="tag" value="${tag}"><button class="button danger">${button}</button></form>`
  const deletion = props.isLastValid
    ? 'It is the last one that is valid: the app’s sessions end at once, and it cannot sign anybody in until it has another.'
    : 'Whoever still uses it is refused at once.'
  return html`${secretForm(props)}
<div class="row app-top">${confirmed('Make it anew', 'A new value takes its place at once, with the same validity; whoever still uses the old one is refused. To change without a break, rotate instead.', deed('regenerate', 'Yes, make it anew'))}
${confirmed('Delete it', deletion, deed('delete', 'Yes, delete it'))}</div>`
}

export type MadeProps = Readonly<{
  secret: string
  /** Until when it is valid. */
  validUntil: string
  zone: string
  mode: 'listed' | 'once'
  /** What was done besides. */
  sentences: readonly string[]
}>

const keepIt = {
  listed: notice('good', 'Keep it where only your app can read it. You can see it again on the app’s page.'),
  once: notice('warn', 'Copy it now, and keep it where only your app can read it. It is not shown in full again.'),
} as const

/** A secret that was just made, in full. */
export function madeSecret({ secret, validUntil, zone, mode, sentences }: MadeProps): Html {
  return html`${keepIt[mode]}
<div class="card stack"><h2>The new secret</h2><p class="secret-value">${copyable(secret, 'the secret')}</p>
<p class="small quiet">Valid until ${dayAndTime(validUntil, zone)} (${zone}).</p>
${sentences.length > 0 && html`<ul>${sentences.map((one) => html`<li>${one}</li>`)}</ul>`}</div>`
}

/** What a rotation did to the others, in sentences; `done` are those that really end now with the overlap. */
export function rotationSentences(plan: Rotation, done: readonly SecretUse[], zone: string): string[] {
  const end = dayAndTime(plan.overlapEnd, zone)
  const missed = plan.shortened.filter((secret) => !done.includes(secret))
  return [
    ...(done.length > 0
      ? [`${named(done)} ${done.length === 1 ? 'works' : 'work'} until ${end}: change your app by then.`]
      : []),
    ...(plan.left.length > 0 ? [`${named(plan.left)} was planned for later and is left as it is.`] : []),
    ...(missed.length > 0 ? [`${named(missed)} could not be changed. Set when it ends yourself.`] : []),
  ]
}

const named = (secrets: readonly SecretUse[]): string =>
  `${secrets.length === 1 ? 'Secret' : 'Secrets'} ${secrets.map(({ nth }) => nth).join(', ')}`
