#!/usr/bin/env node
// Starts the command line under the Node.js that refdesk brings along, which has Temporal. In a clone of the project it
// runs the TypeScript as it is; the package has it compiled, since Node.js runs no TypeScript of packages.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const source = new URL('../src/cli.ts', import.meta.url)
const cli = existsSync(source) ? source : new URL('../dist/cli.js', import.meta.url)
const [major] = process.versions.node.split('.')
if (Number(major) >= 26) {
  process.argv[1] = fileURLToPath(cli)
  await import(cli.href)
} else {
  const node = createRequire(import.meta.url).resolve('node/bin/node')
  const child = spawn(node, [fileURLToPath(cli), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
