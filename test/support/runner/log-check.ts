import { appendFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Values shorter than this are found in any text by chance. */
const shortest = 6

/** What no log may ever hold: remembered for the check at the end of the run. */
export function noteSecret(kind: string, value: string): void {
  const folder = process.env.REFDESK_TEST_LOG
  if (folder === undefined || value.includes('\n')) return
  appendFileSync(join(folder, `${process.pid}.secrets`), `${kind}\t${value}\n`)
}

export interface LogCheck {
  secrets: number
  lines: number
  /** One sentence for each secret that was found in a log; it names the log and the kind, never the secret. */
  found: string[]
}

/** Looks for every secret that the tests saw in every log that their services wrote. */
export async function checkLogs(folder: string): Promise<LogCheck> {
  const names = await readdir(folder)
  const kinds = new Map<string, string>()
  for (const name of names.filter((each) => each.endsWith('.secrets'))) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      const tab = line.indexOf('\t')
      const value = line.slice(tab + 1)
      if (value.length >= shortest) kinds.set(value, tab < 0 ? 'secret' : line.slice(0, tab))
    }
  }
  const needles = indexByEnding(kinds)
  const check: LogCheck = { secrets: kinds.size, lines: 0, found: [] }
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    const log = await readFile(join(folder, name))
    for (const byte of log) if (byte === 10) check.lines++
    for (const kind of kindsWithin(log, needles)) check.found.push(`${name} holds a secret of this kind: ${kind}`)
  }
  return check
}

interface Needle {
  bytes: Buffer
  kind: string
}

/** A secret may be logged verbatim, escaped as JSON or encoded as in a URL. Indexed by the last four bytes, because all
 *  tokens start alike. */
function indexByEnding(kinds: Map<string, string>): Map<number, Needle[]> {
  const index = new Map<number, Needle[]>()
  for (const [value, kind] of kinds) {
    for (const form of new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])) {
      const bytes = Buffer.from(form)
      const ending = bytes.readUInt32BE(bytes.length - 4)
      const same = index.get(ending)
      if (same) same.push({ bytes, kind })
      else index.set(ending, [{ bytes, kind }])
    }
  }
  return index
}

/** One pass over the log, whatever the number of secrets. */
function kindsWithin(log: Buffer, needles: Map<number, Needle[]>): Set<string> {
  const found = new Set<string>()
  let lastFour = 0
  for (let end = 0; end < log.length; end++) {
    lastFour = ((lastFour << 8) | (log[end] ?? 0)) >>> 0
    for (const { bytes, kind } of needles.get(lastFour) ?? []) {
      const start = end + 1 - bytes.length
      if (start >= 0 && log.compare(bytes, 0, bytes.length, start, end + 1) === 0) found.add(kind)
    }
  }
  return found
}
