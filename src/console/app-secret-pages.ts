import type { FastifyReply } from 'fastify'
import type { AppSecret } from '../apps/schema.ts'
import { html } from '../http/html.ts'
import { ApiRefusal } from './api.ts'
import { type AppSeen, apiPath, appPath, ifMatch, orBack, readApp, saidAgainst } from './app-visit.ts'
import { planRotation, stateOf } from './pages/app-model.ts'
import {
  askedTimes,
  entryOf,
  madeSecret,
  rotationSentences,
  secretForm,
  secretPage,
  type TimesEntry,
} from './pages/app-secret-forms.ts'
import { stateTag } from './pages/app-secrets.ts'
import type { Pages } from './pages.ts'
import type { Visit } from './visit.ts'

/** Secrets: added, changed, rotated, made anew, deleted. Each carries the version of the app that the page showed. */
export function appSecretPages(pages: Pages): void {
  const at = '/console/apps/:AppKey/secrets'
  pages.get(`${at}/new`, (visit) => back(visit, () => showNew(visit)))
  pages.post(`${at}/new`, (visit, form) => back(visit, () => addSecret(visit, form)))
  pages.post(`${at}/rotate`, (visit, form) => back(visit, () => rotate(visit, form)))
  pages.get(`${at}/:SecretId`, (visit) => back(visit, () => showSecret(visit)))
  pages.post(`${at}/:SecretId`, (visit, form) => back(visit, () => changeSecret(visit, form)))
  pages.post(`${at}/:SecretId/regenerate`, (visit, form) => back(visit, () => regenerate(visit, form)))
  pages.post(`${at}/:SecretId/delete`, (visit, form) =>
    back(visit, async () => {
      await visit.api.send('DELETE', secretPath(visit), undefined, ifMatch(form))
      return visit.goTo(`${ownPath(visit)}?done=secretdeleted#secrets`)
    }),
  )
}

const back = (visit: Visit, work: () => Promise<FastifyReply>) => orBack(visit, visit.param('AppKey'), work)
const ownPath = (visit: Visit): string => appPath(visit.param('AppKey'))
const secretsPath = (visit: Visit): string => `${apiPath(visit.param('AppKey'))}/secrets`
const secretPath = (visit: Visit): string => `${secretsPath(visit)}/${encodeURIComponent(visit.param('SecretId'))}`

function crumbsOf({ app }: AppSeen) {
  return [
    ['Apps', '/console/apps'],
    [app.Name, appPath(app.AppKey)],
  ] as const
}

function typedIn(visit: Visit, form: URLSearchParams): TimesEntry {
  const { from = '', until = '', zone = visit.zone } = Object.fromEntries(form)
  return { from, until, zone }
}

async function showNew(visit: Visit, typed?: TimesEntry, against: readonly string[] = []) {
  const seen = await readApp(visit, visit.param('AppKey'))
  const { validFrom, validUntil } = planRotation([], visit.now)
  const year = { ValidFrom: String(validFrom), ValidUntil: String(validUntil) }
  const form = {
    formToken: visit.formToken,
    tag: seen.tag,
    action: `${ownPath(visit)}/secrets/new`,
    entry: typed ?? entryOf(year, visit.zone),
    against,
    button: 'Add the secret',
    back: `${ownPath(visit)}#secrets`,
  }
  return visit.show(
    { title: 'Add a secret', place: 'apps', crumbs: crumbsOf(seen), body: secretForm(form) },
    { status: against.length > 0 ? 400 : 200 },
  )
}

async function addSecret(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const typed = typedIn(visit, form)
  const asked = askedTimes(typed)
  if ('against' in asked) return showNew(visit, typed, asked.against)
  const seen = await readApp(visit, visit.param('AppKey'))
  try {
    return showMade(visit, seen, await visit.api.send('POST', secretsPath(visit), asked, ifMatch(form)))
  } catch (error) {
    return showNew(visit, typed, saidAgainst(error))
  }
}

/** The answer to the form itself, not a page to come back to: the secret may never be told again. So nothing that could
 *  fail comes between it and the reader. */
function showMade(visit: Visit, seen: AppSeen, made: AppSecret, sentences: readonly string[] = []): FastifyReply {
  const secret = { secret: made.Secret ?? '', validUntil: made.ValidUntil, zone: visit.zone, sentences }
  return visit.show({
    title: `New secret of ${seen.app.Name}`,
    place: 'apps',
    crumbs: crumbsOf(seen),
    body: html`${madeSecret(secret)}<p><a class="button" href="${ownPath(visit)}#secrets">Go to the app</a></p>`,
  })
}

/** The new secret is made on the version that was shown; the others then end one by one. What cannot be done is told. */
async function rotate(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const seen = await readApp(visit, visit.param('AppKey'))
  const plan = planRotation(seen.secrets, visit.now)
  const times = { ValidFrom: String(plan.validFrom), ValidUntil: String(plan.validUntil) }
  const made = await visit.api.send<AppSecret>('POST', secretsPath(visit), times, ifMatch(form))
  const done: number[] = []
  for (const id of plan.shortened) {
    const ends = { ValidUntil: String(plan.overlapEnd) }
    // Gone meanwhile, or the limit of calls is reached: the new secret must be shown all the same.
    const isDone = await visit.api.send('PATCH', `${secretsPath(visit)}/${id}`, ends).then(
      () => true,
      () => false,
    )
    if (isDone) done.push(id)
  }
  return showMade(visit, seen, made, rotationSentences(plan, done, visit.zone))
}

async function showSecret(visit: Visit, typed?: TimesEntry, against: readonly string[] = []) {
  const seen = await readApp(visit, visit.param('AppKey'))
  const secret = ownSecret(visit, seen)
  const valid = seen.secrets.filter((one) => stateOf(one, visit.now) === 'valid')
  const form = {
    formToken: visit.formToken,
    tag: seen.tag,
    action: `${ownPath(visit)}/secrets/${secret.SecretId}`,
    entry: typed ?? entryOf(secret, visit.zone),
    against,
    button: 'Save',
    back: `${ownPath(visit)}#secrets`,
    isLastValid: valid.length === 1 && valid[0] === secret,
  }
  return visit.show(
    {
      title: `Secret ${secret.SecretId}`,
      place: 'apps',
      crumbs: crumbsOf(seen),
      aside: stateTag(secret, visit.now),
      body: secretPage(form),
    },
    { status: against.length > 0 ? 400 : 200 },
  )
}

function ownSecret(visit: Visit, { secrets }: AppSeen) {
  const found = secrets.find(({ SecretId }) => String(SecretId) === visit.param('SecretId'))
  if (!found) throw new ApiRefusal(404, JSON.stringify({ Message: 'The app has no such secret any more.' }))
  return found
}

async function changeSecret(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const typed = typedIn(visit, form)
  const asked = askedTimes(typed, ownSecret(visit, await readApp(visit, visit.param('AppKey'))))
  if ('against' in asked) return showSecret(visit, typed, asked.against)
  try {
    await visit.api.send('PATCH', secretPath(visit), asked, ifMatch(form))
  } catch (error) {
    return showSecret(visit, typed, saidAgainst(error))
  }
  return visit.goTo(`${ownPath(visit)}?done=secretchanged#secrets`)
}

async function regenerate(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const seen = await readApp(visit, visit.param('AppKey'))
  const made = await visit.api.send<AppSecret>('PATCH', secretPath(visit), { Regenerate: true }, ifMatch(form))
  return showMade(visit, seen, made, ['The value before it is refused from now on.'])
}
