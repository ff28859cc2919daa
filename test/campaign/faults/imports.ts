import { type CauseFault, seconds } from './target.ts'

/** At any moment of an import, or just after its end. */
const moment = (lastMs: number, degree: number): number => degree * lastMs * 1.1

export const killImport: CauseFault = async ({ imports }, { degree }) => {
  const afterMs = moment(imports.lastMs, degree)
  const result = await imports.import({ signal: 'SIGKILL', afterMs, forMs: 0 })
  return `after ${seconds(afterMs / 1_000)}: it ${result}`
}

export const stopImport: CauseFault = async ({ imports }, fault) => {
  const afterMs = moment(imports.lastMs, fault.degree)
  const result = await imports.import({ signal: 'SIGSTOP', afterMs, forMs: fault.seconds * 1_000 })
  return `after ${seconds(afterMs / 1_000)} for ${seconds(fault.seconds)}: it ${result}`
}
