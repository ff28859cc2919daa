/** The sections of docs/specification.md that explanations cite. */
export const sections = [
  ...['§2.1', '§2.3', '§2.4', '§2.6'],
  ...['§4.1', '§4.3', '§4.4', '§4.5', '§4.7', '§4.8', '§4.9', '§4.10', '§4.11'],
  ...['§5.2', '§5.3', '§5.4'],
  ...['§6.1', '§6.2', '§6.3', '§6.4', '§6.5'],
  ...['§7.1', '§7.2', '§7.3'],
  ...['§11.3', '§11.6'],
] as const

export type Section = (typeof sections)[number]
