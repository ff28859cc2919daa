/** A change of a sample, and the line and reason of the error that it must give. */
export type Row = readonly [name: string, from: string | RegExp, to: string, line: number, reason: string]

/** Changes of the MT564 sample. */
export const fields: readonly Row[] = [
  [
    'two options with one number',
    'CAON//002',
    'CAON//001',
    69,
    'CAOPTN[2]/13A:CAON "001" is also the number of the option in line 41.',
  ],
  [
    'a word as the number of an option',
    'CAON//002',
    'CAON//TRUE',
    69,
    'CAOPTN[2]/13A:CAON "TRUE" is not a valid option number such as 001.',
  ],
  ['an empty amount', 'GRSS//EUR0,4', 'GRSS//', 73, 'CAOPTN[2]/92F:GRSS "" is not a valid amount such as USD2,5.'],
  [
    'a negative amount',
    'NETT//EUR0,34',
    'NETT//EURN0,34',
    81,
    'CAOPTN[2]/CASHMOVE/92F:NETT "EURN0,34" must not be negative.',
  ],
  ['a negative rate', 'INTP//2,5', 'INTP//N2,5', 83, 'CAOPTN[2]/CASHMOVE/92A:INTP "N2,5" must not be negative.'],
  [
    'a negative rate that no field holds',
    ':92F::GRSS//EUR0,4',
    ':92A::GRSS//N4,',
    73,
    'CAOPTN[2]/92A:GRSS "N4," must not be negative.',
  ],
  ['a negative tax rate', 'TAXR//15,', 'TAXR//N15,', 82, 'CAOPTN[2]/CASHMOVE/92A:TAXR "N15," must not be negative.'],
  ['an empty tax rate', 'TAXR//15,', 'TAXR//', 82, 'CAOPTN[2]/CASHMOVE/92A:TAXR "" is not a valid rate such as 2,5.'],
  [
    'two amounts in one currency',
    ':92F::NETT//EUR0,34',
    ':92F::NETT//EUR0,34\n:92F::NETT//EUR0,35',
    82,
    'CAOPTN[2]/CASHMOVE/92F:NETT[2] "EUR0,35" contradicts an earlier amount in the same currency.',
  ],
  [
    'two different dates',
    ':98A::XDTE//20260312',
    ':98A::XDTE//20260312\n:98A::XDTE//20260311',
    24,
    'CADETL/98A:XDTE[2] "20260311" contradicts "20260312" in line 23.',
  ],
  ['an empty ISIN', 'ISIN XS1111111118', 'ISIN', 12, 'USECU/35B/ISIN "" is not a valid ISIN.'],
  ['an empty reference', 'COAF//OFF2026A1', 'COAF//', 3, 'GENL/20C:COAF "" is not a valid reference.'],
]
