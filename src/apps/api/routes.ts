import { addOperation, type Handler, type Operation } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { type AppCall, type AppDependencies, AppService } from '../app-service.ts'
import * as apps from './apps.ts'
import * as audit from './audit.ts'
import * as uriCheck from './redirect-uri-check.ts'
import * as uris from './redirect-uris.ts'
import * as secrets from './secrets.ts'

type Add = <O extends Operation>(operation: O, handle: (call: AppCall<O>) => ReturnType<Handler<O>>) => void

/** Operations 10 to 25: the apps of the caller's client. */
export function appRoutes(api: Server, deps: AppDependencies): void {
  const add = adder(api, deps)
  add(apps.listApps, apps.handleListApps)
  add(apps.createApp, apps.handleCreateApp)
  add(apps.getApp, apps.handleGetApp)
  add(apps.getAppResource, apps.handleGetApp)
  add(apps.updateApp, apps.handleUpdateApp)
  add(apps.deactivateApp, apps.handleDeactivateApp)

  add(uris.listRedirectUris, uris.handleListRedirectUris)
  add(uris.createRedirectUri, uris.handleCreateRedirectUri)
  add(uris.getRedirectUri, uris.handleGetRedirectUri)
  add(uris.updateRedirectUri, uris.handleUpdateRedirectUri)
  add(uris.deleteRedirectUri, uris.handleDeleteRedirectUri)

  add(secrets.listSecrets, secrets.handleListSecrets)
  add(secrets.createSecret, secrets.handleCreateSecret)
  add(secrets.getSecret, secrets.handleGetSecret)
  add(secrets.updateSecret, secrets.handleUpdateSecret)
  add(secrets.deleteSecret, secrets.handleDeleteSecret)
}

/** Extensions for the owner of an app (§11.5). */
export function appExtensionRoutes(api: Server, deps: AppDependencies): void {
  const add = adder(api, deps)
  add(audit.listAppAudit, audit.handleListAppAudit)
  add(audit.getAppUsage, audit.handleGetAppUsage)
  add(uriCheck.checkRedirectUri, uriCheck.handleCheckRedirectUri)
}

function adder(api: Server, deps: AppDependencies): Add {
  const service = new AppService(deps)
  return (operation, handle) => addOperation(api, operation, (request, reply) => handle({ service, request, reply }))
}
