import { styleText } from 'node:util'

type Bound = 'at least' | 'at most' | 'below'

/** A measured result and its aim, as the table, the JSON file and the plot show it. */
export type Figure = Readonly<{
  group: string
  name: string
  /** The two sides of a ratio, with units; empty if the result says it all. */
  ours: string
  rival: string
  /** NaN if this platform does not report it. */
  result: number
  /** Empty for a ratio. */
  unit: string
  bound: Bound
  /** Undefined for a figure that is only shown. */
  aim: number | undefined
}>

export type Verdict = 'met' | 'missed' | 'not measured' | ''

export function verdictOf({ result, bound, aim }: Figure): Verdict {
  if (Number.isNaN(result)) return 'not measured'
  if (aim === undefined) return ''
  const isMet = bound === 'at least' ? result >= aim : bound === 'at most' ? result <= aim : result < aim
  return isMet ? 'met' : 'missed'
}

/** Returns how far the aim is exceeded: 1 is the aim, 2 is twice as good. */
export const timesTheAim = ({ result, bound, aim = Number.NaN }: Figure): number =>
  bound === 'at least' ? result / aim : aim / result

/** Formats ratios with two decimals, and larger figures with as many as people compare. */
export function shown({ result, unit }: Pick<Figure, 'result' | 'unit'>): string {
  if (Number.isNaN(result)) return '–'
  const decimals = result >= 10 && unit !== '' ? 1 : 2
  const text = result >= 100 ? Math.round(result).toLocaleString('en') : result.toFixed(decimals)
  return unit === '' ? text : `${text} ${unit}`
}

const signs: Record<Bound, string> = { 'at least': '≥', 'at most': '≤', below: '<' }

export function shownAim({ bound, aim, unit }: Figure): string {
  if (aim === undefined) return ''
  return `${signs[bound]} ${Number.isInteger(aim) ? aim.toLocaleString('en') : aim.toFixed(2)}${unit && ` ${unit}`}`
}

const columns = ['', 'refdesk', 'compared with', 'result', 'aim', ''] as const
const rowOf = (figure: Figure): string[] => [
  figure.name,
  figure.ours,
  figure.rival,
  shown(figure),
  shownAim(figure),
  verdictOf(figure),
]

/** Returns aligned text for a terminal, group by group, with the count of the aims that are met. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(rowOf)
  const widths = columns.map((column, at) => Math.max(column.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 3 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join('  ')
  const lines = figures.flatMap((figure, at) => {
    const verdict = verdictOf(figure)
    const line = `${lineOf(rowOf(figure).slice(0, -1))}  ${styleText(verdict === 'met' ? 'green' : 'red', verdict)}`
    return figure.group === figures[at - 1]?.group ? [line] : ['', styleText('bold', figure.group), line]
  })
  return [lineOf(columns).trimEnd(), ...lines.map((line) => line.trimEnd()), '', summaryOf(figures)].join('\n')
}

export function summaryOf(figures: readonly Figure[]): string {
  const aimed = figures.filter((figure) => figure.aim !== undefined)
  const missed = aimed.filter((figure) => verdictOf(figure) !== 'met')
  const names = missed.map(({ name }) => name).join('; ')
  return `${aimed.length - missed.length} of ${aimed.length} aims met${names && `. Not met: ${names}`}.`
}

/** Returns one Markdown table per group. */
export function markdownOf(figures: readonly Figure[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const tables = [...Map.groupBy(figures, ({ group }) => group)].map(([group, own]) =>
    [lineOf([group, ...columns.slice(1)]), lineOf(columns.map(() => '---')), ...own.map(rowOf).map(lineOf)].join('\n'),
  )
  return [...tables, summaryOf(figures)].join('\n\n')
}
