/** Name and description of an ISO 15022/20022 code. */
export type CodeText = Readonly<{ Name: string; Description: string }>
export type CodeTexts = Readonly<Record<string, CodeText>>

type Described = Readonly<{ Code: string; Name?: string; Description?: string }>

/** Adds the Name and Description of the list where the code has none of its own. */
export function describeCode<T extends Described>(texts: CodeTexts, code: T): T & Partial<CodeText> {
  return { ...(Object.hasOwn(texts, code.Code) && texts[code.Code]), ...code }
}
