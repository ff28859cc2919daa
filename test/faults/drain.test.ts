import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { manyReadyToSignIn, startProcess, temporaryFolder } from '../support/service/process.ts'
import { postmasterOf } from './embedded-support.ts'

const signIns = 20

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
    return false
  }
}

test('SIGTERM during sign-ins: all are answered, the exit code is 0, PostgreSQL stops', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const service = await startProcess({ DATA_DIR: dataDir })
  const postmaster = await postmasterOf(dataDir)
  const senders = await manyReadyToSignIn(service.url, signIns)
  const answers = senders.map((send) => send())
  // Passwords are checked a few at a time: when the first is answered most are under way.
  await Promise.race(answers)
  service.kill('SIGTERM')
  const locations = (await Promise.all(answers)).map((answer) => new URL(answer.headers.get('location') ?? ''))
  assert.ok(locations.every(({ searchParams }) => searchParams.has('code')))
  const { code, stdout, stderr } = await service.ended
  assert.equal(code, 0)
  assert.equal(stdout, service.message)
  assert.match(stderr, /"msg":"closing"/)
  await assert.rejects(readFile(join(dataDir, 'postgres', 'postmaster.pid')), { code: 'ENOENT' })
  // PostgreSQL removes its lock file before it exits.
  await eventually(async () => !isRunning(postmaster) || undefined, 'the end of PostgreSQL')
})
