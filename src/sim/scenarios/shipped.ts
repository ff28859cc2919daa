import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readScenario, type ScenarioHead } from './text.ts'

/** The project's folder demo/scenarios/, next to src/ and dist/. */
const folder = fileURLToPath(new URL('../../../demo/scenarios/', import.meta.url))

export type ShippedScenario = Readonly<{ head: ScenarioHead; text: string }>

let reading: Promise<ReadonlyMap<string, ShippedScenario>> | undefined

/** The scenarios of this version, by name. Read once. */
export function shippedScenarios(): Promise<ReadonlyMap<string, ShippedScenario>> {
  reading ??= readAll()
  return reading
}

async function readAll(): Promise<ReadonlyMap<string, ShippedScenario>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ndjson')).sort()
  const all = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return new Map(
    all.map((text, index) => {
      const read = readScenario(text)
      if ('errors' in read) throw new Error(`demo/scenarios/${files[index]}: ${read.errors[0]?.reason}`)
      return [read.head.Name, { head: read.head, text }]
    }),
  )
}
