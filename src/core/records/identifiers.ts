/** Types of identifiers of securities with their other names: in ISO 20022, in MT564, and common spellings. */
const otherNames: Readonly<Record<string, string>> = {
  CUSIP: 'CUSP CINS US CA',
  SEDOL: 'SEDL GB',
  WKN: 'WKNR DE',
  Valoren: 'VALO VALOR CH LI',
  CommonCode: 'COMM XS',
  SICC: 'JP',
  BELC: 'BE',
  CCDC: 'CN',
  RIC: 'RICC',
  Ticker: 'TIKR TS',
  Bloomberg: 'BLOM',
  DTI: 'DTID',
}

const types: ReadonlyMap<string, string> = new Map(
  Object.entries(otherNames).flatMap(([type, names]) =>
    [type.toUpperCase(), ...names.split(' ')].map((name) => [name, type] as const),
  ),
)

/** The one name of a type, whatever its case and punctuation. A type that is not listed keeps its own. */
export function identifierType(name: string): string {
  const plain = name.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  // ISO 20022 has codes such as EGDC for the national numbers of countries without a code of their own.
  const country = /^([A-Z]{2})DC$/.exec(plain)?.[1]
  return types.get(plain) ?? types.get(country ?? '') ?? country ?? plain
}

/** The form that is stored and looked up: CUSIP 037833100. */
export const identifierText = ({ Type, Value }: Readonly<{ Type: string; Value: string }>): string =>
  `${identifierType(Type)} ${Value.trim()}`

/** The ISIN that an identifier is, if it is one. */
export const isinIn = (identifier: string): string | undefined => /^ISIN (.*)$/.exec(identifier)?.[1]
