import { parseWeights } from '../../core/weights.ts'
import { da } from './texts/da.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'

export type Language = 'en' | 'de' | 'da'

export const texts: Record<Language, Texts> = { en, de, da }

/** The app's `lang` parameter (§4.3), otherwise the browser's preference (RFC 9110 §12.5.4), otherwise English. */
export function pickLanguage(lang = '', acceptLanguage = ''): Language {
  const preferences = [...parseWeights(acceptLanguage)].filter(([, weight]) => weight > 0).sort(([, a], [, b]) => b - a)
  const tags = [lang, ...preferences.map(([tag]) => tag)]
  return tags.map(supported).find((language) => language !== undefined) ?? 'en'
}

function supported(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0]
  return primary === 'en' || primary === 'de' || primary === 'da' ? primary : undefined
}
