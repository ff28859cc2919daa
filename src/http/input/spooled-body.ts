import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { errorCodes, type FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'

/** Writes a body to disk as it arrives, so that a slow sender takes no memory, and returns it when it is complete. */
export async function readSpooled({ headers, routeOptions }: FastifyRequest, payload: Readable): Promise<Buffer> {
  const limit = routeOptions.bodyLimit ?? 0
  if (Number(headers['content-length']) > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  await using file = await openUnlinked()
  const length = await spool(payload, file, limit)
  const body = Buffer.allocUnsafe(length)
  for (let at = 0; at < length; ) at += (await file.read(body, at, length - at, at)).bytesRead
  return body
}

/** A file without a name: it may hold passwords, and a crash must not leave it. */
async function openUnlinked(): Promise<FileHandle> {
  const path = join(tmpdir(), `refdesk-upload-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/** Does not destroy the payload on an error: its connection has the response still to send. */
function spool(payload: Readable, file: FileHandle, limit: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let length = 0
    const fail = (error: unknown) => {
      payload.removeListener('data', write)
      reject(error)
    }
    const write = (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) return fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      payload.pause()
      file.appendFile(chunk).then(() => payload.resume(), fail)
    }
    const left = () => fail(new Problem('InvalidRequest', 'The caller has left.'))
    payload
      .on('data', write)
      .once('end', () => resolve(length))
      .once('error', left)
      .once('close', left)
  })
}
