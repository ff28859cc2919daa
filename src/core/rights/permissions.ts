import type { Environment } from '../environment.ts'

export type PermissionRow = Readonly<{
  /** `Trade`: only tokens of apps that are enabled for trading have it. */
  level: 'Read' | 'Trade'
  environment?: 'sim'
  /** The users that have it, if not all: operators, or the users that SIM_CONTROLS admits. */
  users?: 'operators' | 'controllers'
}>

/** Everything that a token may allow (§5.4). The checks of operations and the consent page both read this table. */
const table = {
  readReferenceData: { level: 'Read' },
  readAccounts: { level: 'Read' },
  readEvents: { level: 'Read' },
  readSessions: { level: 'Read' },
  readApps: { level: 'Read' },
  readRequests: { level: 'Read' },
  elect: { level: 'Trade' },
  manageApps: { level: 'Trade' },
  manageSessions: { level: 'Trade' },
  manageCalendars: { level: 'Trade' },
  makeDayTokens: { level: 'Trade', environment: 'sim' },
  changeClock: { level: 'Trade', environment: 'sim', users: 'controllers' },
  loadScenarios: { level: 'Trade', environment: 'sim', users: 'controllers' },
  changeSim: { level: 'Trade', environment: 'sim', users: 'controllers' },
  readAllClients: { level: 'Read', users: 'operators' },
  importData: { level: 'Trade', users: 'operators' },
} as const satisfies Readonly<Record<string, PermissionRow>>

export type Permission = keyof typeof table
export const permissions: Readonly<Record<Permission, PermissionRow>> = table

/** Whether a token may use a permission, if its user may. */
export const allows = ({ mayWrite }: Readonly<{ mayWrite: boolean }>, permission: Permission): boolean =>
  mayWrite || permissions[permission].level === 'Read'

/** Whether tokens of an app have the rights of operators: in live only tokens of the console. */
export const mayOperate = (environment: Environment, isConsole: boolean): boolean => environment === 'sim' || isConsole

type AppFacts = Readonly<{ mayWrite: boolean; environment: Environment; isConsole: boolean }>

/** All permissions of an app's tokens, for any user. */
export function permissionsOf({ mayWrite, environment, isConsole }: AppFacts): Permission[] {
  return (Object.keys(table) as Permission[]).filter((name) => {
    const { users, environment: only = environment } = permissions[name]
    const isOffered = only === environment && (users !== 'operators' || mayOperate(environment, isConsole))
    return isOffered && allows({ mayWrite }, name)
  })
}

/** The reading permission of an operation without a permission of its own, by service group: the first segment of its path. */
const reads: Readonly<Record<string, Permission>> = {
  ref: 'readReferenceData',
  ca: 'readEvents',
  port: 'readAccounts',
  root: 'readAccounts',
  developer: 'readApps',
  x: 'readSessions',
}

/** The permission that an operation needs. */
export const permissionOf = ({ path, permission }: { path: string; permission?: Permission }): Permission =>
  permission ?? reads[path.split('/')[1] ?? ''] ?? 'readReferenceData'
