import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** Given to the test runner by a test that kills it. Its service writes to standard output, which is read by no one. */
test('a service that is never stopped', async () => {
  const script = fileURLToPath(new URL('embedded-service.ts', import.meta.url))
  const service = spawn(process.execPath, [script, join(tmpdir(), 'endless')], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(service.stdout, 'data')
  console.log('the service is running')
  await new Promise((resolve) => setTimeout(resolve, 2 ** 30))
})
