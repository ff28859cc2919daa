import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = await mkdtemp(join(tmpdir(), 'refdesk-log-'))
after(() => rm(folder, { recursive: true }))
const logModule = fileURLToPath(new URL('../../src/log.ts', import.meta.url))

/** A program that logs to standard error. */
async function program(name: string, source: string): Promise<string> {
  const file = join(folder, `${name}.mjs`)
  await writeFile(
    file,
    `import { makeLog } from ${JSON.stringify(logModule)}
    const log = makeLog({ logLevel: 'info' })
    ${source}`,
  )
  return file
}

const messages = (lines: string): unknown[] =>
  lines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).n)

const thousand = Array.from({ length: 1_000 }, (_, n) => n)
const logThousand = 'for (let n = 0; n < 1000; n++) log.info({ n }, "line")'

for (const [how, end, status] of [
  ['process.exit', `${logThousand}; process.exit(3)`, 3],
  ['an uncaught exception', `setImmediate(() => { ${logThousand}; throw new Error('crash') })`, 1],
  [
    'SIGTERM',
    `process.once('SIGTERM', () => { ${logThousand} }); setTimeout(() => {}, 1); process.kill(process.pid, 'SIGTERM')`,
    0,
  ],
  ['an idle event loop', logThousand, 0],
] as const)
  test(`nothing of the log is lost at the end of the process: ${how}`, async () => {
    const child = spawn(process.execPath, [await program('end', end)], { stdio: ['ignore', 'ignore', 'pipe'] })
    const [lines, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    assert.deepEqual(messages(lines), thousand)
    assert.equal(code, status)
  })

test('several processes that log to one pipe never tear a line', async () => {
  const file = await program(
    'writer',
    `const filler = 'x'.repeat(300)
    let n = 0
    const some = () => {
      for (let more = 50; more > 0; more--) log.info({ n: n++, filler: filler.slice(n % 250) }, 'line')
      if (n < 2000) setImmediate(some)
    }
    some()`,
  )
  // The shell passes its standard error on, so that all writers share one pipe.
  const writers = `'${process.execPath}' '${file}' & `.repeat(4)
  const child = spawn('sh', ['-c', `${writers} wait`], { stdio: ['ignore', 'ignore', 'pipe'] })
  const lines = await text(child.stderr)
  const counts = Map.groupBy(messages(lines), (n) => n)
  assert.equal(lines.split('\n').length, 4 * 2_000 + 1)
  assert.equal(counts.size, 2_000)
  for (const [n, same] of counts) assert.equal(same.length, 4, String(n))
})

test('a reader that closes the pipe ends the log, not the process', async () => {
  const file = await program(
    'closed',
    `let n = 0
    const more = () => {
      log.info({ n: n++ }, 'line')
      if (n < 1000) setImmediate(more)
      else process.exit(5)
    }
    process.stdin.once('data', more)
    log.fatal({ n }, 'first')`,
  )
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'ignore', 'pipe'] })
  await once(child.stderr, 'data')
  child.stderr.destroy()
  await once(child.stderr, 'close')
  child.stdin.write('go')
  assert.deepEqual(await once(child, 'exit'), [5, null])
})

const tooMuch = 5_000
/** Logs 3 MB, more than a pipe and the buffer take, and says so on standard output. Ends when its standard input does. */
const logTooMuch = `const filler = 'x'.repeat(600)
  for (let n = 0; n < ${tooMuch}; n++) log.info({ n, filler }, 'line')
  process.stdout.write('done\\n')
  process.stdin.resume()`

/** Logs too much after the process that has started it and shares its output has ended. */
const logLater = `const parent = process.ppid
  process.send('ready')
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    ${logTooMuch}
  }, 10)`

/** A pipe is what a shell gives a process. Its reader here waits for a word. */
const piped = (file: string): string[] => {
  const reader = '{ head -n 1 <&3; cat >&2; }'
  return ['sh', '-c', `exec 5>&1; '${process.execPath}' '${file}' 2>&1 >&5 | ${reader}`]
}

/** Starts a program with its own output, and ends, which makes the pipe block again. */
async function startedByAnother(file: string): Promise<string> {
  const starter = join(folder, 'starter.mjs')
  await writeFile(
    starter,
    `import { spawn, spawnSync } from 'node:child_process'
    const child = spawn(process.execPath, [${JSON.stringify(file)}], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
    child.once('message', () => process.exit())`,
  )
  return starter
}

/** A socket is what Node.js gives a child process. */
for (const [kind, source, words] of [
  ['socket', logTooMuch, async (file: string) => [process.execPath, file]],
  ['pipe', logTooMuch, async (file: string) => piped(file)],
  ['pipe that another process has used', logLater, async (file: string) => piped(await startedByAnother(file))],
] as const)
  test(`a reader that stops reading a ${kind} does not stop the process; what it missed is counted`, async (t) => {
    // Elsewhere no pipe can be opened again.
    if (source === logLater && process.platform !== 'linux') return t.skip()
    const [command = '', ...args] = await words(await program(`stalled-${kind.replaceAll(' ', '-')}`, source))
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
    assert.equal(String((await once(child.stdout as Readable, 'data'))[0]), 'done\n')

    const reading = text(child.stderr as Readable)
    if (kind !== 'socket') (child.stdio[3] as Writable).end('read\n')
    // It is read before the end, as any process that goes on is.
    await once(child.stderr as Readable, 'data')
    child.stdin?.end()
    const lines = (await reading)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

    const dropped = lines.reduce((sum, line) => sum + (line.dropped ?? 0), 0)
    const kept = lines.filter(({ n }) => n !== undefined).map(({ n }) => n)
    assert.ok(dropped > 0)
    assert.equal(kept.length + dropped, tooMuch)
    assert.deepEqual(
      kept,
      kept.toSorted((a, b) => a - b),
    )
  })

test('a full disk does not stop the process', { skip: process.platform !== 'linux' }, async () => {
  const file = await program('full', `${logThousand}; process.exit(6)`)
  const child = spawn('sh', ['-c', `'${process.execPath}' '${file}' 2>/dev/full`])
  assert.deepEqual(await once(child, 'exit'), [6, null])
})

const configModule = fileURLToPath(new URL('../../src/config.ts', import.meta.url))

/** Two threads log to a terminal of 90 columns. */
const terminalSource = `
  import { isMainThread, Worker } from 'node:worker_threads'
  import { makeLog } from ${JSON.stringify(logModule)}
  import { readConfig } from ${JSON.stringify(configModule)}
  const log = makeLog(readConfig())
  const thread = isMainThread ? 'main' : 'worker'
  const route = '/' + thread + '/' + 'x'.repeat(200) + '/end'
  log.info({ status: 200, method: 'GET', route, ms: 1 }, 'answered')
  log.warn({ thread }, 'a warning')
  if (isMainThread) new Worker(new URL(import.meta.url))`

test('a terminal gets readable lines of its width from every thread; LOG_FORMAT=json and a pipe get JSON', async (t) => {
  if (spawnSync('script', ['--version']).error) return t.skip('no script command')
  const file = join(folder, 'terminal.mjs')
  await writeFile(file, terminalSource)
  const command = `stty cols 90; '${process.execPath}' '${file}'`
  const shown = async (settings: Record<string, string>, onTerminal = command) => {
    const env = { PATH: process.env.PATH, ...settings }
    const child = spawn('script', ['-qec', onTerminal, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    return (await text(child.stdout)).trim().split(/\r?\n/)
  }
  const [colours, plain, json, piped] = await Promise.all([
    shown({}),
    shown({ NO_COLOR: '1' }),
    shown({ LOG_FORMAT: 'json' }),
    shown({}, `${command} 2>&1 | cat`),
  ])
  for (const thread of ['main', 'worker']) {
    const [request = '', warning = ''] = plain.filter((line) => line.includes(thread))
    assert.match(request, /^[\d:.]{12} 200 GET .*\/x+…x+\/end$/)
    assert.ok(request.length > 80 && request.length <= 90, request)
    assert.match(warning, /^[\d:.]{12} warn {2}a warning {2}thread=(?:main|worker)$/)
  }
  assert.ok(!plain.join('').includes('\u001b'))
  assert.equal(colours.filter((line) => line.includes('\u001b[32m200\u001b[0m')).length, 2)
  for (const lines of [json, piped])
    assert.deepEqual(lines.map((line) => JSON.parse(line).level).sort(), [30, 30, 40, 40])
})
