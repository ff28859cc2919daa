import { type Html, html } from '../../../http/html/html.ts'
import { bulletList, copyable, errorNotice, notice } from '../../shared/elements.ts'
import { confirmation, hiddenField, inputField, postButton } from '../../shared/fields.ts'
import { dayAndTime } from '../../shared/format.ts'
import { type FormErrors, noErrors } from './form-errors.ts'
import { instantOf, localMinute, type Rotation, type SecretUse } from './model.ts'

export type TimesEntry = Readonly<{ from: string; until: string; zone: string }>

export const timesOf = ({ ValidFrom, ValidUntil }: Pick<SecretUse, 'ValidFrom' | 'ValidUntil'>, zone: string) => ({
  from: localMinute(ValidFrom, zone),
  until: localMinute(ValidUntil, zone),
  zone,
})

/** The times to send: only those that differ from what the form showed, because its fields have no seconds. */
export function requestedTimes(
  entry: TimesEntry,
  before?: SecretUse,
): { ValidFrom?: string; ValidUntil?: string } | { errors: FormErrors } {
  const [from, until] = [instantOf(entry.from, entry.zone), instantOf(entry.until, entry.zone)]
  const invalid = ['Enter a date and time, such as 2026-12-18T09:30.']
  const fields = {
    ...(from === undefined && { ValidFrom: invalid }),
    ...(until === undefined && { ValidUntil: invalid }),
  }
  if (from === undefined || until === undefined) return { errors: { ...noErrors, fields } }
  const shown = before && timesOf(before, entry.zone)
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
  errors: FormErrors
  button: string
  back: string
}>

/** The form carries its time zone, so its times are read as they were shown. */
export function secretForm({ formToken, tag, action, entry, errors, button, back }: SecretFormProps): Html {
  const timeField = (name: string, label: string, value: string, fieldErrors: readonly string[] | undefined) =>
    inputField(name, label, value, {
      type: 'datetime-local',
      attributes: html` required step="60"`,
      errors: fieldErrors,
    })
  return html`<form class="card stack app-entry" method="post" action="${action}">${formToken}${hiddenField('tag', tag)}${hiddenField('zone', entry.zone)}
${errorNotice(errors.others)}
<p class="small quiet">Times in <strong>${entry.zone}</strong>. A secret can be valid for at most two years.</p>
<div class="filters">${timeField('from', 'Valid from', entry.from, errors.fields.ValidFrom)}
${timeField('until', 'Valid until', entry.until, errors.fields.ValidUntil)}</div>
<div class="row"><button class="button">${button}</button><a class="button plain" href="${back}">Cancel</a></div></form>`
}

export function secretPage(props: SecretFormProps & { isLastValid: boolean }): Html {
  const hidden = html`${props.formToken}${hiddenField('tag', props.tag)}`
  const button = (path: string, label: string) =>
    postButton(`${props.action}/${path}`, hidden, label, { kind: 'button danger' })
  const deletion = props.isLastValid
    ? 'It is the last valid secret: the app’s sessions end immediately, and users cannot sign in until you add another one.'
    : 'Clients that still use it are rejected immediately.'
  return html`${secretForm(props)}
<div class="row app-top">${confirmation('Regenerate', 'Replaces the value immediately; the validity stays the same. Clients that use the old value are rejected. To avoid downtime, rotate instead.', button('regenerate', 'Yes, regenerate'))}
${confirmation('Delete', deletion, button('delete', 'Yes, delete'))}</div>`
}

const storageHints = {
  listed: notice('good', 'Store it where only your app can read it. You can see it again on the app’s page.'),
  once: notice('warn', 'Copy it now and store it where only your app can read it. It is not shown in full again.'),
} as const

export function newSecretCard(
  props: Readonly<{
    secret: string
    validUntil: string
    zone: string
    mode: 'listed' | 'once'
    notes: readonly string[]
  }>,
): Html {
  const { secret, validUntil, zone, mode, notes } = props
  return html`${storageHints[mode]}
<div class="card stack"><h2>New secret</h2><p class="secret-value">${copyable(secret, 'the secret')}</p>
<p class="small quiet">Valid until ${dayAndTime(validUntil, zone)} (${zone}).</p>
${notes.length > 0 && bulletList(notes)}</div>`
}

/** What a rotation did to the other secrets; `done` are those that were shortened. */
export function rotationNotes(plan: Rotation, done: readonly SecretUse[], zone: string): string[] {
  const failed = plan.shortened.filter((secret) => !done.includes(secret))
  const note = (secrets: readonly SecretUse[], text: string) => secrets.map(({ nth }) => `Secret ${nth} ${text}`)
  return [
    ...note(done, `stays valid until ${dayAndTime(plan.overlapEnd, zone)}. Update your app by then.`),
    ...note(plan.unchanged, 'starts later and was not changed.'),
    ...note(failed, 'could not be changed. Set its expiry yourself.'),
  ]
}
