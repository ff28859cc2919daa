import { styleText } from 'node:util'
import { plural } from '../../core/text.ts'
import { version } from '../../version.ts'
import type { Finding, State } from './rules/finding.ts'

const styles = { ok: 'green', warning: 'yellow', problem: 'red', skipped: 'dim' } as const
const stateWidth = 10
const checkWidth = 18

const countOf = (findings: readonly Finding[], state: State): number =>
  findings.filter((finding) => finding.state === state).length

/** The report for people. Colours only on a terminal that has them. */
export function reportText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, state, text, advice }) => [
    `  ${styleText(styles[state], state.padEnd(stateWidth))}${check.padEnd(checkWidth)}${text}`,
    ...(advice === undefined ? [] : [`  ${' '.repeat(stateWidth + checkWidth)}${advice}`]),
  ])
  const counts = [countOf(findings, 'problem'), countOf(findings, 'warning')] as const
  const sum = `${plural(counts[0], 'problem')}, ${plural(counts[1], 'warning')}`
  return [``, `  refdesk ${version}`, '', ...lines, '', `  ${sum}`, ''].join('\n')
}

export const reportJson = (findings: readonly Finding[]): string =>
  JSON.stringify({ problems: countOf(findings, 'problem'), warnings: countOf(findings, 'warning'), findings }, null, 2)
