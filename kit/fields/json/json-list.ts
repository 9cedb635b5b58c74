/**
 * The list behind a value of a JSON field: a row has the list itself, a form its text. Anything else, also a text
 * somebody is in the middle of typing, is an empty list. Its members are not looked at.
 */
export function jsonList<T>(value: unknown): T[] {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return Array.isArray(list) ? (list as T[]) : []
  } catch {
    return []
  }
}
