import type { ModelState } from '../core/problem.ts'

/** Collects bad fields, so that a caller learns of all of them at once (contract §3). */
export class FieldErrors {
  /** Without a prototype: a caller may name a member `constructor`. */
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
