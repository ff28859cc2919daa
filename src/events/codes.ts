/** What a code of ISO 15022/20022 is called. */
export type CodeText = Readonly<{ Name: string; Description: string }>

export const eventTypeCodes = ['DVCA'] as const
export const optionTypeCodes = ['CASH'] as const
