import type { FastifyRequest } from 'fastify'
import { readMultipartForm } from '../../http/input/multipart-form.ts'
import { ApiError } from './api.ts'

/** A form with files, as if the text of each file had been typed. */
export async function readUpload({ headers }: FastifyRequest, body: Buffer): Promise<string> {
  const form = await readMultipartForm(body, headers['content-type'] ?? '')
  if (!form) throw new ApiError(400, 'The form is malformed.')
  const fields = new URLSearchParams()
  for (const [name, value] of form.entries())
    fields.append(name, typeof value === 'string' ? value : await value.text())
  return fields.toString()
}
