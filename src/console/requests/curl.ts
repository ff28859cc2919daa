import { isWhole } from '../../http/request-log/rules/secrets.ts'
import type { WholeExchange } from './data.ts'

/** What makes a difference to the answer. Who sent it, and how, does not. */
const sentHeaders = /^(?:accept|accept-language|content-type|if-[a-z-]+)$/

/** For a POSIX shell, which reads nothing inside single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The request as a curl command. Credentials are variables of the shell. */
export function curlOf(publicUrl: string, { Method, Path, Request: { Headers, Body } }: WholeExchange): string {
  const authorization = Headers.find(({ Name }) => Name === 'authorization')?.Value
  const headers = Headers.filter(({ Name, Value }) => sentHeaders.test(Name) && isWhole(Value))
  const parts = [
    // curl would read the brackets of a path as a pattern.
    `curl${/[[\]{}]/.test(Path) ? ' -g' : ''}${Method === 'GET' ? '' : Method === 'HEAD' ? ' -I' : ` -X ${Method}`} ${quote(`${publicUrl}${Path}`)}`,
    authorization && `-H "Authorization: ${/^basic/i.test(authorization) ? 'Basic $CREDENTIALS' : 'Bearer $TOKEN'}"`,
    ...headers.map(({ Name, Value }) => `-H ${quote(`${Name}: ${Value}`)}`),
    Body !== undefined && `--data-raw ${quote(Body)}`,
  ]
  return parts.filter(Boolean).join(' \\\n  ')
}
