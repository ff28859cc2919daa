import type { AppActivity } from '../../../apps/api/extension-schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { emptyState, table } from '../../shared/elements.ts'
import { capital, dayAndTime, words } from '../../shared/format.ts'

type Detail = NonNullable<AppActivity['Detail']>

export function describeChange({ Kind, Detail = {} }: AppActivity, zone: string): string {
  if (Kind === 'SecretRevealed') return `Secret shown: ${Detail.secrets ?? ''}`
  if (Detail.created) return `App created: “${Detail.name}”, flow ${Detail.flow}`
  if (Detail.secret !== undefined) return secretChange(Detail, zone)
  if (Detail.redirectUri !== undefined) return uriChange(Detail)
  if (Detail.active === false || Detail.isActive === false) return 'App deactivated, sessions ended'
  return Object.entries(Detail).map(fieldChange).join(', ') || 'Changed'
}

function secretChange({ secret, added, removed, regenerated, validUntil, othersEnd }: Detail, zone: string): string {
  const until = typeof validUntil === 'string' ? `, valid until ${dayAndTime(validUntil, zone)}` : ''
  const others = typeof othersEnd === 'string' ? `; other secrets expire ${dayAndTime(othersEnd, zone)}` : ''
  if (added) return `Secret ${secret} added${until}${others}`
  if (removed) return `Secret ${secret} deleted`
  return `Secret ${secret} ${regenerated ? 'regenerated' : 'changed'}${until}`
}

function uriChange({ uri, before, added, removed }: Detail): string {
  if (added) return `Redirect URI added: ${uri}`
  if (removed) return `Redirect URI removed: ${uri}`
  return before === undefined ? `Redirect URI description changed: ${uri}` : `Redirect URI changed: ${before} → ${uri}`
}

function fieldChange([name, value]: [string, string | number | boolean]): string {
  if (name === 'isActive') return 'App activated'
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
  return `${words(capital(name))}: ${text}`
}

export function activityTable(rows: readonly AppActivity[], zone: string): Html {
  if (rows.length === 0)
    return emptyState('No changes yet.', 'Changes appear here within about a second. Reload the page.')
  return table<AppActivity>(
    `Changes, times in ${zone}`,
    [
      ['Time', ({ At }) => html`<time datetime="${At}">${dayAndTime(At, zone)}</time>`],
      ['User', ({ User }) => html`<bdi>${User ? (User.Name ?? User.UserKey) : 'Operator'}</bdi>`],
      ['Change', (row) => html`<span class="app-what">${describeChange(row, zone)}</span>`, 'name'],
    ],
    rows,
  )
}
