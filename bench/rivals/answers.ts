import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Answer } from '../support/wire.ts'

/** A response of refdesk, which a bare server sends for the same address. */
export type Replay = Readonly<{ headers: Record<string, string>; body: Buffer }>

/** The rivals' framework writes these itself. */
const ownHeaders = /^(connection|content-length|date|keep-alive|transfer-encoding)$/i

function headersOf({ head }: Answer): Record<string, string> {
  const lines = head.split('\r\n').slice(1)
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return Object.fromEntries(fields.filter(([name]) => !ownHeaders.test(name)))
}

/** Writes one line of JSON for each response, followed by the body. */
export async function writeAnswers(file: string, paths: readonly string[], answers: readonly Answer[]): Promise<void> {
  const parts = answers.map((answer, at) => {
    const line = JSON.stringify([paths[at], headersOf(answer), answer.body.length])
    return Buffer.from(`${line}\n${answer.body}`, 'latin1')
  })
  await writeFile(file, parts)
}

export function readAnswers(file: string): Map<string, Replay> {
  const bytes = readFileSync(file)
  const answers = new Map<string, Replay>()
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at)
    const [path, headers, length] = JSON.parse(bytes.toString('latin1', at, end)) as [string, Replay['headers'], number]
    at = end + 1 + length
    // A copy of each, as a server would have it, not all in one block.
    answers.set(path, { headers, body: Buffer.from(bytes.subarray(end + 1, at)) })
  }
  return answers
}
