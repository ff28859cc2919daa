import { addOperation } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import * as requests from './requests.ts'

/** The operations of the request log; they exist while it is on (§11.6). */
export function requestLogRoutes(api: Server, deps: requests.RequestsDependencies): void {
  addOperation(api, requests.listRequests, (request, reply) => requests.handleListRequests(deps, request, reply))
  addOperation(api, requests.followRequests, (request, reply) => requests.handleFollowRequests(deps, request, reply))
  addOperation(api, requests.getRequest, (request, reply) => requests.handleGetRequest(deps, request, reply))
}
