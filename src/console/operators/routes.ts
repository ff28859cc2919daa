import type { PageRouter } from '../shared/router.ts'
import { clientsPath, usersPath } from './paths.ts'
import { showUser } from './user.ts'
import { showClients, showUsers } from './users.ts'

/** Pages for operators. The operations behind them reject everyone else. */
export function operatorRoutes(router: PageRouter): void {
  router.get(usersPath, showUsers)
  router.get(`${usersPath}/:UserKey`, showUser)
  router.get(clientsPath, showClients)
}
