#!/usr/bin/env node
import { CommanderError } from 'commander'
import { ConfigErrors, readConfig, readFlags } from '../config.ts'
import { explain } from './explain.ts'
import { asTyped, buildProgram, type Call } from './program.ts'

const isScript = process.argv.includes('completion')
const output = {
  out: (text: string) => void process.stdout.write(isScript ? text : asTyped(text)),
  err: (text: string) => void process.stderr.write(asTyped(text)),
}

/** Without a reader of its output a command still completes its work. */
const ignoreClosed = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosed)

try {
  const { values, rest } = readFlags(process.argv.slice(2))
  const program = buildProgram(output, async (call) => {
    process.exitCode = await execute(values, call)
  })
  await program.parseAsync(rest.length === 0 ? ['help'] : rest, { from: 'user' })
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    output.err(`${error instanceof ConfigErrors ? error.message : explain(error)}\n`)
    process.exitCode = 1
  }
}

/** Loads the modules of commands on demand, so that help and completion start fast. */
async function execute(values: Parameters<typeof readConfig>[0], call: Call): Promise<number> {
  try {
    const config = readConfig(values)
    const { runs } = await import('./run.ts')
    return (await runs[call.name]?.(config, call)) ?? 1
  } catch (error) {
    // Wrong settings are among what it finds.
    if (call.name !== 'doctor' || !(error instanceof ConfigErrors)) throw error
    return (await import('./doctor/doctor.ts')).doctor(error, call.options)
  }
}
