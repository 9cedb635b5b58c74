/**
 * Names of fields and columns that hold a row id although their name does not tell it; registered by `defineResource`.
 */
const others = new Set<string>()

export const registerRowIdColumn = (name: string): void => void others.add(name)

/**
 * Whether a column or field of this name holds a row id: by its ending (id, user, dept) or because it was registered.
 */
export const isRowIdColumn = (name: string): boolean =>
  /(?:^|[._])id$|Id$|(?:_u|U)ser$|(?:_d|D)ept$|(?:^|\.)own(?:\d+|_)r\d+$/.test(name) ||
  others.has(name.slice(name.lastIndexOf('.') + 1))
