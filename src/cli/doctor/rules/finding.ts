export type State = 'ok' | 'warning' | 'problem' | 'skipped'

/** One line of the report. `advice` says what to do; a warning and a problem always have it. */
export type Finding = Readonly<{ check: string; state: State; text: string; advice?: string }>

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text })
export const skipped = (check: string, text: string): Finding => ({ check, state: 'skipped', text })
export const warning = (check: string, text: string, advice: string): Finding => ({
  ...{ check, state: 'warning', text, advice },
})
export const problem = (check: string, text: string, advice: string): Finding => ({
  ...{ check, state: 'problem', text, advice },
})

/** The findings, or one that says that there is nothing to find. */
export const orOk = (findings: readonly Finding[], check: string, text: string): readonly Finding[] =>
  findings.length > 0 ? findings : [ok(check, text)]
