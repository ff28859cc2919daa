#!/usr/bin/env node
// Starts the command line under the Node.js that refdesk brings along, which has Temporal. In a clone of the project it
// runs the TypeScript as it is; the package has it compiled, since Node.js runs no TypeScript of packages.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = new URL('../src/cli/cli.ts', import.meta.url)
const cli = existsSync(source) ? source : new URL('../dist/cli/cli.js', import.meta.url)
const [major] = process.versions.node.split('.')
if (Number(major) >= 26) {
  process.argv[1] = fileURLToPath(cli)
  await import(cli.href)
} else {
  const node = ownNode()
  if (node) runUnder(node)
  else refuse('The one that it brings along is not installed, since npm was told to run no install scripts.')
}

/** The Node.js of npm's package of that name, which the install script of that package puts there. */
function ownNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    const node = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}

/** In a process group of its own, so that a terminal's Ctrl-C comes once: a second one ends it without closing. */
function runUnder(node) {
  const detached = process.platform !== 'win32'
  const child = spawn(node, [fileURLToPath(cli), ...process.argv.slice(2)], { stdio: 'inherit', detached })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', ({ message }) => refuse(`The one that it brings along does not start (${message}).`))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

function refuse(reason) {
  process.stderr.write(
    `refdesk runs on Node.js 26, and this is ${process.versions.node}. ${reason}\n` +
      'Run: npm rebuild node (npm may want its consent first: npm install-scripts approve node), or use Node.js 26.\n',
  )
  process.exitCode = 1
}
