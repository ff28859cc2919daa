import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isatty } from 'node:tty'
import { fastify } from 'fastify'
import { ConfigErrors, readConfig, readFlags, settings } from './config.ts'

const errorsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig({}, environment)
  } catch (error) {
    assert.ok(error instanceof ConfigErrors)
    return error.message.split('\n')
  }
  return []
}
const key = createHash('sha256').update('a key for tests').digest('base64')
const live = { ENVIRONMENT: 'live', MASTER_KEY: key, PUBLIC_URL: 'https://refdesk.example.com' }

test('without settings the service is a sim on localhost with demo data', () => {
  const config = readConfig({}, {})
  assert.equal(config.publicUrl, 'http://localhost:4700')
  assert.deepEqual(
    [config.environment, config.compat, config.demo, config.secrets, config.rateLimits, config.workers],
    ['sim', 'off', true, 'listed', 'loopback-off', 1],
  )
  const seconds = [config.accessTokenSeconds, config.refreshTokenSeconds, config.sessionSeconds, config.signinSeconds]
  assert.deepEqual(seconds, [1200, 3600, 2_592_000, 43_200])
  assert.deepEqual([config.codeSeconds, config.revocationGraceSeconds], [60, 10])
  assert.equal(config.historyDays, 400)
})

test('the configuration is frozen', () => {
  assert.throws(() => Object.assign(readConfig({}, {}), { port: 1 }), TypeError)
})

test('an empty variable counts as unset, and a flag wins over a variable', () => {
  assert.equal(readConfig({}, { PORT: '' }).port, 4700)
  const { values, rest } = readFlags(['serve', '--port', '4800', '--compat', 'vendor'])
  assert.deepEqual(rest, ['serve'])
  const config = readConfig(values, { PORT: '4900' })
  assert.deepEqual([config.port, config.compat, config.publicUrl], [4800, 'vendor', 'http://localhost:4800'])
})

test('reports all errors at once, each with what to do', () => {
  const errors = errorsOf({
    PORT: 'abc',
    ENVIRONMENT: 'test',
    PUBLIC_URL: 'http://localhost:1/path',
    MASTER_KEY: 'short',
    DATABASE_URL: 'mysql://x',
    WORKERS: '0',
    CODE_SECONDS: '-1',
  })
  assert.equal(errors.length, 7, errors.join('\n'))
  for (const [index, word] of [
    'ENVIRONMENT',
    'PORT',
    'PUBLIC_URL',
    'DATABASE_URL',
    'MASTER_KEY',
    'WORKERS',
    'CODE_SECONDS',
  ].entries())
    assert.match(errors[index] ?? '', new RegExp(`^${word} is `))
})

test('normalizes the public URL to an origin', () => {
  const originOf = (PUBLIC_URL: string) => readConfig({}, { PUBLIC_URL }).publicUrl
  assert.equal(readConfig({}, { PORT: '80' }).publicUrl, 'http://localhost')
  assert.equal(originOf('http://localhost:80'), 'http://localhost')
  assert.equal(originOf('https://refdesk.example.com:443/'), 'https://refdesk.example.com')
  assert.equal(originOf('HTTPS://RefDesk.Example.com:8443'), 'https://refdesk.example.com:8443')
  for (const PUBLIC_URL of [
    'refdesk.example.com',
    'localhost:4700',
    'ftp://refdesk.example.com',
    'https://refdesk.example.com/path',
    'https://refdesk.example.com/?a=b',
    'https://refdesk.example.com#part',
    'https://user@refdesk.example.com',
    'https://:word@refdesk.example.com',
  ])
    assert.match(errorsOf({ PUBLIC_URL }).join(), /^PUBLIC_URL is "[^"]+"; set it to an origin/, PUBLIC_URL)
})

test('trusted proxies are addresses, ranges and known names; all others are reported', () => {
  const good = ['10.0.0.1', '10.0.0.0/8', '::1', 'FD00::/8', '::ffff:10.0.0.1', 'Loopback', 'linklocal', 'uniquelocal']
  const { trustProxy } = readConfig({}, { TRUST_PROXY: ` ${good.join(' , ')},` })
  assert.deepEqual(
    trustProxy,
    good.map((entry) => entry.toLowerCase()),
  )
  assert.doesNotThrow(() => fastify({ trustProxy: [...trustProxy] }))
  assert.deepEqual(readConfig({}, {}).trustProxy, [])
  const bad = ['proxy.example.com', 'true', '10', '10.0.0.0/0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8']
  const errors = errorsOf({ TRUST_PROXY: `10.0.0.1,${bad.join(',')}`, PORT: 'abc' })
  assert.deepEqual(
    errors.map((fault) => /"(.+?)"/.exec(fault)?.[1]),
    ['abc', ...bad],
  )
})

test('errors never contain a secret', () => {
  const text = errorsOf({ MASTER_KEY: 'my-secret-key', DATABASE_URL: 'mysql://u:my-password@h/x' }).join('\n')
  assert.doesNotMatch(text, /my-secret-key|my-password/)
})

test('DATABASE_URL requires a MASTER_KEY', () => {
  assert.match(
    errorsOf({ DATABASE_URL: 'postgresql://localhost/refdesk' })[0] ?? '',
    /^DATABASE_URL requires a MASTER_KEY/,
  )
  assert.deepEqual(errorsOf({ DATABASE_URL: 'postgresql://localhost/refdesk', MASTER_KEY: key }), [])
})

test('live rejects a missing key, demo data and plain http', () => {
  assert.deepEqual(errorsOf(live), [])
  assert.equal(readConfig({}, live).demo, false)
  assert.equal(readConfig({}, live).rateLimits, 'on')
  assert.equal(errorsOf({ ENVIRONMENT: 'live', DEMO: 'on' }).length, 3)
  assert.match(errorsOf({ ...live, DEMO: 'on' })[0] ?? '', /DEMO=off/)
  assert.match(errorsOf({ ...live, PUBLIC_URL: 'http://refdesk.example.com' })[0] ?? '', /https/)
})

test('live rejects a MASTER_KEY without entropy, and does not repeat it', () => {
  for (const bytes of [Buffer.alloc(32), Buffer.from(Array.from({ length: 32 }, (_, index) => index))]) {
    const MASTER_KEY = bytes.toString('base64')
    const [error = '', ...others] = errorsOf({ ...live, MASTER_KEY })
    assert.match(error, /^MASTER_KEY is not random: .+ openssl rand -base64 32$/)
    assert.ok(!error.includes(MASTER_KEY))
    assert.deepEqual(others, [])
    assert.deepEqual(errorsOf({ MASTER_KEY }), [], 'sim has nothing to protect')
  }
})

test('everyone may use the sim controls only of a service that listens and is addressed on loopback', () => {
  const controls = (environment: Record<string, string>) => readConfig({}, environment).simControls
  for (const HOST of ['localhost', '127.0.0.1', '127.0.0.2', '::1', 'LOCALHOST'])
    assert.equal(controls({ HOST }), 'everyone')
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', '127.example.com'])
    assert.equal(controls({ HOST }), 'operators', HOST)
  assert.equal(controls({ PUBLIC_URL: 'http://[::1]:4700' }), 'everyone')
  assert.equal(controls({ PUBLIC_URL: 'https://sim.example.com' }), 'operators', 'a proxy on this machine')
  assert.equal(controls({ HOST: '0.0.0.0', SIM_CONTROLS: 'everyone' }), 'everyone')
  assert.equal(controls({ SIM_CONTROLS: 'operators' }), 'operators')
})

test('suggests the value of a setting that was probably meant', () => {
  assert.deepEqual(errorsOf({ ENVIRONMENT: 'simm' }), [
    'ENVIRONMENT is "simm"; set it to one of: sim, live. Did you mean sim?',
  ])
})

test('leaves other arguments to the command in their order; a setting needs a value', () => {
  const { values, rest } = readFlags(['users', 'add', '--port=4800', 'eve', '--client', '10001', '--leaked'])
  assert.deepEqual(rest, ['users', 'add', 'eve', '--client', '10001', '--leaked'])
  assert.equal(values.PORT, '4800')
  assert.throws(() => readFlags(['serve', '--port']), /--port needs a value/)
})

test('the guide to the command line lists every setting', () => {
  const guide = readFileSync(new URL('../docs/guides/command-line.md', import.meta.url), 'utf8')
  for (const { variable } of settings) assert.ok(guide.includes(`\`${variable}\``), variable)
})

test('LOG_FORMAT is json unless standard error is a terminal', () => {
  assert.equal(readConfig({}, {}).logFormat, isatty(2) ? 'pretty' : 'json')
  assert.equal(readConfig({}, { LOG_FORMAT: 'pretty' }).logFormat, 'pretty')
  assert.throws(() => readConfig({}, { LOG_FORMAT: 'text' }), /LOG_FORMAT is "text"; set it to one of: json, pretty/)
})
