import { type Html, html } from '../../../http/html/html.ts'
import { emptyState, table } from '../../shared/elements.ts'
import { dayAndTime, words } from '../../shared/format.ts'

/** An entry of /x/v1/apps/{AppKey}/audit. */
export type AuditRow = Readonly<{
  At: string
  Kind: 'AppChanged' | 'SecretRevealed'
  User?: { UserKey: string; Name?: string }
  Detail?: Readonly<Record<string, string | number | boolean>>
}>

/** What was done, in a sentence. A detail that nobody foresaw is told by its name. */
export function whatWasDone({ Kind, Detail = {} }: AuditRow, zone: string): string {
  if (Kind === 'SecretRevealed') return `Secret shown: id ${Detail.secrets ?? ''}`
  if (Detail.created) return `App created as “${Detail.name}”, flow ${Detail.flow}`
  if (Detail.secret !== undefined) return aboutSecret(Detail, zone)
  if (Detail.redirectUri !== undefined) return aboutUri(Detail)
  if (Detail.active === false || Detail.isActive === false) return 'App deactivated: its sessions ended'
  return Object.entries(Detail).map(changed).join(', ') || 'Changed'
}

type Detail = NonNullable<AuditRow['Detail']>

function aboutSecret({ secret, added, removed, regenerated, validUntil, othersEnd }: Detail, zone: string): string {
  const until = typeof validUntil === 'string' ? `, valid until ${dayAndTime(validUntil, zone)}` : ''
  const others = typeof othersEnd === 'string' ? `; the others end ${dayAndTime(othersEnd, zone)}` : ''
  if (added) return `Secret with id ${secret} added${until}${others}`
  if (removed) return `Secret with id ${secret} removed`
  return regenerated ? `Secret with id ${secret} made anew${until}` : `Secret with id ${secret} changed${until}`
}

function aboutUri({ uri, before, added, removed }: Detail): string {
  if (added) return `Redirect URI added: ${uri}`
  if (removed) return `Redirect URI removed: ${uri}`
  return before === undefined ? `Redirect URI described anew: ${uri}` : `Redirect URI ${before} is now ${uri}`
}

function changed([name, value]: [string, string | number | boolean]): string {
  if (name === 'isActive') return 'App activated'
  const said = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
  return `${words(name.slice(0, 1).toUpperCase() + name.slice(1))}: ${said}`
}

export function auditTable(rows: readonly AuditRow[], zone: string): Html {
  if (rows.length === 0)
    return emptyState(
      'Nothing is written here yet.',
      'What is done to the app is listed within a second or so, with who did it: load the page again.',
    )
  return table(
    `What was done to the app; times in ${zone}`,
    [
      { head: 'When', cell: (row: AuditRow) => html`<time datetime="${row.At}">${dayAndTime(row.At, zone)}</time>` },
      {
        head: 'Who',
        cell: ({ User }) => html`<bdi>${User ? (User.Name ?? User.UserKey) : 'An operator of the service'}</bdi>`,
      },
      { head: 'What', isRowHead: true, cell: (row) => html`<span class="app-what">${whatWasDone(row, zone)}</span>` },
    ],
    rows,
  )
}
