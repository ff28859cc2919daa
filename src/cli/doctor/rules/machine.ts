import { type Finding, ok, problem, warning } from './finding.ts'

const mebibyte = 2 ** 20
const room = { warning: 1_024 * mebibyte, problem: 100 * mebibyte }

export function diskFinding(folder: string, freeBytes: number): Finding {
  const free = `${Math.floor(freeBytes / mebibyte).toLocaleString('en-US')} MiB free in ${folder}`
  const advice = 'Free some space, or move DATA_DIR to a larger disk.'
  if (freeBytes < room.problem) return problem('disk', `Only ${free}.`, advice)
  if (freeBytes < room.warning) return warning('disk', `Only ${free}.`, advice)
  return ok('disk', free)
}

/** In milliseconds. The true difference lies within `uncertain` of `ahead`. */
export type ClockFacts = Readonly<{ ahead: number; uncertain: number }>

const skew = { warning: 1_000, problem: 5_000 }

/** Nodes compare the times that others stored with their own: tokens would end early or late. */
export function clockFinding({ ahead, uncertain }: ClockFacts): Finding {
  const surely = Math.abs(ahead) - uncertain
  const text = `${(Math.abs(ahead) / 1_000).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of PostgreSQL`
  const advice = 'Synchronise both machines, for example with chrony.'
  if (surely >= skew.problem) return problem('clock', `${text}.`, advice)
  if (surely >= skew.warning) return warning('clock', `${text}.`, advice)
  return ok('clock', `agrees with PostgreSQL within ${Math.ceil(Math.abs(ahead) + uncertain)} ms`)
}
