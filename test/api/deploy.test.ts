import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig, settings } from '../../src/config.ts'
import { projectFolder } from '../support/service/process.ts'
import { serviceForFile } from '../support/service/service.ts'

const service = await serviceForFile()
const readProject = (name: string) => readFile(join(projectFolder, name), 'utf8')
const names = ['Dockerfile', 'compose.yaml', 'refdesk.service', 'kubernetes.yaml'] as const
const [dockerfile, compose, unit, kubernetes] = await Promise.all(names.map((name) => readProject(`deploy/${name}`)))
const files = [dockerfile, compose, unit, kubernetes].map((text) => text ?? '')

/** All that a pattern finds in the files, its first group. */
const found = (pattern: RegExp): string[] =>
  files.flatMap((text) => [...text.matchAll(pattern)].map(([, group = '']) => group))

test('the files of deploy/ use known settings only', () => {
  // GLIBC_TUNABLES is for the C library.
  const known = new Set(['GLIBC_TUNABLES', ...settings.map(({ variable }) => variable)])
  const set = found(/(?<![\w-])([A-Z]+(?:_[A-Z]+)*)[=:](?!\/\/)/g).filter((name) => !name.startsWith('POSTGRES_'))
  assert.deepEqual(
    [...new Set(set)].filter((name) => !known.has(name)),
    [],
  )
  for (const name of ['HOST', 'PORT', 'DATA_DIR', 'ENVIRONMENT', 'PUBLIC_URL', 'DATABASE_URL', 'MASTER_KEY'])
    assert.ok(set.includes(name), name)
})

type Variables = Record<string, string>

/** The lines `NAME: value` with this indentation. Variables of a compose file get the given values or their defaults. */
function variablesOf(text: string | undefined, indent: number, given: Variables = {}): Variables {
  const lines = (text ?? '').matchAll(new RegExp(`^ {${indent}}([A-Z][A-Z_]+): "?(.*?)"?$`, 'gm'))
  return Object.fromEntries(
    [...lines].map(([, name, value = '']) => [
      name,
      value.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_all, name, standard) => given[name] ?? standard ?? ''),
    ]),
  )
}

test('the settings of the examples are valid once the secrets are filled in', () => {
  const MASTER_KEY = randomBytes(32).toString('base64')
  const live = readConfig({}, { ...variablesOf(kubernetes, 2), MASTER_KEY })
  assert.deepEqual([live.environment, live.demo, live.rateLimits], ['live', false, 'on'])
  assert.ok(live.databaseUrl)
  const composed = (given: Variables) => readConfig({}, variablesOf(compose, 6, { ...given, MASTER_KEY }))
  const [, name = '', value = ''] = /^# and then: (\w+)=(\w+) docker compose /m.exec(compose ?? '') ?? []
  const sim = composed({ [name]: value })
  assert.deepEqual([sim.environment, sim.publicUrl, sim.workers], ['sim', 'http://localhost:4700', 1])
  assert.match(sim.databaseUrl ?? '', /@postgres:5432\/refdesk$/)
  // Callers of a container are not on its loopback, so the demo must switch limits off. Live has them by default.
  assert.equal(sim.rateLimits, 'off')
  assert.equal(composed({ ENVIRONMENT: 'live', PUBLIC_URL: 'https://refdesk.example.com' }).rateLimits, 'on')
})

test('the examples contain no secret, and do not start without one', () => {
  assert.throws(() => readConfig({}, variablesOf(kubernetes, 2)), /requires a MASTER_KEY/)
  assert.throws(() => readConfig({}, variablesOf(compose, 6)), /requires a MASTER_KEY/)
})

test('the documented demo container has no rate limits', async () => {
  const [, name = '', value = ''] =
    /`docker run .*?-e (\w+)=(\w+) /.exec(await readProject('docs/guides/deploying.md')) ?? []
  assert.equal(readConfig({}, { [name]: value }).rateLimits, 'off')
})

/** The value of a key in the part of a file after a line. */
const after = (line: RegExp, key: RegExp, text: string | undefined): string | undefined => {
  const lines = (text ?? '').split('\n')
  const rest = lines.slice(lines.findIndex((one) => line.test(one)) + 1)
  return rest.map((one) => key.exec(one)?.[1]).find((value) => value !== undefined)
}

test('each runs an unprivileged user, checks health on its port and signals one process', () => {
  assert.equal(after(/^FROM node:26-slim$/, /^USER (.*)$/, dockerfile), 'node')
  assert.match(after(/^HEALTHCHECK /, /(\/health\/\w+)/, dockerfile) ?? '', /ready$/)
  assert.equal(after(/^\[Service\]$/, /^KillMode=(.*)$/, unit), 'mixed')
  const path = (probe: string) => after(new RegExp(`^ +${probe}:$`), /^ +path: (.*)$/, kubernetes)
  assert.deepEqual(['startupProbe', 'readinessProbe', 'livenessProbe'].map(path), [
    '/health/ready',
    '/health/ready',
    '/health/live',
  ])
  // Probes and the Service refer to the container's port by name.
  const port = after(/^ +ports:$/, /^ +- name: (.*)$/, kubernetes)
  const asked = [...(kubernetes ?? '').matchAll(/^ +(?:port: (?!\d)|targetPort: )(.*)$/gm)].map(([, name]) => name)
  assert.deepEqual(asked, [port, port, port, port])
})

test('health checks use existing paths on one port', async () => {
  const paths = found(/(\/health\/\w+)/g)
  assert.equal(paths.length, 4)
  for (const path of new Set(paths)) assert.equal((await fetch(`${service.url}${path}`)).status, 200, path)
  const ports = found(/(?:PORT=|EXPOSE |containerPort: |127\.0\.0\.1:\d+:)(\d+)/g)
  assert.deepEqual(ports, ['4700', '4700', '4700', '4700'])
})

test('the grace period of every deployment is longer than draining takes', async () => {
  const drain = Number(/drainSeconds = (\d+)/.exec(await readProject('src/database/embedded/stopping.ts'))?.[1])
  const [graces, [preStop]] = [
    found(/(?:stop_grace_period: (?=\d+s\n {4}depends)|TimeoutStopSec=|terminationGracePeriodSeconds: )(\d+)/g).map(
      Number,
    ),
    found(/\["sleep", "(\d+)"\]/g).map(Number),
  ]
  assert.equal(graces.length, 3)
  for (const grace of graces) assert.ok(grace > drain + (preStop ?? 0), `${grace} s`)
})
