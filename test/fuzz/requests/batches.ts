import type { Random } from '../random.ts'
import type { Draft } from './draft.ts'
import { hostileText } from './hostile.ts'
import { safeHeader } from './mutate-headers.ts'
import { serialize } from './wire.ts'

/** Gives a batch its parts: other requests of its group, sometimes damaged. */
export function fillBatch(batch: Draft, part: () => Draft, random: Random, isDamaged: boolean): void {
  const boundary = isDamaged && random.chance(0.1) ? safeHeader(hostileText(random)) : 'fuzz'
  const count = isDamaged && random.chance(0.05) ? random.pick([0, 101]) : random.between(1, 5)
  const lineEnd = isDamaged && random.chance(0.1) ? '\n' : '\r\n'
  const parts = Array.from({ length: count }, () => {
    const whole = serialize(part()).toString('latin1').replace('\r\nHost: localhost', '')
    const type =
      isDamaged && random.chance(0.1) ? 'Content-Type: text/plain' : 'Content-Type: application/http; msgtype=request'
    const message = isDamaged && random.chance(0.15) ? damaged(whole, random) : whole
    return `--${boundary}${lineEnd}${type}${lineEnd}${lineEnd}${message}${lineEnd}`
  })
  const end = isDamaged && random.chance(0.1) ? '' : `--${boundary}--${lineEnd}`
  batch.headers = batch.headers.filter(([name]) => name !== 'Content-Type')
  batch.headers.push(['Content-Type', `multipart/mixed; boundary="${boundary}"`])
  batch.body = Buffer.from(parts.join('') + end, 'latin1')
}

function damaged(message: string, random: Random): string {
  const at = random.below(message.length)
  const kind = random.below(5)
  if (kind === 0) return message.slice(0, at)
  if (kind === 1) return message.slice(0, at) + String.fromCharCode(random.below(256)) + message.slice(at + 1)
  if (kind === 2)
    return message.replace(
      /^(\S+) \S+/,
      (_, method) => `${method} ${random.pick(['http://evil.example/a', '../x', '/sim/openapi/ref/batch', '*', ''])}`,
    )
  if (kind === 3) return message.replace('HTTP/1.1', random.pick(['HTTP/9', '', 'http/1.1']))
  return message.replace('\r\n', `\r\n${safeHeader(hostileText(random))}\r\n`)
}
