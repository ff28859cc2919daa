/** In-process calls and `fetch` resolve `.` and `..` like any URL, so a dot segment would reach another operation. To a URL
 *  parser a backslash is a slash, and it drops tabs, line breaks, and control characters and spaces at the end. */
export function hasDotSegments(path: string): boolean {
  return /^[^?#]*?(?:[\\\t\r\n]|[\0- ]$|\/(?:\.|%2e){0,2}(?:[/?#]|$))/i.test(path)
}
