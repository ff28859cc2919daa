import { Type } from 'typebox'
import { appInactive, invalid, Problem } from '../../core/problem.ts'
import { describe } from '../../core/schema.ts'
import { operation } from '../../http/operation.ts'
import { feed, pageOf } from '../../http/output/feed.ts'
import { type AppCall, limitReached } from '../app-service.ts'
import { checkSecretTimes, type SecretTimes } from '../rules/secret-times.ts'
import { generateSecret } from '../secrets.ts'
import type { StoredApp, StoredSecret } from '../store/apps.ts'
import { deleteSecret as removeSecret } from '../store/changes.ts'
import * as store from '../store/manage.ts'
import * as schema from './schema.ts'
import { secretView } from './view.ts'

const path = '/developer/apps/:AppKey/secrets'
const allSecrets = { path, params: schema.AppParams, documented: { ifMatch: true } } as const
const oneSecret = { ...allSecrets, path: `${path}/:SecretId`, params: schema.SecretParams } as const
const noStore = { 'cache-control': 'no-store' }

export const listSecrets = operation({
  method: 'GET',
  ...allSecrets,
  operationId: 'listSecrets',
  summary: 'List secrets',
  description:
    'Returns the secrets of an app, and logs that they were read. A read-only token gets no values; with SECRETS=once the ' +
    'values are shortened.',
  query: schema.PageQuery,
  responses: { 200: schema.SecretFeed },
  errors: ['NoResultFound', 'PreconditionFailed'],
})

export async function handleListSecrets({ service, request, reply }: AppCall<typeof listSecrets>) {
  const { AppKey } = request.params
  const app = await service.readMatching(request, AppKey)
  const page = pageOf(request, service.urlOf(path, AppKey), app.secrets)
  await service.logReveals(request, [{ ...app, secrets: page.data }])
  const options = service.viewOptions(request)
  reply.headers(noStore)
  const data = page.data.map((secret) => secretView(options, AppKey, secret))
  return feed({ ...page, data, maxRows: schema.appsPage.maxTop })
}

export const createSecret = operation({
  method: 'POST',
  ...allSecrets,
  operationId: 'createSecret',
  permission: 'manageApps',
  summary: 'Create a secret',
  description:
    'Adds a secret to an app; the others stay valid. To rotate without downtime: create a secret, deploy it, delete the old ' +
    'one. A secret is valid for at most two years and may start in the future.',
  body: schema.NewSecret,
  responses: { 201: schema.AppSecret },
  errors: ['NoResultFound', 'AppInactive', 'NoSecretsOfFlow', 'LimitReached', 'PreconditionFailed'],
  documented: { ifMatch: true, headers: ['Location'] },
})

export async function handleCreateSecret({ service, request, reply }: AppCall<typeof createSecret>) {
  const { secretKey, mode } = service.deps
  const { AppKey } = request.params
  const { ValidFrom, ValidUntil } = request.body
  const times = { validFrom: Temporal.Instant.from(ValidFrom), validUntil: Temporal.Instant.from(ValidUntil) }
  const created = await service.change(request, AppKey, async (trx, app, now) => {
    requireActive(app)
    if (app.flow !== 'Code') throw new Problem('NoSecretsOfFlow', `An app of the ${app.flow} flow has no secrets.`)
    requireTimes(times, now)
    if (app.secrets.length >= schema.maxSecrets) throw limitReached('secrets per app', schema.maxSecrets)
    const secret = generateSecret(secretKey, app.appKey, mode)
    const saved = await store.insertSecret(trx, app.appKey, secret, times)
    const view = { ...secretView(service.viewOptions(request), app.appKey, saved), Secret: secret.plain }
    return {
      result: view,
      detail: { secret: saved.id, added: true, validFrom: view.ValidFrom, validUntil: view.ValidUntil },
    }
  })
  const headers = { location: `${service.urlOf(path, AppKey)}/${created.SecretId}`, ...noStore }
  return reply.code(201).headers(headers).send(created)
}

export const getSecret = operation({
  method: 'GET',
  ...oneSecret,
  operationId: 'getSecret',
  summary: 'Get a secret',
  description: 'Returns one secret of an app, and logs that it was read.',
  responses: { 200: schema.AppSecret },
  errors: ['NoResultFound', 'UnavailableSecretId', 'PreconditionFailed'],
})

export async function handleGetSecret({ service, request, reply }: AppCall<typeof getSecret>) {
  const { AppKey, SecretId } = request.params
  const app = await service.readMatching(request, AppKey)
  const secret = requireSecret(app, SecretId)
  await service.logReveals(request, [{ ...app, secrets: [secret] }])
  reply.headers(noStore)
  return secretView(service.viewOptions(request), AppKey, secret)
}

export const updateSecret = operation({
  method: 'PATCH',
  ...oneSecret,
  operationId: 'updateSecret',
  permission: 'manageApps',
  summary: 'Update a secret',
  description:
    'Changes when a secret is valid, or replaces it. Use Regenerate if it has leaked: every node rejects the old value within ' +
    'a second.',
  body: schema.SecretPatch,
  responses: {
    200: describe(schema.AppSecret, 'With Regenerate: the new secret.'),
    204: Type.Null({ description: 'Without Regenerate: updated.' }),
  },
  errors: ['NoResultFound', 'UnavailableSecretId', 'AppInactive', 'PreconditionFailed'],
})

export async function handleUpdateSecret({ service, request, reply }: AppCall<typeof updateSecret>) {
  const { secretKey, mode } = service.deps
  const { AppKey, SecretId } = request.params
  const { ValidFrom, ValidUntil, Regenerate } = request.body
  const regenerated = await service.change(request, AppKey, async (trx, app, now) => {
    const before = requireSecret(app, SecretId)
    requireActive(app)
    const times = {
      validFrom: ValidFrom === undefined ? before.validFrom : Temporal.Instant.from(ValidFrom),
      validUntil: ValidUntil === undefined ? before.validUntil : Temporal.Instant.from(ValidUntil),
    }
    // Regenerating an expired secret is rejected too: the new value would never work.
    if (ValidFrom !== undefined || ValidUntil !== undefined || Regenerate) requireTimes(times, now)
    const secret = Regenerate ? generateSecret(secretKey, app.appKey, mode) : undefined
    await store.updateSecret(trx, app.appKey, before.id, times, secret)
    const saved = { ...before, ...times, sealed: secret?.sealed ?? before.sealed }
    const view = secretView(service.viewOptions(request), app.appKey, saved)
    const detail = { secret: before.id, validFrom: view.ValidFrom, validUntil: view.ValidUntil, regenerated: !!secret }
    const isSame = !secret && times.validFrom.equals(before.validFrom) && times.validUntil.equals(before.validUntil)
    return { result: secret && { ...view, Secret: secret.plain }, detail: isSame ? undefined : detail }
  })
  if (!regenerated) return reply.code(204).send()
  return reply.code(200).headers(noStore).send(regenerated)
}

export const deleteSecret = operation({
  method: 'DELETE',
  ...oneSecret,
  operationId: 'deleteSecret',
  permission: 'manageApps',
  summary: 'Delete a secret',
  description:
    'Every node rejects the secret within a second. Deleting the last valid secret also ends the sessions of the app.',
  errors: ['NoResultFound', 'UnavailableSecretId', 'AppInactive', 'PreconditionFailed'],
})

export async function handleDeleteSecret({ service, request, reply }: AppCall<typeof deleteSecret>) {
  const { AppKey, SecretId } = request.params
  await service.change(request, AppKey, async (trx, app, now) => {
    const { id } = requireSecret(app, SecretId)
    requireActive(app)
    await removeSecret(trx, app.appKey, id, now)
    return { result: undefined, detail: { secret: id, removed: true } }
  })
  return reply.code(204).send()
}

function requireActive({ isActive }: StoredApp): void {
  if (!isActive) throw appInactive()
}

/** A UTC offset can move an instant past the last year that RFC 3339 can write. */
const lastInstant = Temporal.Instant.from('9999-12-31T23:59:59.999999Z')

function requireTimes(times: SecretTimes, now: Temporal.Instant): void {
  if (Temporal.Instant.compare(times.validUntil, lastInstant) > 0)
    throw invalid({ ValidUntil: ['Must be before the year 10000.'] })
  const errors = checkSecretTimes(times, now)
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

function requireSecret({ secrets }: StoredApp, id: number): StoredSecret {
  const found = secrets.find((one) => one.id === id)
  if (!found) throw new Problem('UnavailableSecretId', `Secret ${id} was not found, or you may not see it.`)
  return found
}
