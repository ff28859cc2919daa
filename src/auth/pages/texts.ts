import { da } from './texts/da.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'

export type Language = 'en' | 'de' | 'da'

export const texts: Record<Language, Texts> = { en, de, da }

/** The app's `lang` parameter (§4.3), otherwise the browser's preference (RFC 9110 §12.5.4), otherwise English. */
export function pickLanguage(lang?: string, acceptLanguage?: string): Language {
  const preferences = (acceptLanguage ?? '')
    .split(',', 50)
    .map(parseWeight)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return (
    [lang ?? '', ...preferences.map(({ tag }) => tag)].map(supported).find((language) => language !== undefined) ?? 'en'
  )
}

function parseWeight(entry: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))
  return { tag, weight: quality ? Number(quality.slice(2)) || 0 : 1 }
}

/** `de-CH` and `DE_ch` are German. */
function supported(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0]
  return primary === 'en' || primary === 'de' || primary === 'da' ? primary : undefined
}
