export const usersPath = '/console/operators/users'
export const clientsPath = '/console/operators/clients'
export const importPath = '/console/operators/import'
export const userHref = (userKey: string): string => `${usersPath}/${encodeURIComponent(userKey)}`
