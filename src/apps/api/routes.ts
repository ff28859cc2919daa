import { addOperation } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { type AppDependencies, AppService } from '../app-service.ts'
import * as apps from './apps.ts'
import * as audit from './audit.ts'
import * as uris from './redirect-uris.ts'
import * as secrets from './secrets.ts'

/** Operations 10 to 25: the apps of the caller's client. */
export function appRoutes(api: Server, deps: AppDependencies): void {
  const service = new AppService(deps)
  addOperation(api, apps.listApps, (request, reply) => apps.handleListApps(service, request, reply))
  addOperation(api, apps.createApp, (request, reply) => apps.handleCreateApp(service, request, reply))
  addOperation(api, apps.getApp, (request, reply) => apps.handleGetApp(service, request, reply))
  addOperation(api, apps.getAppResource, (request, reply) => apps.handleGetApp(service, request, reply))
  addOperation(api, apps.updateApp, (request, reply) => apps.handleUpdateApp(service, request, reply))
  addOperation(api, apps.deactivateApp, (request, reply) => apps.handleDeactivateApp(service, request, reply))

  addOperation(api, uris.listRedirectUris, (request) => uris.handleListRedirectUris(service, request))
  addOperation(api, uris.createRedirectUri, (request, reply) => uris.handleCreateRedirectUri(service, request, reply))
  addOperation(api, uris.getRedirectUri, (request) => uris.handleGetRedirectUri(service, request))
  addOperation(api, uris.updateRedirectUri, (request, reply) => uris.handleUpdateRedirectUri(service, request, reply))
  addOperation(api, uris.deleteRedirectUri, (request, reply) => uris.handleDeleteRedirectUri(service, request, reply))

  addOperation(api, secrets.listSecrets, (request, reply) => secrets.handleListSecrets(service, request, reply))
  addOperation(api, secrets.createSecret, (request, reply) => secrets.handleCreateSecret(service, request, reply))
  addOperation(api, secrets.getSecret, (request, reply) => secrets.handleGetSecret(service, request, reply))
  addOperation(api, secrets.updateSecret, (request, reply) => secrets.handleUpdateSecret(service, request, reply))
  addOperation(api, secrets.deleteSecret, (request, reply) => secrets.handleDeleteSecret(service, request, reply))
}

/** Extensions for the owner of an app (§11.5). */
export function appAuditRoutes(api: Server, deps: AppDependencies): void {
  const service = new AppService(deps)
  addOperation(api, audit.listAppAudit, (request) => audit.handleListAppAudit(service, request))
  addOperation(api, audit.getAppUsage, (request) => audit.handleGetAppUsage(service, request))
}
