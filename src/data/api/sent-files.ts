import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ownTurn } from '../../core/async/own-turn.ts'
import { invalid, Problem } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import { readMultipartForm } from '../../http/input/multipart-form.ts'
import { readSpooled } from '../../http/input/spooled-body.ts'
import { formatOf, knownEndings } from '../sources/sources.ts'
import { addPart, addUpload } from '../store/uploads.ts'

export const maxFiles = 20
const maxNameLength = 200
const partBytes = 1024 * 1024

export type SentFile = Readonly<{ name: string; bytes: Buffer }>

/** The files of a form. Each is a part `File`; a browser sends one without a name if none was chosen. */
export async function readSentFiles(request: FastifyRequest, payload: Readable): Promise<SentFile[]> {
  const form = await readMultipartForm(await readSpooled(request, payload), request.headers['content-type'] ?? '')
  if (!form)
    throw new Problem(
      'InvalidRequest',
      `The form is malformed, or has too many parts. Send at most ${maxFiles} files, as multipart/form-data.`,
    )
  const files: SentFile[] = []
  for (const [field, value] of form.entries()) {
    if (field !== 'File' || typeof value === 'string')
      throw invalid({ [field]: ['Is unknown. Send each file in a part File with its name.'] })
    if (value.name !== '') files.push({ name: basename(value.name), bytes: Buffer.from(await value.arrayBuffer()) })
  }
  const error = errorOf(files.map(({ name }) => name))
  if (error !== undefined) throw invalid({ File: [error] })
  return files
}

function errorOf(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'Send at least one file.'
  if (names.length > maxFiles) return `Send at most ${maxFiles} files.`
  const long = names.find((name) => name.length > maxNameLength || /\p{Cc}/u.test(name))
  if (long !== undefined) return `A name has at most ${maxNameLength} characters, and no control characters.`
  const unknown = names.find((name) => formatOf(name) === undefined)
  if (unknown !== undefined)
    return `${unknown} has an unknown format. The name must end in one of ${knownEndings.join(', ')}, each also with .gz.`
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  return repeated === undefined ? undefined : `Two files are called ${repeated}. Rename one.`
}

/** Keeps the files in one transaction, sealed, a megabyte at a time: other requests are served in between. */
export async function keepFiles(
  { db, key }: Readonly<{ db: Db; key: Buffer }>,
  userKey: string,
  files: readonly SentFile[],
): Promise<string> {
  const sizes = files.map(({ name, bytes }) => ({ name, bytes: bytes.length }))
  return db.transaction().execute(async (trx) => {
    const importId = await addUpload(trx, userKey, sizes)
    for (const [file, { bytes }] of files.entries())
      for (let part = 0; part * partBytes < bytes.length; part++) {
        const from = part * partBytes
        await addPart(trx, key, { importId, file, part, bytes: bytes.subarray(from, from + partBytes) })
        await ownTurn()
      }
    return importId
  })
}
