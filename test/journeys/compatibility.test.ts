import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string): Promise<string> => readFile(`${root}/${file}`, 'utf8')
const versionsOf = async (file: string) =>
  (JSON.parse(await read(file)) as { devDependencies: Record<string, string> }).devDependencies

test('docs/compatibility.md names the libraries that the tests run, each in its version, and no others', async () => {
  const known = { ...(await versionsOf('test/generators/package.json')), ...(await versionsOf('package.json')) }
  const text = await read('docs/compatibility.md')
  assert.ok(text.includes(`passport ${known.passport} and express ${known.express}`))
  const rows = text.matchAll(/^\| (\S+) (\d+\.\d+\.\d+) \|/gm)
  const documented = Object.fromEntries([...rows].map(([, name = '', version]) => [name, version]))

  const files = await Array.fromAsync(glob(['test/journeys/*.test.ts', 'test/generators/*.test.ts'], { cwd: root }))
  const texts = await Promise.all(files.filter((file) => !file.endsWith('compatibility.test.ts')).map(read))
  const isRun = (name: string): boolean => texts.some((each) => new RegExp(`['"/ ]${name}['" \n]`).test(each))
  // Needed by a journey besides its library.
  const besides = ['playwright-core', 'esbuild', 'express', 'passport', 'typescript']
  const run = Object.keys(known).filter((name) => isRun(name) && !besides.includes(name))
  assert.deepEqual(documented, Object.fromEntries(run.map((name) => [name, known[name]])))
})
