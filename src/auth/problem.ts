/** Every error of the authorization server, with its status at /token (RFC 6749 §5.2, RFC 8707 §2, §4.9). */
export const oauthStatuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_target: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 400,
  login_required: 400,
  consent_required: 400,
  temporarily_unavailable: 503,
  server_error: 500,
} as const

export type OAuthError = keyof typeof oauthStatuses

/** Thrown anywhere in auth; api/errors.ts turns it into a response. */
export class OAuthProblem extends Error {
  readonly error: OAuthError
  readonly status: number
  readonly headers: Record<string, string>
  readonly reason: string | undefined

  constructor(
    error: OAuthError,
    description: string,
    extra: { status?: number; headers?: Record<string, string>; reason?: string } = {},
  ) {
    super(description)
    this.name = 'OAuthProblem'
    this.error = error
    this.status = extra.status ?? oauthStatuses[error]
    this.headers = extra.headers ?? {}
    this.reason = extra.reason
  }
}
