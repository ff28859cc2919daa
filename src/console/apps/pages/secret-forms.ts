import type { AppSecret } from '../../../apps/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { bulletList, copyable, errorNotice, notice } from '../../shared/elements.ts'
import { confirmation, type FormErrors, hiddenField, inputField, noErrors, postButton } from '../../shared/fields.ts'
import { dayAndTime } from '../../shared/format.ts'
import { instantOf, localMinute, nameOf, type Rotation, type SecretUse } from './model.ts'

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

type SecretFormProps = Readonly<
  { fields: Html; entry: TimesEntry; errors: FormErrors } & Record<'action' | 'button' | 'back', string>
>

/** The form carries its time zone, so its times are read as they were shown. */
export function secretForm({ fields, action, entry, errors, button, back }: SecretFormProps): Html {
  const attributes = html` required step="60"`
  const timeField = (name: string, label: string, value: string, errors: readonly string[] | undefined) =>
    inputField(name, label, value, { type: 'datetime-local', attributes, errors })
  return html`<form class="card stack app-entry" method="post" action="${action}">${fields}${hiddenField('zone', entry.zone)}
${errorNotice(errors.others)}
<p class="small quiet">Times in <strong>${entry.zone}</strong>. A secret can be valid for at most two years.</p>
<div class="filters">${timeField('from', 'Valid from', entry.from, errors.fields.ValidFrom)}
${timeField('until', 'Valid until', entry.until, errors.fields.ValidUntil)}</div>
<div class="row"><button class="button">${button}</button><a class="button plain" href="${back}">Cancel</a></div></form>`
}

const regenerationText =
  'Replaces the value immediately; the validity stays the same. Clients that use the old value are rejected. To avoid downtime, rotate instead.'

export function secretActions(path: string, fields: Html, isLastValid: boolean): Html {
  const regeneration = postButton(`${path}/regenerate`, fields, 'Yes, regenerate', 'button danger')
  return html`<div class="row app-top">${confirmation('Regenerate', regenerationText, regeneration)}
${confirmation('Delete', ...deletionOf(path, fields, isLastValid))}</div>`
}

/** What the deletion of a secret leads to, and its button. */
export function deletionOf(path: string, fields: Html, isLastValid: boolean): readonly [question: string, form: Html] {
  const text = isLastValid
    ? 'It is the last valid secret: the app’s sessions end immediately, and users cannot sign in until you add another one.'
    : 'Clients that still use it are rejected immediately.'
  return [text, postButton(`${path}/delete`, fields, 'Delete the secret', 'button danger')]
}

const storageHints = {
  listed: notice('good', 'Store the secret where only your app can read it. You can see it again on the app’s page.'),
  once: notice(
    'warn',
    'Copy the secret now and store it where only your app can read it. It is not shown in full again.',
  ),
} as const

export function newSecretCard(
  { Secret = '', ValidUntil }: AppSecret,
  zone: string,
  mode: keyof typeof storageHints,
  notes: readonly string[] = [],
): Html {
  return html`${storageHints[mode]}
<div class="card stack"><h2>New secret</h2><p class="secret-value">${copyable(Secret, 'the secret')}</p>
<p class="small quiet">Valid until ${dayAndTime(ValidUntil, zone)} (${zone}).</p>
${notes.length === 1 ? html`<p>${notes[0]}</p>` : notes.length > 1 && bulletList(notes)}</div>`
}

/** What a rotation did to the other secrets; `done` are those that were shortened. */
export function rotationNotes(plan: Rotation, done: readonly SecretUse[], zone: string): string[] {
  const failed = plan.shortened.filter((secret) => !done.includes(secret))
  const note = (secrets: readonly SecretUse[], text: string) =>
    secrets.map((secret) => `Secret ${nameOf(secret)} ${text}`)
  return [
    ...note(done, `stays valid until ${dayAndTime(plan.overlapEnd, zone)}. Update your app by then.`),
    ...note(plan.unchanged, 'starts later and was not changed.'),
    ...note(failed, 'could not be changed. Set its expiry yourself.'),
  ]
}
