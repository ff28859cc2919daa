import type { Config } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { readMasterKey } from '../../master-key.ts'
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

/** On this machine first: the public address may not be reachable from it. */
function addressesOf({ host, port, publicUrl }: Config): string[] {
  const local = ['0.0.0.0', '::', '[::]'].includes(host) ? 'localhost' : host
  return [...new Set([`http://${local.includes(':') ? `[${local}]` : local}:${port}`, publicUrl])]
}
