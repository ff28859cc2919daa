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

/** Writes each chunk before it reads the next, and returns how many bytes there were. After an error it lets the rest pass and does
 *  not destroy the payload: its connection has the response still to send. */
async function spool(payload: Readable, file: FileHandle, limit: number): Promise<number> {
  let length = 0
  try {
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
      await file.appendFile(chunk)
    }
    return length
  } catch (error) {
    if (payload.readableAborted) throw new Problem('InvalidRequest', 'The connection was closed.')
    payload.resume()
    throw error
  }
}
