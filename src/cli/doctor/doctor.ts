import { type Config, ConfigErrors, unknownSettings } from '../../config.ts'
import { asTyped } from '../program.ts'
import { say } from '../service.ts'
import { examine } from './examine.ts'
import { reportJson, reportText } from './report.ts'
import type { Finding } from './rules/finding.ts'
import { typoFindings } from './rules/settings.ts'

/** refdesk doctor: checks an installation and says what to do. Exits with 1 if there is a problem. */
export async function doctor(config: Config | ConfigErrors, { json }: Readonly<{ json?: boolean }>): Promise<0 | 1> {
  const findings = config instanceof ConfigErrors ? settingsErrors(config) : await examine(config)
  say(json ? reportJson(findings) : asTyped(reportText(findings)))
  return findings.some(({ state }) => state === 'problem') ? 1 : 0
}

/** With wrong settings nothing else can be checked. */
const settingsErrors = ({ errors }: ConfigErrors): readonly Finding[] => [
  ...errors.map((text): Finding => ({ check: 'settings', state: 'problem', text })),
  ...typoFindings(unknownSettings()),
  { check: 'everything else', state: 'skipped', text: 'not checked until the settings are right' },
]
