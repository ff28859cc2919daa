import type { Culture, Language } from './schema.ts'

/** Each language with the countries that have their own date and number formats. */
const codes = `
  af-ZA am-ET ar-AE ar-BH ar-DZ ar-EG ar-IQ ar-JO ar-KW ar-LB ar-LY ar-MA ar-OM ar-QA ar-SA ar-SY ar-TN ar-YE az-AZ
  be-BY bg-BG bn-BD bn-IN bs-BA ca-ES cs-CZ cy-GB da-DK de-AT de-CH de-DE de-LI de-LU el-CY el-GR en-AU en-BZ en-CA
  en-GB en-HK en-IE en-IN en-JM en-MY en-NZ en-PH en-SG en-TT en-US en-ZA en-ZW es-AR es-BO es-CL es-CO es-CR es-DO
  es-EC es-ES es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US es-UY es-VE et-EE eu-ES fa-IR fi-FI fil-PH
  fo-FO fr-BE fr-CA fr-CH fr-FR fr-LU fr-MC ga-IE gl-ES gu-IN he-IL hi-IN hr-BA hr-HR hu-HU hy-AM id-ID is-IS it-CH
  it-IT ja-JP ka-GE kk-KZ kl-GL km-KH kn-IN ko-KR ky-KG lb-LU lo-LA lt-LT lv-LV mk-MK ml-IN mn-MN mr-IN ms-BN ms-MY
  mt-MT my-MM nb-NO ne-NP nl-BE nl-NL nn-NO pa-IN pl-PL ps-AF pt-BR pt-PT rm-CH ro-RO ru-RU rw-RW se-NO si-LK sk-SK
  sl-SI sq-AL sr-BA sr-ME sr-RS sv-FI sv-SE sw-KE ta-IN te-IN tg-TJ th-TH tk-TM tr-TR uk-UA ur-PK uz-UZ vi-VN wo-SN
  xh-ZA yo-NG zh-CN zh-HK zh-MO zh-SG zh-TW zu-ZA
`
const cultureCodes = codes.trim().split(/\s+/)
const languageCodes = [...new Set(cultureCodes.map((code) => code.slice(0, code.indexOf('-'))))]

export function cultures(): Culture[] {
  const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
  return cultureCodes.map((CultureCode) => ({ CultureCode, Name: names.of(CultureCode) ?? CultureCode }))
}

/** The name of a language in that language, capitalised. */
function nativeName(code: string): string {
  const [first = '', ...rest] = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
  return first.toLocaleUpperCase(code) + rest.join('')
}

export function languages(): Language[] {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return languageCodes.map((LanguageCode) => ({
    LanguageCode,
    LanguageName: names.of(LanguageCode) ?? LanguageCode,
    NativeName: nativeName(LanguageCode),
  }))
}
