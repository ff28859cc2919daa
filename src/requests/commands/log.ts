import { setTimeout as sleep } from 'node:timers/promises'
import { operatorPath } from '../api/operator.ts'
import type { Summary } from '../reader.ts'
import { type LineStyle, requestLine } from '../rules/line.ts'

export type LogOptions = Readonly<{
  follow?: boolean
  status?: string
  app?: string
  path?: string
  last?: string | undefined
  json?: boolean
}>

export type LogTarget = Readonly<{
  /** Where the service may listen, most likely first. */
  addresses: readonly string[]
  /** A new key of the operator. */
  makeKey(): string
  style: LineStyle
  signal: AbortSignal
  out(line: string): void
  err(line: string): void
}>

const reconnectMs = 1_000

/** refdesk log: prints the latest requests of the running service, and with --follow new ones as they come. */
export async function printLog(options: LogOptions, target: LogTarget): Promise<number> {
  const print = (row: Summary) => target.out(options.json ? JSON.stringify(row) : lineOf(row, target.style))
  const { rows, address } = await latest(options, target)
  for (const row of rows) print(row)
  let since = rows.at(-1)?.Id
  while (options.follow && !target.signal.aborted) {
    since = await follow(options, { ...target, address }, since, print).catch(() => since)
    if (!target.signal.aborted) await sleep(reconnectMs, undefined, { signal: target.signal }).catch(() => undefined)
  }
  return 0
}

const lineOf = (row: Summary, style: LineStyle): string =>
  requestLine(
    {
      time: row.Time,
      status: row.Status,
      method: row.Method,
      path: row.Path,
      milliseconds: row.Milliseconds,
      app: row.AppKey,
      user: row.UserKey,
      fault: row.Fault,
      reason: row.Reason,
    },
    style,
  )

function queryOf({ status, app, path, last }: LogOptions, more: Record<string, string | undefined> = {}): string {
  const given = Object.entries({ Status: status, AppKey: app, Path: path, $top: last, ...more })
  return new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== undefined)).toString()
}

const headersOf = ({ makeKey }: LogTarget) => ({ authorization: `Bearer ${makeKey()}` })

/** The latest rows, oldest first, and the address that answered. */
async function latest(options: LogOptions, target: LogTarget): Promise<{ rows: Summary[]; address: string }> {
  let problem = `No service answers at ${target.addresses.join(' or ')}. Start it, or set PORT or PUBLIC_URL as it does.`
  for (const address of target.addresses) {
    const url = `${address}${operatorPath}?${queryOf({ last: '20', ...options })}`
    const response = await fetch(url, { headers: headersOf(target), signal: target.signal }).catch(() => undefined)
    if (!response) continue
    const body = (await response.json().catch(() => ({}))) as {
      Data?: Summary[]
      Message?: string
      ModelState?: object
    }
    if (response.ok && body.Data) return { rows: body.Data.toReversed(), address }
    const detail = body.ModelState ? JSON.stringify(body.ModelState) : (body.Message ?? '')
    problem = `The service at ${address} does not show its log (${response.status}). ${detail}`
    if (response.status === 404 && !detail.includes('REQUEST_LOG'))
      problem += ' It may run with another MASTER_KEY or DATA_DIR than this command.'
  }
  throw new Error(problem)
}

/** Prints new rows until the stream ends. Returns the id of the last one. */
async function follow(
  options: LogOptions,
  target: LogTarget & Readonly<{ address: string }>,
  since: string | undefined,
  print: (row: Summary) => void,
): Promise<string | undefined> {
  const url = `${target.address}${operatorPath}/stream?${queryOf({ ...options, last: undefined }, { Since: since })}`
  const response = await fetch(url, { headers: headersOf(target), signal: target.signal })
  if (!response.ok || !response.body) return since
  let last = since
  let text = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const events = `${text}${part}`.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (/^event: dropped$/m.test(event)) target.err(`Some requests were lost, because they came too fast: ${data}`)
      if (!/^event: request$/m.test(event) || data === undefined) continue
      const row = JSON.parse(data) as Summary
      print(row)
      last = row.Id
    }
  }
  return last
}
