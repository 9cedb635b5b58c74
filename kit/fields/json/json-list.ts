/**
 * Returns the list that a JSON field holds: a row has the list itself, a form its text. Anything else, such as a half
 * typed text, gives an empty list. The type of the elements is not checked.
 */
export function jsonList<T>(value: unknown): T[] {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return Array.isArray(list) ? (list as T[]) : []
  } catch {
    return []
  }
}
