import { limits } from '../limits/buckets.ts'
import type { Group } from './rules/part-target.ts'

const description = `Several requests of one service group in one. Each part is a request of its own, made as if it had come alone, one
after the other: it has its own status and headers, and counts by itself against the rate limits, which the batch does not. A
part that is refused counts too, and does not stop the others. A part has the token of the batch unless it brings another; its address is the path
from the origin, or absolute. Answers come in the order of the parts, each with the X-Request-Id of its request. At most
${limits.batchParts} parts and ${limits.batchBytes / 1024} KB; a batch that cannot be read is refused whole, which
counts as one call, and nothing of it is done.`

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

/** What the API document says of the batch of a group. */
export function batchSchema({ basePath, name }: Group) {
  const requestLine = `GET ${basePath}/${name}/${examplePaths[name] ?? ''} HTTP/1.1`
  const answer = ['HTTP/1.1 200 OK', 'X-Request-Id: 1', 'Content-Type: application/json; charset=utf-8', '', '{}']
  const type = 'multipart/mixed'
  return {
    operationId: `${name}Batch`,
    summary: `Several requests of ${name} in one`,
    description,
    tags: [name],
    documented: {
      textBody: {
        type,
        description: 'The requests.',
        example: message('request', requestLine, 'X-Request-Id: 1', '', ''),
      },
      answers: { 200: { description: 'Their answers.', type, example: message('response', ...answer) } },
      // Whether it will do is asked for each part.
      readOnlyToken: true,
      errors: ['RateLimitExceeded'] as const,
    },
  }
}
