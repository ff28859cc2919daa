import type { ExplainedRow, ExplanationStep } from './schema.ts'
import type { Section } from './sections.ts'

/** How many rows an explanation names. */
export const maxNamed = 10

type Texts = Readonly<{ section: Section; title: string; text: string }>

/** A step that looks at no rows. */
export const plainStep = ({ section, title, text }: Texts): ExplanationStep => ({
  Section: section,
  Title: title,
  Text: text,
})

/** Counts the rows that a step passes and removes, and names the first it removes. */
export class StepTally {
  readonly #texts: Texts
  readonly #removed: ExplainedRow[] = []
  #rowsIn = 0
  #rowsOut = 0

  constructor(texts: Texts) {
    this.#texts = texts
  }

  pass(rows = 1): void {
    this.#rowsIn += rows
    this.#rowsOut += rows
  }

  remove(describe: () => ExplainedRow): void {
    this.#rowsIn += 1
    if (this.#removed.length < maxNamed) this.#removed.push(describe())
  }

  get step(): ExplanationStep {
    return { ...plainStep(this.#texts), RowsIn: this.#rowsIn, RowsOut: this.#rowsOut, Removed: this.#removed }
  }
}
