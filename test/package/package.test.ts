import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { noteSecret } from '../support/log-check.ts'
import { installPackage, type PackageService } from '../support/package.ts'
import { emptyDatabase, projectFolder, startProcess, temporaryFolder } from '../support/process.ts'
import { fencesOf, readProject } from '../support/readme.ts'

// Here, and not in a test: on a busy machine it takes longer than a test may.
const installed = await installPackage()
// Processes and threads of their own are started from what was compiled, too.
const service = await installed.serve({ WORKERS: '2' })

const refdesk = (...words: string[]) => installed.run('npx', ['refdesk', ...words])

test('the package has what runs and what the README leads to, and nothing else', async () => {
  const entries = new Set(installed.files.map((file) => file.split('/')[0]))
  assert.deepEqual(
    [...entries].sort(),
    ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'bin', 'deploy', 'dist', 'docs', 'migrations']
      .concat(['package.json', 'public'])
      .sort(),
  )
  const stray = installed.files.filter(
    (file) => /\.test\.|test-server|\.(tsx?|map)$/.test(file) && !/^dist\/client\/[^/]+\.d\.ts$/.test(file),
  )
  assert.deepEqual(stray, [])
  const readme = await readProject('README.md')
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)|(?:src|href)="(?!https?:|#)([^"#]+)"/g)]
  const missing = links
    .map(([, link, source]) => link ?? source ?? '')
    .filter((link) => !installed.files.some((file) => file === link || file.startsWith(`${link}/`)))
  assert.ok(links.length > 5)
  assert.deepEqual(missing, [])
  assert.ok(installed.tarballBytes < 1_500_000, `the tarball has ${installed.tarballBytes} bytes`)
})

test('it says the same at its start as a clone does, and its curl line works as printed', async () => {
  const MASTER_KEY = randomBytes(32).toString('base64')
  noteSecret('master key', MASTER_KEY)
  const { url } = await emptyDatabase()
  const clone = await startProcess({ DATABASE_URL: url, MASTER_KEY })
  const plain = ({ message, token, url }: Pick<PackageService, 'message' | 'token' | 'url'>) =>
    message.replaceAll(token, 'TOKEN').replaceAll(url, 'URL')
  assert.equal(plain(service), plain(clone))
  await clone.stop()
  const curl = service.message.split('\n').find((line) => line.includes('curl')) ?? ''
  const { stdout } = await promisify(execFile)('bash', ['-c', `${curl} --fail --silent --show-error`])
  const { Data } = JSON.parse(stdout) as { Data: { Symbol: string }[] }
  assert.ok(Data.some(({ Symbol }) => Symbol.startsWith('AAPL')))
})

test('its commands speak for that service; its pages and its API document are there', async () => {
  const [token, help, refused] = await Promise.all([refdesk('token', 'bo'), refdesk('help'), refdesk('users', 'add')])
  noteSecret('token', token.stdout.trim())
  assert.deepEqual([token.code, help.code, refused.code], [0, 0, 1])
  assert.match(help.stdout, /^refdesk \d+\.\d+\.\d+: .*\n\n {2}refdesk serve +start the service\n/)
  assert.match(refused.stderr, /^Missing: NAME, --client ID\.\nUsage: refdesk users add NAME --client ID\n/)
  const authorization = `Bearer ${token.stdout.trim()}`
  const me = await fetch(`${service.url}/sim/openapi/port/v1/users/me`, { headers: { authorization } })
  assert.equal(((await me.json()) as { Name: string }).Name, 'bo')
  const page = await (await fetch(service.url)).text()
  const [, styles = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? []
  assert.equal((await fetch(new URL(styles, service.url))).headers.get('content-type'), 'text/css; charset=utf-8')
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { openapi: string }
  assert.match(document.openapi, /^3\.1\./)
})

/** The README's examples, as files in the folder of the package. */
const examples = fencesOf(await readProject('README.md'))
  .filter(({ language }) => language === 'ts')
  .map(({ text }, index) => ({
    name: `readme-${index + 1}.mts`,
    text: text.replaceAll('http://localhost:4700', service.url),
  }))

test('every TypeScript example of the README runs in the package, and prints what it says', async () => {
  assert.ok(examples.length > 0)
  for (const { name, text } of examples) {
    await installed.write(name, text)
    const { stdout, stderr, code } = await installed.run('node', [name], { TOKEN: service.token })
    assert.deepEqual([code, stderr], [0, ''], text)
    const promised = [...text.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, line = '']) => line)
    const printed = stdout.split('\n')
    assert.ok(printed.length > promised.length + 1, stdout)
    assert.deepEqual(
      promised.filter((line) => !printed.includes(line)),
      [],
    )
  }
})

const example = `import { createClient, RefdeskError } from 'refdesk/client'

const [url = '', token = ''] = process.argv.slice(2)
const client = createClient({ baseUrl: url + '/sim/openapi', token })
const me = await client.get('/port/v1/users/me')
const name: string | undefined = me.Name
console.log(name, RefdeskError.name)
`

test('refdesk/client is there for Node.js, and for TypeScript by both ways of finding modules', async () => {
  await installed.write('client.mts', example)
  const { stdout, stderr, code } = await installed.run('node', ['client.mts', service.url, service.token])
  assert.deepEqual([stdout, code], ['ada RefdeskError\n', 0], stderr)
  // The declarations alone are judged, by a project that is not ours: with the types of Node.js and nothing else of it.
  const types = ['--types', 'node', '--typeRoots', join(projectFolder, 'node_modules', '@types')]
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', ...types]
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const tsc = join(projectFolder, 'node_modules', '.bin', 'tsc')
    const ways = ['--module', module, '--moduleResolution', resolution, '--ignoreConfig']
    const files = ['client.mts', ...examples.map(({ name }) => name)]
    const { stdout } = await promisify(execFile)(tsc, [...options, ...ways, ...files], {
      cwd: installed.folder,
    }).catch((error: { stdout: string }) => error)
    assert.equal(stdout, '', resolution)
  }
})

test('Ctrl-C closes it, and its PostgreSQL with it', async () => {
  const { stderr } = await service.stop()
  assert.match(stderr, /"msg":"closing"/)
  assert.deepEqual(
    (await readdir(join(installed.folder, 'data', 'postgres'))).filter((name) => name === 'postmaster.pid'),
    [],
  )
})

/** A Node.js that calls itself older than it is: the machine may have no other. */
const older =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})'

test('under an older Node.js, without the one that it brings along, it says what to do', async () => {
  const folder = await temporaryFolder()
  await Promise.all(['bin', 'node_modules/node'].map((name) => mkdir(join(folder, name), { recursive: true })))
  await copyFile(join(projectFolder, 'bin', 'refdesk.js'), join(folder, 'bin', 'refdesk.mjs'))
  // What npm leaves of it without install scripts.
  await writeFile(join(folder, 'node_modules/node/package.json'), '{"name":"node"}')
  const words = ['--import', older, join(folder, 'bin', 'refdesk.mjs'), 'version']
  const { code, stdout, stderr } = (await promisify(execFile)(process.execPath, words).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )) as { code?: number; stdout: string; stderr: string }
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^refdesk runs on Node\.js 26, and this is 20\.1\.0\. .*\nRun: npm rebuild node .*\n$/)
  const own = await promisify(execFile)(process.execPath, [
    '--import',
    older,
    join(projectFolder, 'bin/refdesk.js'),
    'version',
  ])
  assert.match(own.stdout, /^\d+\.\d+\.\d+\n$/)
})
