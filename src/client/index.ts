/** The typed client, `import { createClient } from 'refdesk/client'`: for Node 20 and browsers, without dependencies. */
export type { Change, ChangesOptions } from './changes.ts'
export { type Answer, type Client, type ClientOptions, createClient } from './client.ts'
export { RefdeskError } from './errors.ts'
export type { components, operations, paths } from './openapi.ts'
export { beginSignIn, finishSignIn, type PendingSignIn, type SignInOptions } from './sign-in.ts'
export {
  type AppAccess,
  type RefreshingTokensOptions,
  refreshingTokens,
  type TokenSource,
  type Tokens,
} from './tokens.ts'
export type { AnswerOf, CallOptions, FeedPath, Init, Method, PathOf, RestPath, RowOf, Schemas } from './types.ts'
