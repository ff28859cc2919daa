import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import { join } from 'node:path'

/** What decides how records become a segment: the program's own rules and fields, and those of the runtime (Unicode). */
const folders = ['core', 'instruments']
const isProgram = (name: string): boolean => /(?<!\.test|\.d)\.(ts|js)$/.test(name)

let known: Promise<string> | undefined

/** Differs between programs that might build different segments from the same data. */
export function programFingerprint(): Promise<string> {
  known ??= compute(join(import.meta.dirname, '../../..'))
  return known
}

async function compute(root: string): Promise<string> {
  const hash = createHash('sha256').update(`${process.version} ${endianness()}`)
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true })
    for (const name of names.filter(isProgram).sort())
      hash.update(`\n${folder}/${name}\n`).update(await readFile(join(root, folder, name)))
  }
  return hash.digest('hex')
}
