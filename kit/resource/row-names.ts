/** Fields and columns that hold the number of a row and are not called by it: noted where they are declared. */
const others = new Set<string>()

export const registerRowIdColumn = (name: string): void => void others.add(name)

/** Whether a column, by its own name or a field's, holds the number of a row: ids, people and departments. */
export const isRowIdColumn = (name: string): boolean =>
  /(?:^|[._])id$|Id$|(?:_u|U)ser$|(?:_d|D)ept$|(?:^|\.)own(?:\d+|_)r\d+$/.test(name) ||
  others.has(name.slice(name.lastIndexOf('.') + 1))
