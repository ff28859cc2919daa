/** In-process calls and `fetch` resolve `.` and `..` like any URL, so a dot segment would reach another operation. To a URL
 *  parser a backslash is a slash, and it drops tabs, line breaks and a space at the end, which could make such a segment. */
export function hasDotSegments(path: string): boolean {
  return /^[^?#]*?(?:[\\\t\r\n]| $|\/(?:\.|%2e){0,2}(?:[/?#]|$))/i.test(path)
}
