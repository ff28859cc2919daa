/** A figure with an aim, as the table, the JSON file and the plot show it. */
export type Measure = Readonly<{
  name: string
  /** What was measured of refdesk and of the rival, with units; empty if the result says it all. */
  ours: string
  rival: string
  result: number
  /** Empty for a ratio. */
  unit: string
  bound: 'at least' | 'at most' | 'below'
  aim: number
}>

export function isMet({ result, bound, aim }: Measure): boolean {
  if (bound === 'at least') return result >= aim
  return bound === 'at most' ? result <= aim : result < aim
}

/** How far the aim is exceeded: 1 is the aim, 2 is twice as good. */
export const timesTheAim = ({ result, bound, aim }: Measure): number =>
  bound === 'at least' ? result / aim : aim / result

/** Ratios with two decimals, larger figures with as many as people compare. */
export function shown(value: number, unit: string): string {
  const text = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 && unit !== '' ? 1 : 2)
  return unit === '' ? text : `${text} ${unit}`
}

export const shownAim = ({ bound, aim, unit }: Measure): string =>
  `${bound} ${Number.isInteger(aim) ? aim.toLocaleString('en') : aim.toFixed(2)}${unit && ` ${unit}`}`

const columns = ['measure', 'refdesk', 'rival', 'result', 'aim', ''] as const

export const rowsOf = (measures: readonly Measure[]): string[][] =>
  measures.map((measure) => [
    measure.name,
    measure.ours,
    measure.rival,
    shown(measure.result, measure.unit),
    shownAim(measure),
    isMet(measure) ? 'met' : 'missed',
  ])

/** Aligned text for a terminal. */
export function tableOf(measures: readonly Measure[]): string {
  const rows = rowsOf(measures)
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 3 ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('──')
  return [lineOf(columns), rule, ...rows.map(lineOf)].join('\n')
}

export function markdownOf(measures: readonly Measure[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [lineOf(columns), lineOf(columns.map(() => '---')), ...rowsOf(measures).map(lineOf)].join('\n')
}
