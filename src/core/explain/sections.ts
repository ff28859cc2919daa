/** The sections of docs/specification.md that explanations cite, with the anchors of their headings. */
export const sections = {
  '§2.1': '21-paths-and-parameters',
  '§2.3': '23-paging-and-feeds',
  '§2.4': '24-rest-errors',
  '§5.2': '52-access-rights-and-visibility',
  '§5.3': '53-tradability',
  '§6.1': '61-search-operation-1',
  '§6.2': '62-instrument-details-operations-2-and-3',
  '§6.3': '63-option-spaces-operation-4',
  '§6.4': '64-futures-spaces-operation-5',
  '§6.5': '65-trading-schedules-operation-6',
  '§7.1': '71-whose-events-and-holdings',
  '§7.2': '72-listing-events-operation-7',
  '§7.3': '73-reading-one-event-operation-8',
} as const

export type Section = keyof typeof sections

export const sectionLink = (section: Section): string => `docs/specification.md#${sections[section]}`
