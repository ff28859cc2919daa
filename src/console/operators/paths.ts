export const usersPath = '/console/operators/users'
export const clientsPath = '/console/operators/clients'
