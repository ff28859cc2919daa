import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ConfigFaults, readConfig, readFlags, settings } from './config.ts'

const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig({}, environment)
  } catch (error) {
    assert.ok(error instanceof ConfigFaults)
    return error.message.split('\n')
  }
  return []
}
const key = Buffer.alloc(32, 1).toString('base64')
const live = { ENVIRONMENT: 'live', MASTER_KEY: key, PUBLIC_URL: 'https://refdesk.example.com' }

test('without any setting the service is a sim on localhost with demo data', () => {
  const config = readConfig({}, {})
  assert.equal(config.publicUrl, 'http://localhost:4700')
  assert.deepEqual(
    [config.environment, config.compat, config.demo, config.secrets, config.rateLimits, config.workers],
    ['sim', 'off', true, 'listed', 'loopback-off', 1],
  )
  const seconds = [config.accessTokenSeconds, config.refreshTokenSeconds, config.sessionSeconds, config.signinSeconds]
  assert.deepEqual(seconds, [1200, 3600, 2_592_000, 43_200])
  assert.deepEqual([config.codeSeconds, config.revocationGraceSeconds], [60, 10])
})

test('the configuration cannot be changed afterwards', () => {
  assert.throws(() => Object.assign(readConfig({}, {}), { port: 1 }), TypeError)
})

test('an empty variable is as if it were not set, and a flag wins over a variable', () => {
  assert.equal(readConfig({}, { PORT: '' }).port, 4700)
  const { values, rest } = readFlags(['serve', '--port', '4800', '--compat', 'vendor'])
  assert.deepEqual(rest, ['serve'])
  const config = readConfig(values, { PORT: '4900' })
  assert.deepEqual([config.port, config.compat, config.publicUrl], [4800, 'vendor', 'http://localhost:4800'])
})

test('all faults are named at once, each with what to do', () => {
  const faults = faultsOf({
    PORT: 'abc',
    ENVIRONMENT: 'test',
    PUBLIC_URL: 'http://localhost:1/path',
    MASTER_KEY: 'short',
    DATABASE_URL: 'mysql://x',
    WORKERS: '0',
    CODE_SECONDS: '-1',
  })
  assert.equal(faults.length, 7, faults.join('\n'))
  for (const [index, word] of [
    'ENVIRONMENT',
    'PORT',
    'PUBLIC_URL',
    'DATABASE_URL',
    'MASTER_KEY',
    'WORKERS',
    'CODE_SECONDS',
  ].entries())
    assert.match(faults[index] ?? '', new RegExp(`^${word} is `))
})

test('a fault never repeats a secret', () => {
  const text = faultsOf({ MASTER_KEY: 'my-secret-key', DATABASE_URL: 'mysql://u:my-password@h/x' }).join('\n')
  assert.doesNotMatch(text, /my-secret-key|my-password/)
})

test('a database of your own needs a key of your own', () => {
  assert.match(
    faultsOf({ DATABASE_URL: 'postgresql://localhost/refdesk' })[0] ?? '',
    /^DATABASE_URL needs a MASTER_KEY/,
  )
  assert.deepEqual(faultsOf({ DATABASE_URL: 'postgresql://localhost/refdesk', MASTER_KEY: key }), [])
})

test('live refuses to start by accident: no key, demo data, plain http', () => {
  assert.deepEqual(faultsOf(live), [])
  assert.equal(readConfig({}, live).demo, false)
  assert.equal(readConfig({}, live).rateLimits, 'on')
  assert.equal(faultsOf({ ENVIRONMENT: 'live', DEMO: 'on' }).length, 3)
  assert.match(faultsOf({ ...live, DEMO: 'on' })[0] ?? '', /DEMO=off/)
  assert.match(faultsOf({ ...live, PUBLIC_URL: 'http://refdesk.example.com' })[0] ?? '', /https/)
})

test('what is no setting is left to the command, in its order; a setting needs its value', () => {
  const { values, rest } = readFlags(['users', 'add', '--port=4800', 'eve', '--client', '10001', '--leaked'])
  assert.deepEqual(rest, ['users', 'add', 'eve', '--client', '10001', '--leaked'])
  assert.equal(values.PORT, '4800')
  assert.throws(() => readFlags(['serve', '--port']), /--port needs a value/)
})

test('the README names every setting', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const { variable } of settings) assert.ok(readme.includes(`\`${variable}\``), variable)
})
