import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { curlOf } from './curl.ts'
import type { WholeExchange } from './data.ts'

const exchange = (more: object, request: object = {}) =>
  ({
    ...{ Method: 'GET', Path: '/sim/openapi/ref/v1/instruments?$top=1' },
    ...more,
    Request: { Headers: [], IsCut: false, ...request },
  }) as unknown as WholeExchange

/** The arguments that a shell reads. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], { env: { TOKEN: 'one token' } })
    .toString()
    .split('\0')
    .slice(0, -1)

test('a shell reads the command as the request was sent, with the token of the reader', () => {
  const headers = [
    { Name: 'authorization', Value: 'Bearer [redacted]' },
    { Name: 'user-agent', Value: 'mine' },
    { Name: 'if-match', Value: '"[redacted]"' },
    { Name: 'content-type', Value: 'application/json' },
  ]
  const body = `{"Name":"it's $HOME \`id\` \\\\ \\"\n"}`
  const get = curlOf('https://a.example', exchange({}, { Headers: headers.slice(0, 2) }))
  assert.equal(
    get,
    `curl 'https://a.example/sim/openapi/ref/v1/instruments?$top=1' \\\n  -H "Authorization: Bearer $TOKEN"`,
  )
  const post = curlOf(
    'https://a.example',
    exchange({ Method: 'POST', Path: "/a'b$(id)" }, { Headers: headers, Body: body }),
  )
  assert.deepEqual(argumentsOf(post), [
    ...['-X', 'POST', "https://a.example/a'b$(id)"],
    ...['-H', 'Authorization: Bearer one token', '-H', 'content-type: application/json', '--data-raw', body],
  ])
})

test('names the credentials of an app, and takes brackets literally', () => {
  const command = curlOf(
    'https://a.example',
    exchange(
      { Method: 'HEAD', Path: '/a/[redacted]' },
      { Headers: [{ Name: 'authorization', Value: 'Basic [redacted]' }] },
    ),
  )
  assert.equal(command, `curl -g -I 'https://a.example/a/[redacted]' \\\n  -H "Authorization: Basic $CREDENTIALS"`)
})
