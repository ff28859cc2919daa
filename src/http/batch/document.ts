import { limits } from '../limits/buckets.ts'
import { operation } from '../operation.ts'
import type { Group } from './rules/part-target.ts'

const description = `Runs several requests of one service group. Each part is a request of its own, and they run one after the
other. Each has its own status and headers and counts against the rate limits; the batch itself does not. A rejected part counts too
and does not stop the others. A part uses the token of the batch unless it has its own. Its address is an absolute path or an absolute
URL. The responses are in the order of the parts, each with the X-Request-Id of its request. At most ${limits.batchParts} parts and
${limits.batchBytes / 1024} KB. A batch that cannot be parsed is rejected as a whole, which counts as one call, and none of its
parts runs. Parts after ${limits.batchResponseBytes / 1024 / 1024} MB of responses are rejected with 413 and do not run.`

const examplePaths: Record<string, string> = {
  ref: 'v1/instruments?Keywords=apple',
  ca: 'v2/events/lookupdata',
  port: 'v1/users/me',
  developer: 'apps',
  root: 'v1/diagnostics/get',
  x: 'v1/revision',
}

const message = (kind: 'request' | 'response', ...lines: string[]): string =>
  ['--+', `Content-Type: application/http; msgtype=${kind}`, '', ...lines, '--+--', ''].join('\r\n')

export function batchOperation({ basePath, name }: Group) {
  const requestLine = `GET ${basePath}/${name}/${examplePaths[name] ?? ''} HTTP/1.1`
  const response = ['HTTP/1.1 200 OK', 'X-Request-Id: 1', 'Content-Type: application/json; charset=utf-8', '', '{}']
  const type = 'multipart/mixed'
  return operation({
    method: 'POST',
    path: `/${name}/batch`,
    operationId: `${name}Batch`,
    summary: `Send several ${name} requests at once`,
    description,
    errors: ['RateLimitExceeded'],
    documented: {
      textBody: {
        type,
        description: 'The requests.',
        example: message('request', requestLine, 'X-Request-Id: 1', '', ''),
      },
      responses: { 200: { description: 'The responses.', type, example: message('response', ...response) } },
    },
    config: { countedByParts: true },
    bodyLimit: limits.batchBytes,
  })
}
