/** In-process calls and `fetch` resolve `.` and `..` like any URL, so a dot segment would reach another operation. */
export function hasDotSegments(path: string): boolean {
  return /^[^?]*?\/(?:\.|%2e){0,2}(?:[/?]|$)/i.test(path)
}
