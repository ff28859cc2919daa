/** Numbers of runs, and the cursors of their pages, have at most 15 digits, which JavaScript keeps exactly. */
export const maxRunNumber = 999_999_999_999_999

export const isRunNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)
