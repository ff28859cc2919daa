import { readFileSync, writeFileSync } from 'node:fs'
import { json } from 'node:stream/consumers'

/** Reads the output of `npm sbom` and writes sbom.cdx.json: the packages that an installation of refdesk brings.
 *  `npm sbom --omit=dev` also omits those that both refdesk and a development tool need, so the lockfile decides here. */

type Bill = {
  components: { 'bom-ref': string; name: string; version: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
  metadata: { component: { 'bom-ref': string } }
}
type Lock = { packages: Record<string, { version?: string; dev?: boolean }> }

const bill = (await json(process.stdin)) as Bill
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock

const needed = new Set(
  Object.entries(lock.packages)
    .filter(([path, { dev }]) => path.startsWith('node_modules/') && !dev)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
)
const components = bill.components.filter(({ name, version }) => needed.has(`${name}@${version}`))
const kept = new Set([...components, bill.metadata.component].map((component) => component['bom-ref']))
const dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }))
writeFileSync('sbom.cdx.json', `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`)
