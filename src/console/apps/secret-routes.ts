import type { FastifyReply } from 'fastify'
import type { AppSecret } from '../../apps/api/schema.ts'
import { html } from '../../http/html/html.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import type { Pages } from '../shared/router.ts'
import { type AppSeen, apiPath, appPath, ifMatch, orBack, readApp, saidAgainst } from './app-data.ts'
import { type Against, nothingAgainst } from './pages/form-errors.ts'
import { planRotation, type SecretUse, stateOf } from './pages/model.ts'
import {
  askedTimes,
  entryOf,
  madeSecret,
  rotationSentences,
  secretForm,
  secretPage,
  type TimesEntry,
} from './pages/secret-forms.ts'
import { stateTag } from './pages/secrets.ts'
import { noteDone, takeOnce } from './submit-once.ts'

/** Secrets: added, changed, rotated, made anew, deleted. Each carries the version of the app that the page showed. */
export function appSecretPages(pages: Pages): void {
  const at = '/console/apps/:AppKey/secrets'
  pages.get(`${at}/new`, (visit) => back(visit, () => showNew(visit)))
  pages.post(`${at}/new`, once(addSecret))
  pages.post(`${at}/rotate`, once(rotate))
  pages.get(`${at}/:SecretId`, (visit) => back(visit, () => showSecret(visit)))
  pages.post(`${at}/:SecretId`, (visit, form) => back(visit, () => changeSecret(visit, form)))
  pages.post(`${at}/:SecretId/regenerate`, once(regenerate))
  pages.post(`${at}/:SecretId/delete`, (visit, form) =>
    back(visit, async () => {
      await visit.api.send('DELETE', secretPath(visit), undefined, ifMatch(form))
      return visit.goTo(`${ownPath(visit)}?done=secretdeleted#secrets`)
    }),
  )
}

const back = (visit: Visit, work: () => Promise<FastifyReply>) => orBack(visit, visit.param('AppKey'), work)
const once = (work: (visit: Visit, form: URLSearchParams) => Promise<FastifyReply>) =>
  takeOnce(
    (visit, form) => back(visit, () => work(visit, form)),
    (visit) => ({ href: `${ownPath(visit)}#secrets`, action: 'To the app' }),
  )
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

const fields = ['ValidFrom', 'ValidUntil']

async function showNew(visit: Visit, typed?: TimesEntry, against: Against = nothingAgainst) {
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
    { status: against === nothingAgainst ? 200 : 400 },
  )
}

async function addSecret(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const typed = typedIn(visit, form)
  const asked = askedTimes(typed)
  if ('against' in asked) return showNew(visit, typed, asked.against)
  const seen = await readApp(visit, visit.param('AppKey'))
  try {
    return showMade(visit, form, seen, await visit.api.send('POST', secretsPath(visit), asked, ifMatch(form)))
  } catch (error) {
    return showNew(visit, typed, saidAgainst(error, fields))
  }
}

/** The answer to the form itself, not a page to come back to: the secret may never be told again. So nothing that could
 *  fail comes between it and the reader. */
function showMade(
  visit: Visit,
  form: URLSearchParams,
  seen: AppSeen,
  { Secret = '', ValidUntil }: AppSecret,
  sentences: readonly string[] = [],
): FastifyReply {
  noteDone(visit, form)
  const { zone, parts } = visit
  const secret = { secret: Secret, validUntil: ValidUntil, zone, mode: parts.secretsMode, sentences }
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
  const done: SecretUse[] = []
  for (const secret of plan.shortened) {
    const ends = { ValidUntil: String(plan.overlapEnd) }
    // Gone meanwhile, or the limit of calls is reached: the new secret must be shown all the same.
    const isDone = await visit.api.send('PATCH', `${secretsPath(visit)}/${secret.SecretId}`, ends).then(
      () => true,
      () => false,
    )
    if (isDone) done.push(secret)
  }
  return showMade(visit, form, seen, made, rotationSentences(plan, done, visit.zone))
}

async function showSecret(visit: Visit, typed?: TimesEntry, against: Against = nothingAgainst) {
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
      title: `Secret ${secret.nth}`,
      place: 'apps',
      crumbs: crumbsOf(seen),
      aside: html`${stateTag(secret, visit.now)}<span class="small quiet">id ${secret.SecretId}</span>`,
      body: secretPage(form),
    },
    { status: against === nothingAgainst ? 200 : 400 },
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
    return showSecret(visit, typed, saidAgainst(error, fields))
  }
  return visit.goTo(`${ownPath(visit)}?done=secretchanged#secrets`)
}

async function regenerate(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const seen = await readApp(visit, visit.param('AppKey'))
  const made = await visit.api.send<AppSecret>('PATCH', secretPath(visit), { Regenerate: true }, ifMatch(form))
  return showMade(visit, form, seen, made, ['The value before it is refused from now on.'])
}
