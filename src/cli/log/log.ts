import type { Config } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { readMasterKey } from '../../master-key.ts'
import { operatorRevisionPath } from '../../requests/api/operator.ts'
import { type LogOptions, printLog } from '../../requests/commands/log.ts'
import { makeOperatorKey } from '../../requests/operator-key.ts'
import { requireData, say } from '../service.ts'

/** Reads the log of the service that runs with these settings. */
export async function logCommand(config: Config, options: LogOptions): Promise<number> {
  requireData(config)
  const masterKey = await readMasterKey(config)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const { isTTY, columns } = process.stdout
  try {
    return await printLog(options, {
      addresses: addressesOf(config),
      makeKey: () => makeOperatorKey(masterKey, systemClock.nowMs()),
      style: { width: isTTY ? columns : undefined, hasColours: isTTY && config.hasColours },
      signal: stopping.signal,
      out: say,
      err: (line) => void process.stderr.write(`${line}\n`),
    })
  } catch (error) {
    if (stopping.signal.aborted) return 0
    throw error
  }
}

const requestMs = 2_000

/** The revision that the service at an address serves, if it has this MASTER_KEY. */
export async function askRevision(masterKey: Buffer, address: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${makeOperatorKey(masterKey, systemClock.nowMs())}` }
  const signal = AbortSignal.timeout(requestMs)
  try {
    const response = await fetch(`${address}${operatorRevisionPath}`, { headers, signal })
    return response.ok ? ((await response.json()) as { Revision: number }).Revision : undefined
  } catch {
    return undefined
  }
}

/** On this machine first: the public address may not be reachable from it. */
export function addressesOf({ host, port, publicUrl }: Pick<Config, 'host' | 'port' | 'publicUrl'>): string[] {
  const local = ['0.0.0.0', '::', '[::]'].includes(host) ? 'localhost' : host
  return [...new Set([`http://${local.includes(':') ? `[${local}]` : local}:${port}`, publicUrl])]
}
