#!/usr/bin/env node
import { CommanderError } from 'commander'
import { ConfigErrors, readConfig, readFlags } from '../config.ts'
import { explain } from './explain.ts'
import { buildProgram } from './program.ts'

const output = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
}

try {
  const { values, rest } = readFlags(process.argv.slice(2))
  const program = buildProgram(output, async (call) => {
    const config = readConfig(values)
    // Loaded on demand, so that help and completion start fast.
    const { runs } = await import('./run.ts')
    process.exitCode = (await runs[call.name]?.(config, call)) ?? 1
  })
  await program.parseAsync(rest.length === 0 ? ['help'] : rest, { from: 'user' })
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    process.stderr.write(`${error instanceof ConfigErrors ? error.message : explain(error)}\n`)
    process.exitCode = 1
  }
}
