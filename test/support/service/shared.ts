import { after } from 'node:test'
import { startService, type TestService } from './service.ts'

let shared: Promise<TestService> | undefined

after(async () => {
  await (await shared)?.close()
})

/** The one service with all demo data that the test files of this process share. A test that uses it must not change
 *  what others read: no import, no time travel, no change of an app or of a demo user. */
export function sharedDemoService(): Promise<TestService> {
  shared ??= startService({ reference: true })
  return shared
}
