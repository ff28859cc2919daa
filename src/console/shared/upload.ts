import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { readMultipartForm } from '../../http/input/multipart-form.ts'
import { ApiError } from './api.ts'

/** A form with files, as if the text of each file had been typed. */
export async function readUpload({ headers }: FastifyRequest, body: Buffer): Promise<string> {
  const form = await readMultipartForm(body, headers['content-type'] ?? '')
  if (!form) throw new ApiError(400, 'The form is malformed, or has too many fields.')
  const fields = new URLSearchParams()
  for (const [name, value] of form.entries())
    fields.append(name, typeof value === 'string' ? value : await textOf(value))
  return fields.toString()
}

async function textOf(file: File): Promise<string> {
  if (isUtf8(await file.arrayBuffer())) return file.text()
  throw new ApiError(400, 'The file must be UTF-8 text. Save it as UTF-8, then choose it again.')
}
