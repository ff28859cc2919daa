export type CodeText = Readonly<{ Name: string; Description: string }>
export type CodeTexts = Readonly<Record<string, CodeText>>

export function codeTexts<const Code extends string>(
  list: Readonly<Record<Code, readonly [name: string, description: string]>>,
): Readonly<Record<Code, CodeText>> {
  const texts = Object.entries<readonly [string, string]>(list)
  return Object.fromEntries(texts.map(([code, [Name, Description]]) => [code, { Name, Description }])) as never
}

type Described = Readonly<{ Code: string; Name?: string; Description?: string }>

/** Adds the Name and Description of the list where the code has none of its own. */
export function describeCode<T extends Described>(texts: CodeTexts, code: T): T & Partial<CodeText> {
  return { ...(Object.hasOwn(texts, code.Code) && texts[code.Code]), ...code }
}
