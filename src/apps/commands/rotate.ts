import { maxSecrets } from '../api/schema.ts'
import { yearFrom } from '../new-app.ts'
import { planRotation, type Rotation, readDuration } from '../rules/rotation.ts'
import { makeSecret, onceOnly } from '../secrets.ts'
import { deleteSecrets, endSecrets } from '../store/commands.ts'
import { insertSecret, type OwnApp } from '../store/manage.ts'
import { type AppCommand, type AppCommandDependencies, changeApp } from './commands.ts'
import { minute } from './list.ts'

/** refdesk apps secret rotate: a new secret beside the others, which end when the overlap is over. */
export const rotate: AppCommand = async ({ words: [appKey = ''], options }, open, say) => {
  const text = String(options.overlap)
  const overlap = readDuration(text)
  if (overlap === undefined)
    throw new Error(`"${text}" is not a duration. Send days, hours or minutes, such as 7d, 12h or 90m.`)
  return open(async (parts) => {
    const { id, secret, validUntil, plan } = await rotateSecrets(parts, appKey, overlap)
    say(`Secret ${id} of app ${appKey}, valid until ${minute(validUntil)}${onceOnly(parts.mode)}: ${secret}`)
    for (const line of doneTo(plan)) say(line)
    return 0
  })
}

function rotateSecrets(parts: AppCommandDependencies, appKey: string, overlapMinutes: number) {
  return changeApp(parts, appKey, async (trx, app, now) => {
    const plan = planRotation(rotatable(app).secrets, now, overlapMinutes, maxSecrets)
    if (!plan)
      throw new Error(
        `App ${appKey} has ${app.secrets.length} secrets that have not ended, and ${maxSecrets} is the most. Its owner must delete one first, or end them all with --overlap 0h.`,
      )
    await deleteSecrets(trx, appKey, [...plan.withdrawn, ...plan.cleared])
    await endSecrets(trx, appKey, plan.shortened, plan.end)
    const made = makeSecret(parts.secretKey, appKey, parts.mode)
    const { id, validUntil } = await insertSecret(trx, appKey, made, yearFrom(now))
    const removed = [...plan.withdrawn, ...plan.cleared].join(', ')
    const othersEnd = plan.end.toString({ smallestUnit: 'microsecond' })
    const done = { secret: id, added: true, othersEnd, ...(removed !== '' && { removed }) }
    return { result: { id, secret: made.plain, validUntil, plan }, done }
  })
}

/** The same conditions as for developers (contract §8). */
function rotatable(app: OwnApp): OwnApp {
  if (app.flow !== 'Code') throw new Error(`App ${app.appKey} is of the ${app.flow} flow and has no secrets.`)
  if (!app.isActive) throw new Error(`App ${app.appKey} is inactive. Its owner must make it active first.`)
  return app
}

function doneTo({ end, shortened, withdrawn, cleared }: Rotation): string[] {
  return [
    ...(shortened.length > 0 ? [`Ending at ${minute(end)}: ${named(shortened)}.`] : []),
    ...(withdrawn.length > 0 ? [`Removed, since it would have begun only after that: ${named(withdrawn)}.`] : []),
    ...(cleared.length > 0 ? [`Removed to make room, as it had ended: ${named(cleared)}.`] : []),
  ]
}

const named = (ids: readonly number[]): string => `${ids.length === 1 ? 'secret' : 'secrets'} ${ids.join(', ')}`
