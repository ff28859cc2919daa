import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { readSpooled } from './spooled-body.ts'

const request = { headers: {}, routeOptions: { bodyLimit: 1_000_000 } } as unknown as FastifyRequest

/** Sends all parts and the end at once, as a connection does while the first part is written. */
const bodyOf = (...parts: Buffer[]) =>
  new Readable({
    read() {
      for (const part of [...parts, null]) this.push(part)
    },
  })

test('a body comes back as it was sent', async () => {
  const parts = [Buffer.alloc(300_000, 'a'), Buffer.from('b'), Buffer.alloc(300_000, 'c')]

  assert.deepEqual(await readSpooled(request, bodyOf(...parts)), Buffer.concat(parts))
  assert.deepEqual(await readSpooled(request, bodyOf()), Buffer.alloc(0))
})

test('a body over the limit is rejected, and its connection stays open for the response', async () => {
  const body = bodyOf(Buffer.alloc(600_000), Buffer.alloc(600_000), Buffer.alloc(600_000))

  await assert.rejects(readSpooled(request, body), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' })
  assert.equal(body.errored, null)
})

test('a caller who leaves ends the wait for the body', async () => {
  const body = new Readable({ read() {} })
  body.push('a part')
  const reading = readSpooled(request, body)
  body.destroy()

  await assert.rejects(reading, Problem)
})

test('a full disk fails the request', async () => {
  const script = `
    import { Readable } from 'node:stream'
    import { readSpooled } from '${new URL('./spooled-body.ts', import.meta.url)}'
    const body = new Readable({ read() { this.push(Buffer.alloc(900_000)); this.push(null) } })
    await readSpooled({ headers: {}, routeOptions: { bodyLimit: 1_000_000 } }, body).catch(({ code }) => console.log(code))`
  const limited = `trap '' XFSZ; ulimit -f 100; exec "$0" --input-type=module-typescript --eval "$1"`

  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script], { timeout: 20_000 })

  assert.equal(stdout, 'EFBIG\n')
})
