import type { Config } from '../config.ts'
import { basePathOf } from '../core/environment.ts'
import { demoApp, demoFacts } from '../sim/demo/facts.ts'
import { version } from '../version.ts'
import { operatorsFinding } from './doctor/rules/keys.ts'
import { asTyped } from './program.ts'

/** Shown for a database without clients and demo data. */
export const emptyNote =
  'There is no client yet, so no one can sign in. refdesk init writes a first data file, which refdesk import loads: ' +
  'docs/guides/deploying.md ("First start in live").'

export const noOperatorNote =
  'No user is an operator, so no one may change the clock, inject faults or reset (SIM_CONTROLS=operators). Make a user one: ' +
  'refdesk users operator NAME'

/** Warns of operators with a password of the demo, if there are any. */
export function publicOperatorNotes(names: readonly string[]): string[] {
  const { text, advice } = operatorsFinding(names)
  return names.length === 0 ? [] : [`${text} ${advice}`]
}

/** The start message: addresses, demo credentials, and a call that works as printed. */
export function startMessage(config: Config, token: string | undefined, notes: string[]): string {
  const baseUrl = `${config.publicUrl}${basePathOf(config.environment)}`
  const rows: [string, string][] = [
    ['Environment', config.environment + (config.compat === 'vendor' ? ', vendor profile' : '')],
    ['Console', `${config.publicUrl}  open it in a browser`],
    ['Sign-in', config.publicUrl],
    ['REST', baseUrl],
  ]
  const { hostname, port } = new URL(config.publicUrl)
  if (hostname === 'localhost' && Number(port || 80) !== config.port)
    rows.push(['Listens on', `port ${config.port}, but PUBLIC_URL is ${config.publicUrl}`])
  if (config.demo) {
    rows.push(
      ['Demo app', `AppKey ${demoApp.AppKey}`],
      ['', `Secret ${demoApp.Secret}`],
      ['', `Redirect URI ${demoFacts.redirectUri}`],
      ['Demo users', `${demoFacts.users.join(', ')} (password ${demoFacts.password})`],
    )
  }
  const lines = ['', `  refdesk ${version} is ready.`, '']
  for (const [label, value] of rows) lines.push(`  ${label.padEnd(13)}${value}`)
  for (const note of notes) lines.push('', `  ${asTyped(note)}`)
  if (token) {
    lines.push('', '  Try it (this token is valid for 24 hours):', '')
    lines.push(`  curl -H "Authorization: Bearer ${token}" "${baseUrl}/ref/v1/instruments?Keywords=apple"`)
  }
  return `${lines.join('\n')}\n`
}
