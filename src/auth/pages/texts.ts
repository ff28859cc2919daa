import { da } from './texts/da.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'

export type Language = 'en' | 'de' | 'da'

export const texts: Record<Language, Texts> = { en, de, da }

/** The app's `lang` parameter (contract §4), else the browser's wish by weight (RFC 9110 §12.5.4), else English. */
export function pickLanguage(lang?: string, acceptLanguage?: string): Language {
  const wishes = (acceptLanguage ?? '')
    .split(',', 50)
    .map(weighed)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return [lang ?? '', ...wishes.map(({ tag }) => tag)].map(spoken).find((language) => language !== undefined) ?? 'en'
}

function weighed(entry: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))
  return { tag, weight: quality ? Number(quality.slice(2)) || 0 : 1 }
}

/** `de-CH` and `DE_ch` are German; a language that we do not speak is none. */
function spoken(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0]
  return primary === 'en' || primary === 'de' || primary === 'da' ? primary : undefined
}
