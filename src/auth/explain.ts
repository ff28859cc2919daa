import { texts } from './pages/texts.ts'
import { findRefusal, type Refusal } from './rules/reasons.ts'

/** A rejection by the authorization server, as the request log has it (§11.9); undefined if it is none. */
export function explainRefusal(path: string, code: string, text: string): Refusal | undefined {
  const page = Object.entries(texts.en.errors).find(([cause]) => cause === code)?.[1]
  if (page) return { section: '§4.8', text: page.sentence, advice: page.developers }
  return findRefusal(path, code, text)
}
