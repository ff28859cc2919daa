import { requireClientKey } from '../../access/store/identities.ts'
import { convertJson } from '../../core/validation/convert.ts'
import { FieldErrors } from '../../core/validation/field-errors.ts'
import type { Shape } from '../../core/validation/shape.ts'
import { makeValidator } from '../../core/validation/validator.ts'
import { maxRedirectUris, NewApp } from '../api/schema.ts'
import { addApp } from '../new-app.ts'
import { sameRedirectUri } from '../rules/redirect-match.ts'
import { checkRedirectUri } from '../rules/redirect-uri.ts'
import { shownOnceNote } from '../secrets.ts'
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
  const { app, warnings } = parseApp(options, uris)
  return open(async (deps) => {
    const { appKey, status, secret } = await createApp(deps, options.client, app, uris)
    say(`Created app ${app.Name} for client ${options.client}.`)
    say(`AppKey: ${appKey}`)
    if (secret) say(`Secret, valid for a year${shownOnceNote(deps.mode)}: ${secret.plain}`)
    for (const warning of warnings) say(`Warning: ${warning}`)
    if (uris.length === 0) say('No one can sign in to it yet: its owner must add a redirect URI.')
    if (status !== 'OK') say(`It may not trade yet. Approve it with: refdesk apps approve ${appKey}`)
    return 0
  })
}

/** Reports all errors at once, by option name. */
function parseApp({ name, description = '', flow, trading }: Options, uris: readonly string[]) {
  const errors = new FieldErrors()
  const given = { Name: name, Description: description, Flow: flow, IsTradingEnabled: trading }
  const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const app = convertJson(NewApp as Shape, body) as NewApp
  makeValidator(NewApp).check(app, errors)
  const warnings: string[] = []
  for (const [index, uri] of uris.entries()) {
    // The rule depends on the flow, which must be valid.
    const checked = errors.modelState.Flow ? { warnings: [] } : checkRedirectUri(uri, app.Flow)
    if ('errors' in checked) for (const sentence of checked.errors) errors.add(`redirect-uri ${uri}`, sentence)
    else warnings.push(...checked.warnings.map((warning) => `${uri}: ${warning}`))
    if (uris.slice(0, index).some((other) => sameRedirectUri(other, uri)))
      errors.add(`redirect-uri ${uri}`, 'Is given twice.')
  }
  if (uris.length > maxRedirectUris) errors.add('redirect-uri', `Give at most ${maxRedirectUris}.`)
  if (!errors.any) return { app, warnings }
  const lines = Object.entries(errors.modelState).map(([field, all]) => `--${optionOf(field)}: ${all.join(' ')}`)
  throw new Error(lines.join('\n'))
}

const optionOf = (field: string): string => (field.startsWith('redirect-uri') ? field : field.toLowerCase())

async function createApp(deps: AppCommandDependencies, clientId: string, app: NewApp, uris: readonly string[]) {
  return deps.db.transaction().execute(async (trx) => {
    const clientKey = await requireClientKey(trx, clientId)
    return addApp(trx, deps, app, { clientKey, createdBy: null, actor: {} }, uris, deps.clock.now())
  })
}
