import { Type } from 'typebox'
import { oneOf } from '../core/schema.ts'

/** GET /authorize (§5.2 step 1, §5.3 step 1); read by rules/authorization-request, so here for the API document only. */
export const AuthorizeQuery = Type.Object({
  response_type: oneOf('code', 'token'),
  client_id: Type.String({ description: 'The AppKey.' }),
  redirect_uri: Type.String({ description: 'One of the redirect URIs of the app, exactly as registered.' }),
  state: Type.Optional(Type.String({ maxLength: 2048, description: 'Comes back unchanged.' })),
  code_challenge: Type.Optional(Type.String({ description: 'PKCE (RFC 7636); needed by PKCE apps.' })),
  code_challenge_method: Type.Optional(oneOf('S256')),
  prompt: Type.Optional(oneOf('none', 'login', 'consent')),
  lang: Type.Optional(Type.String({ description: 'Language of the pages: en, de or da.' })),
})

/** POST /token (§5.2 steps 3 to 6). */
export const TokenForm = Type.Object({
  grant_type: oneOf('authorization_code', 'refresh_token'),
  code: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String({ description: 'The one of the sign-in; needed with a code.' })),
  code_verifier: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String({ description: 'Instead of HTTP Basic, or for apps without a secret.' })),
  client_secret: Type.Optional(Type.String({ description: 'Instead of HTTP Basic.' })),
})

/** The token response (§2.2); `base_uri` belongs to the vendor profile. */
export const TokenResponse = Type.Object({
  access_token: Type.String(),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  token_type: Type.String(),
  refresh_token: Type.String(),
  refresh_token_expires_in: Type.Integer({ description: 'Seconds.' }),
  base_uri: Type.Optional(Type.Null()),
})
