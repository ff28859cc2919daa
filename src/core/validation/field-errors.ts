import type { ModelState } from '../problem.ts'

/** Collects the errors of all fields, so that the caller sees them at once (§2.4). */
export class FieldErrors {
  /** Without a prototype: a caller may send a field named `constructor`. */
  readonly modelState: ModelState = Object.create(null)

  add(field: string, sentence: string): void {
    const sentences = this.modelState[field]
    if (!sentences) this.modelState[field] = [sentence]
    else if (!sentences.includes(sentence)) sentences.push(sentence)
  }

  addAll(modelState: ModelState): void {
    for (const [field, sentences] of Object.entries(modelState)) for (const one of sentences) this.add(field, one)
  }

  get any(): boolean {
    return Object.keys(this.modelState).length > 0
  }
}
