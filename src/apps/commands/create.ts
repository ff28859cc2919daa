import { parseArgs } from 'node:util'
import { findClientById } from '../../access/store/identities.ts'
import { FieldErrors } from '../../http/field-errors.ts'
import type { Shape } from '../../http/input/constraints.ts'
import { readJson } from '../../http/input/read-json.ts'
import { maxRedirectUris, NewApp } from '../api/schema.ts'
import { makeNewApp } from '../new-app.ts'
import { sameRedirectUri } from '../rules/redirect-match.ts'
import { checkRedirectUri } from '../rules/redirect-uri.ts'
import { onceOnly } from '../secrets.ts'
import type { AppCommand, AppCommandDependencies } from './commands.ts'

const options = {
  client: { type: 'string' },
  name: { type: 'string' },
  description: { type: 'string', default: '' },
  flow: { type: 'string' },
  'redirect-uri': { type: 'string', multiple: true, default: [] as string[] },
  trading: { type: 'boolean' },
} as const
const example = 'refdesk apps create --client 10001 --name "Pocket Charts" --flow Code'

/** refdesk apps create: the same rules as for developers, who make apps themselves by operation 11. */
export const create: AppCommand = async (args, open, say) => {
  const { values } = parseArgs({ args, options })
  const { client: clientId, 'redirect-uri': uris } = values
  if (clientId === undefined) throw new Error(`Give a client, a name and a flow: ${example}`)
  const { asked, warnings } = readAsked(values, uris)
  return open(async (parts) => {
    const { appKey, status, secret } = await createApp(parts, clientId, asked, uris)
    say(`App ${asked.Name} was made for client ${clientId}.`)
    say(`AppKey: ${appKey}`)
    if (secret) say(`Secret, valid for a year${onceOnly(parts.mode)}: ${secret.plain}`)
    for (const warning of warnings) say(`Note: ${warning}`)
    if (uris.length === 0) say('Nobody can sign in to it yet: its owner must add a redirect URI.')
    if (status !== 'OK') say(`It may not trade yet. Approve that with: refdesk apps approve ${appKey}`)
    return 0
  })
}

type Words = Readonly<{
  name?: string | undefined
  description: string
  flow?: string | undefined
  trading?: boolean | undefined
}>

/** Everything that is wrong is told at once, by the options' names. */
function readAsked({ name, description, flow, trading }: Words, uris: readonly string[]) {
  const faults = new FieldErrors()
  const given = { Name: name, Description: description, Flow: flow, IsTradingEnabled: trading }
  const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const asked = readJson(NewApp as Shape, body, '', faults) as NewApp
  const warnings: string[] = []
  for (const [index, uri] of uris.entries()) {
    // Without a flow that is one, there is no rule to judge by.
    const judged = faults.modelState.Flow ? { warnings: [] } : checkRedirectUri(uri, asked.Flow)
    if ('refused' in judged) for (const sentence of judged.refused) faults.add(`redirect-uri ${uri}`, sentence)
    else warnings.push(...judged.warnings.map((warning) => `${uri}: ${warning}`))
    if (uris.slice(0, index).some((other) => sameRedirectUri(other, uri)))
      faults.add(`redirect-uri ${uri}`, 'Is given twice.')
  }
  if (uris.length > maxRedirectUris) faults.add('redirect-uri', `Give at most ${maxRedirectUris}.`)
  if (!faults.any) return { asked, warnings }
  const told = Object.entries(faults.modelState).map(([field, all]) => `--${optionOf(field)}: ${all.join(' ')}`)
  throw new Error([...told, `For example: ${example}`].join('\n'))
}

const optionOf = (field: string): string => (field.startsWith('redirect-uri') ? field : field.toLowerCase())

async function createApp(parts: AppCommandDependencies, clientId: string, asked: NewApp, uris: readonly string[]) {
  return parts.db.transaction().execute(async (trx) => {
    const clientKey = await findClientById(trx, clientId)
    if (clientKey === undefined) throw new Error(`There is no client with the ClientId ${clientId}.`)
    return makeNewApp(trx, parts, asked, { clientKey, createdBy: null, who: {}, uris }, parts.clock.now())
  })
}
