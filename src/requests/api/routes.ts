import { addOperation } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import {
  getRequest,
  handleGetRequest,
  handleListRequests,
  listRequests,
  type RequestsDependencies,
} from './requests.ts'

/** The operations of the request log; they exist while it is on (§11.6). */
export function requestLogRoutes(api: Server, deps: RequestsDependencies): void {
  addOperation(api, listRequests, (request, reply) => handleListRequests(deps, request, reply))
  addOperation(api, getRequest, (request, reply) => handleGetRequest(deps, request, reply))
}
