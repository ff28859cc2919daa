import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { anchorsOf, linksOf, readProject } from './support/readme.ts'
import { projectFolder } from './support/service/process.ts'

const listFiles = (...patterns: string[]): Promise<string[]> =>
  Array.fromAsync(glob(patterns, { cwd: projectFolder, exclude: ['**/node_modules/**'] }))
const exists = (path: string): boolean => existsSync(join(projectFolder, path))

const pages = await listFiles('*.md', 'docs/**/*.md', 'src/**/README.md')
const specification = await readProject('docs/specification.md')

test('every link of a document leads to a file and a heading that exist', async () => {
  assert.ok(pages.length > 10)
  const broken: string[] = []
  for (const page of pages)
    for (const link of linksOf(await readProject(page))) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : normalize(join(dirname(page), path))
      const isFound = exists(target) && (anchor === undefined || anchorsOf(await readProject(target)).has(anchor))
      if (!isFound) broken.push(`${page}: ${link}`)
    }
  assert.deepEqual(broken, [])
})

/** Not files of the project: what a start or a build creates, and a Deployment's name. */
const isElsewhere = (path: string): boolean => /^(data|dist)\/|^deploy\/(\.env|refdesk)$/.test(path)

test('every path of the project that a document names exists', async () => {
  const missing: string[] = []
  for (const page of [...pages, ...(await listFiles('deploy/*'))]) {
    const text = await readProject(page)
    const rooted = text.matchAll(/(?<![\w./-])((?:src|test|bench|docs|deploy|migrations|public|demo|bin)\/[\w./-]*\w)/g)
    const beside = text.matchAll(/`([a-z][\w-]*\/[\w./-]+\.ts)`/g)
    for (const [, path = ''] of [...rooted, ...beside]) {
      const candidates = [path, `src/${path}`, join(dirname(page), path)]
      if (!isElsewhere(path) && !candidates.some(exists)) missing.push(`${page}: ${path}`)
    }
  }
  assert.deepEqual([...new Set(missing)], [])
})

test('every test that the specification names exists', () => {
  const cells = [...specification.matchAll(/^\|.*\| (`[^|]+`) \|$/gm)].map(([, cell = '']) => cell)
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  const tests = names.filter((name) => /^[a-z0-9-]+(\/[a-z0-9-]+)+$/.test(name))
  assert.ok(tests.length > 100)
  assert.deepEqual(
    tests.filter((name) => !exists(`test/${name}.test.ts`) && !exists(`src/${name}.test.ts`)),
    [],
  )
})

test('every test that docs/security.md cites exists under that name', async () => {
  const citation = /`([\w./-]+\.test\.ts)`: (“[^”]+”(?:, “[^”]+”)*)/g
  const cited = [...(await readProject('docs/security.md')).matchAll(citation)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
  )
  assert.ok(cited.length > 80)
  const missing: string[] = []
  for (const { file, name } of cited)
    if (!exists(file) || !(await readProject(file)).replaceAll("\\'", "'").includes(name))
      missing.push(`${file}: ${name}`)
  assert.deepEqual(missing, [])
})

test('every section that the code cites is in the specification', async () => {
  const sections = new Set([...specification.matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm)].map(([, section]) => section))
  const unknown: string[] = []
  for (const file of await listFiles('src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', ...pages)) {
    const own = (await readProject(file)).replaceAll(/(?:RFC \d+|CSP3) §[\d.]+(?:(?:,| and| to) §[\d.]+)*/g, '')
    for (const [citation, section = ''] of own.matchAll(/(?:contract )?§+\s?(\d+(?:\.\d+)*)/g))
      if (citation.startsWith('contract') || !sections.has(section)) unknown.push(`${file}: ${citation}`)
  }
  assert.deepEqual(unknown, [])
})

test('the README has at most 130 lines', async () => {
  assert.ok((await readProject('README.md')).split('\n').length <= 131)
})
