import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCsv } from '../../data/sources/csv.ts'
import { instrumentKind } from '../../instruments/import/kinds.ts'

/** The project's folder demo/, next to src/ and dist/. */
const folder = fileURLToPath(new URL('../../../demo/', import.meta.url))

export async function listDemoFiles(subfolder: string): Promise<string[]> {
  const files = (await readdir(join(folder, subfolder))).filter((file) => file.endsWith('.ndjson'))
  return files.sort().map((file) => join(subfolder, file))
}

export async function readDemoFile<Row = Record<string, unknown>>(file: string): Promise<Row[]> {
  const path = join(folder, file)
  if (file.endsWith('.csv')) return (await readTable(path)) as Row[]
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

async function readTable(path: string): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const rows of readCsv(createReadStream(path), instrumentKind))
    for (const row of rows) {
      if ('error' in row) throw new Error(`${path}:${row.line}: ${row.error}`)
      records.push(row.value)
    }
  return records
}
