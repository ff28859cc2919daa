import { issueDemoToken } from '../../../src/auth/grants/demo-token.ts'
import { epochSeconds } from '../../../src/core/clock.ts'
import { deriveKey, seal } from '../../../src/core/crypto/keys.ts'
import { demoApp } from '../demo.ts'
import { noteSecret } from '../runner/log-check.ts'
import { masterKey, type TestService } from '../service/service.ts'

/** What a browser sends that is signed in to the console, with the token of a form, for tests that need no browser. */
export async function consoleCookie(
  service: TestService,
  user = 'ada',
  isOperator = false,
): Promise<{ cookie: string; formToken: string }> {
  const accessToken = await issueDemoToken(service.node.context, demoApp.AppKey, user)
  noteSecret('access token', accessToken)
  const expiresAt = epochSeconds(service.clock.now()) + 3_600
  const session = JSON.stringify({ accessToken, refreshToken: '', expiresAt, userName: user, isOperator })
  const sealed = seal(deriveKey(masterKey, 'console'), session, 'console session').toString('base64url')
  const formToken = '0123456789abcdef0123456789abcdef'
  return { cookie: `refdesk_console=${sealed}; refdesk_form=${formToken}`, formToken }
}
