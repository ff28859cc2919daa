import { randomGuid, sha256Latin1, sha512Latin1 } from '../core/crypto/keys.ts'
import type { Resource } from './rules/resource.ts'

const agentsPrefix = 'agents-'

/** A new code or refresh token. Its text shows whether it is for agents. */
export const newGrantText = (resource: Resource): string =>
  resource === null ? randomGuid() : `${agentsPrefix}${randomGuid()}`

/** The hash (latin1) by which a code or refresh token is found. For agents it is another function: a node of a version that
 *  ignores the resource would issue a token of the REST API, and so must find nothing. */
export const grantHash = (text: string): string =>
  text.startsWith(agentsPrefix) ? sha512Latin1(text) : sha256Latin1(text)
