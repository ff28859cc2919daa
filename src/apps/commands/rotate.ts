import { secretName } from '../../core/app.ts'
import { minute } from '../../core/text.ts'
import { maxSecrets } from '../api/schema.ts'
import { yearFrom } from '../new-app.ts'
import { parseDuration, planRotation, type Rotation } from '../rules/rotation.ts'
import { generateSecret, lastFourOf, shownOnceNote } from '../secrets.ts'
import type { StoredApp } from '../store/apps.ts'
import { deleteSecrets, endSecrets } from '../store/commands.ts'
import { insertSecret } from '../store/manage.ts'
import { type AppCommand, type AppCommandDependencies, changeApp } from './commands.ts'

/** refdesk apps secret rotate: adds a secret; the others expire when the overlap ends. */
export const rotate: AppCommand = async ({ words: [appKey = ''], options }, open, say) => {
  const text = String(options.overlap)
  const overlap = parseDuration(text)
  if (overlap === undefined)
    throw new Error(`"${text}" is not a duration. Send days, hours or minutes, such as 7d, 12h or 90m.`)
  return open(async (deps) => {
    const { id, secret, validUntil, plan, secrets } = await rotateSecrets(deps, appKey, overlap)
    say(`Secret ${id} of app ${appKey}, valid until ${minute(validUntil)}${shownOnceNote(deps.mode)}: ${secret}`)
    const nameOf = (id: number): string => {
      const known = secrets.find((one) => one.id === id)
      return secretName(id, known && lastFourOf(deps.secretKey, appKey, known))
    }
    for (const line of describe(plan, nameOf)) say(line)
    return 0
  })
}

function rotateSecrets(deps: AppCommandDependencies, appKey: string, overlapMinutes: number) {
  return changeApp(deps, appKey, async (trx, app, now) => {
    const plan = planRotation(requireRotatable(app).secrets, now, overlapMinutes, maxSecrets)
    if (!plan)
      throw new Error(
        `App ${appKey} has ${app.secrets.length} unexpired secrets, and the limit is ${maxSecrets}. Its owner must delete one first, or you end them all with --overlap 0h.`,
      )
    await deleteSecrets(trx, appKey, [...plan.withdrawn, ...plan.cleared])
    await endSecrets(trx, appKey, plan.shortened, plan.end)
    const generated = generateSecret(deps.secretKey, appKey, deps.mode)
    const { id, validUntil } = await insertSecret(trx, appKey, generated, yearFrom(now))
    const removed = [...plan.withdrawn, ...plan.cleared].join(', ')
    const othersEnd = plan.end.toString({ smallestUnit: 'microsecond' })
    const detail = { secret: id, added: true, othersEnd, ...(removed !== '' && { removed }) }
    return { result: { id, secret: generated.plain, validUntil, plan, secrets: app.secrets }, detail }
  })
}

/** The same conditions as operation 21 (§8.4). */
function requireRotatable(app: StoredApp): StoredApp {
  if (app.flow !== 'Code') throw new Error(`App ${app.appKey} uses the ${app.flow} flow and has no secrets.`)
  if (!app.isActive) throw new Error(`App ${app.appKey} is inactive. Its owner must reactivate it first.`)
  return app
}

function describe({ end, shortened, withdrawn, cleared }: Rotation, nameOf: (id: number) => string): string[] {
  const named = (ids: readonly number[]) => `${ids.length === 1 ? 'secret' : 'secrets'} ${ids.map(nameOf).join(', ')}`
  return [
    ...(shortened.length > 0 ? [`Expires at ${minute(end)}: ${named(shortened)}.`] : []),
    ...(withdrawn.length > 0 ? [`Deleted, because it would have started only after that: ${named(withdrawn)}.`] : []),
    ...(cleared.length > 0 ? [`Deleted to make room, because it had expired: ${named(cleared)}.`] : []),
  ]
}
