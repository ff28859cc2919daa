import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Figure, markdownOf } from './support/figures.ts'
import { plotOf } from './support/plot.ts'

export type Results = Readonly<{ at: string; machine: string; figures: readonly Figure[] }>

const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))
const plot = fileURLToPath(new URL('../docs/benchmarks.svg', import.meta.url))
const marks = ['<!-- figures: npm run bench -- --save -->', '<!-- end of figures -->'] as const

/** Replaces the latest figures in docs/benchmarks.md and draws the plot beside it. */
export async function saveFigures({ at, machine, figures }: Results): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [start, end] = marks.map((mark) => text.indexOf(mark)) as [number, number]
  if (start < 0 || end < start) throw new Error(`docs/benchmarks.md lacks the lines ${marks.join(' and ')}.`)
  const heading = `One run on ${at.slice(0, 10)}: ${machine}.`
  const section = [marks[0], heading, '![Each figure against its aim](benchmarks.svg)', markdownOf(figures), '']
  await writeFile(page, `${text.slice(0, start)}${section.join('\n\n')}${text.slice(end)}`)
  await writeFile(plot, plotOf(figures))
}
