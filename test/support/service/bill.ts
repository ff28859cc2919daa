import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Bill = { bomFormat: string; components: { name: string; version: string; hashes?: unknown[] }[] }
type Manifest = { dependencies: Record<string, string> }

/** Checks the bill of materials of an installed package. */
export async function checkBill(folder: string): Promise<void> {
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), 'utf8'))
  const bill = (await read('sbom.cdx.json')) as Bill
  assert.equal(bill.bomFormat, 'CycloneDX')
  const { dependencies } = (await read('package.json')) as Manifest
  assert.ok(Object.keys(dependencies).length > 10)
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`))
  for (const [name, version] of Object.entries(dependencies)) assert.ok(listed.has(`${name}@${version}`), name)
  const unhashed = bill.components.filter(({ hashes }) => !hashes?.length).map(({ name }) => name)
  assert.deepEqual(unhashed, [])
  const tools = bill.components.filter(({ name }) => ['typescript', '@biomejs/biome'].includes(name))
  assert.deepEqual(tools, [], 'tools of the development are not installed')
}
