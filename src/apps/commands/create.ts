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

type Options = Readonly<{
  client: string
  name: string
  flow: string
  description?: string
  redirectUri?: readonly string[]
  trading?: boolean
}>

/** refdesk apps create: the same rules as for developers (operation 11). */
export const create: AppCommand = async (call, open, say) => {
  const options = call.options as Options
  const uris = options.redirectUri ?? []
  const { asked, warnings } = readAsked(options, uris)
  return open(async (deps) => {
    const { appKey, status, secret } = await createApp(deps, options.client, asked, uris)
    say(`App ${asked.Name} was created for client ${options.client}.`)
    say(`AppKey: ${appKey}`)
    if (secret) say(`Secret, valid for a year${onceOnly(deps.mode)}: ${secret.plain}`)
    for (const warning of warnings) say(`Note: ${warning}`)
    if (uris.length === 0) say('No one can sign in to it yet: its owner must add a redirect URI.')
    if (status !== 'OK') say(`It may not trade yet. Approve it with: refdesk apps approve ${appKey}`)
    return 0
  })
}

/** Reports all errors at once, by option name. */
function readAsked({ name, description = '', flow, trading }: Options, uris: readonly string[]) {
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
  throw new Error(told.join('\n'))
}

const optionOf = (field: string): string => (field.startsWith('redirect-uri') ? field : field.toLowerCase())

async function createApp(parts: AppCommandDependencies, clientId: string, asked: NewApp, uris: readonly string[]) {
  return parts.db.transaction().execute(async (trx) => {
    const clientKey = await findClientById(trx, clientId)
    if (clientKey === undefined) throw new Error(`There is no client with the ClientId ${clientId}.`)
    return makeNewApp(trx, parts, asked, { clientKey, createdBy: null, who: {}, uris }, parts.clock.now())
  })
}
