#!/usr/bin/env node
// Starts the command line under the Node.js that refdesk brings along: it runs TypeScript as it is and has Temporal.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const [major] = process.versions.node.split('.')
if (Number(major) >= 26) {
  process.argv[1] = cli
  await import('../src/cli.ts')
} else {
  const node = createRequire(import.meta.url).resolve('node/bin/node')
  const child = spawn(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
