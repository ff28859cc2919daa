import { atProcessEnd } from '../runner/process-end.ts'
import { startService, type TestService } from './service.ts'

let shared: Promise<TestService> | undefined

/** The one service with all demo data that the test files of this process share. A test that uses it must not change
 *  what others read: no import, no time travel, no change of an app or of a demo user. Async on purpose, see connectBrowser. */
export async function sharedDemoService(): Promise<TestService> {
  if (!shared) {
    const started = startService({ reference: true })
    atProcessEnd(async () => (await started).close())
    shared = started
  }
  return shared
}
