import type { Section } from '../../core/explain/sections.ts'

type Advice = Readonly<{ section: Section; advice: string }>

const byStatus: Readonly<Record<number, Advice>> = {
  401: {
    section: '§4.1',
    advice: 'Send Authorization: Bearer with an access token that is valid now; refresh it, or sign in again.',
  },
  403: { section: '§5.4', advice: 'Use a user and an app that may do this.' },
  404: { section: '§5.2', advice: 'Send an address and ids that lists of the API return for you.' },
  429: { section: '§2.6', advice: 'Wait for as many seconds as the response says, then send the request again.' },
}

/** What to do about a rejected request of the REST API, where the reason does not say it. */
export function adviceFor(status: number, fault: string | undefined): Advice {
  if (fault !== undefined) return { section: '§11.3', advice: 'Send the request again, or remove the fault first.' }
  if (status === 0 || status >= 500) return { section: '§2.4', advice: 'Send the request again shortly.' }
  return byStatus[status] ?? { section: '§2.4', advice: 'Correct what the reason names.' }
}
